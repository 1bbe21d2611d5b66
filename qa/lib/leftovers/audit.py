"""Who else wants noout on a host, by the audit log of the monitors.

The OSD map has one bit for it: an operator, or the maintenance mode of the
orchestrator, may have set it a second time while it was the run's.
"""

from typing import Any, Dict, List, Optional

import datetime
import json
import re

OURS = 'perfcompare'  # what the module's own commands have as asked_by
SKEW = 5.0  # seconds that clocks may be apart
_ENTITY = re.compile(r"entity='([^']{1,200})'")
_WANTED = {'osd set-group': True, 'osd unset-group': False}


def asked(lines: List[Dict[str, Any]], host: str, since: float) -> str:
    """Return who asked for noout on a host since then, '' for nobody.

    ``lines`` are those of `log last`; ``since`` is a Unix time. Whoever
    took the flag away again does not want it.
    """
    who = ''
    for line in lines:
        text = str(line.get('message', ''))
        if 'set-group' not in text or _at(line) < since - SKEW:
            continue
        command = _command(text) or {}
        wanted = _WANTED.get(str(command.get('prefix')))
        hosts = command.get('who')
        if wanted is None or command.get('asked_by') == OURS:
            continue
        if 'noout' not in str(command.get('flags', '')).split(','):
            continue
        if isinstance(hosts, list) and host in hosts:
            entity = _ENTITY.search(text)
            name = entity.group(1) if entity else 'somebody'
            who = name if wanted else ''
    return who


def reaches(lines: List[Dict[str, Any]], since: float) -> bool:
    """Say whether a log, if any is kept, goes back to a Unix time.

    The monitors keep the last 10,000 lines, which may be of an hour.
    """
    known = [at for at in map(_at, lines) if at < float('inf')]
    return not known or min(known) <= since + SKEW


def _command(text: str) -> Optional[Dict[str, Any]]:
    try:
        found = json.loads(text[text.index('{') : text.rindex('}') + 1])
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _at(line: Dict[str, Any]) -> float:
    """Return the Unix time of a line; one that cannot be read is new."""
    try:
        stamp = datetime.datetime.strptime(
            str(line.get('stamp')), '%Y-%m-%dT%H:%M:%S.%f%z'
        )
    except ValueError:
        return float('inf')
    return stamp.timestamp()
