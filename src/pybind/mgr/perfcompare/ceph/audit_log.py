"""Who asked for a flag of a CRUSH bucket, by the audit log of the mons.

The OSD map has one bit for it: it does not say that an operator, or the
maintenance mode of the orchestrator, set the flag a second time.
"""

from typing import Any, Dict, Mapping, Optional, Sequence

import datetime
import json
import re

# what our own commands have beside what the mons read
MARK = {'asked_by': 'perfcompare'}
LINES = 10000  # that the mons keep of each channel, by default
SKEW = 5.0  # seconds that clocks of mons and ours may be apart

_ENTITY = re.compile(r"entity='([^']{1,200})'")
_COMMANDS = {'osd set-group': True, 'osd unset-group': False}


def asked(
    lines: Sequence[Mapping[str, Any]], flag: str, bucket: str, since: float
) -> str:
    """Return who set ``flag`` on ``bucket`` last, '' where nobody did.

    ``lines`` are those of `log last … audit`, in their order; ``since`` is
    a Unix time. What we did is left out, and whoever took the flag away
    again does not want it.
    """
    who = ''
    for line in lines:
        text = str(line.get('message', ''))
        if 'set-group' not in text or _at(line) < since - SKEW:
            continue
        command = _command(text)
        if command is None or MARK.items() <= command.items():
            continue
        wanted = _COMMANDS.get(str(command.get('prefix')))
        flags = str(command.get('flags', '')).split(',')
        buckets = command.get('who')
        if wanted is None or flag not in flags:
            continue
        if not isinstance(buckets, list) or bucket not in buckets:
            continue
        entity = _ENTITY.search(text)
        who = (entity.group(1) if entity else 'somebody') if wanted else ''
    return who


def reaches(lines: Sequence[Mapping[str, Any]], since: float) -> bool:
    """Say whether a log, if any is kept, goes back to a Unix time.

    The mons keep the last LINES only, which may be of an hour.
    """
    known = [at for at in map(_at, lines) if at < float('inf')]
    return not known or min(known) <= since + SKEW


def _command(text: str) -> Optional[Dict[str, Any]]:
    """Return the command in a line, None where it holds none."""
    try:
        found = json.loads(text[text.index('{') : text.rindex('}') + 1])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _at(line: Mapping[str, Any]) -> float:
    """Return the Unix time of a line; one that cannot be read is new."""
    try:
        stamp = datetime.datetime.strptime(
            str(line.get('stamp')), '%Y-%m-%dT%H:%M:%S.%f%z'
        )
        return stamp.timestamp()
    except ValueError:
        return float('inf')
