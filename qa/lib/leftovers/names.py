"""The names that runs give to what they make, and safe output of others."""

from typing import Optional

import re

_RUN = '([0-9a-f]{8})'
RUN = re.compile(_RUN + r'\Z')
_NAME = re.compile(
    r'(?:perfcompare\.%(run)s\.[a-z0-9][\w.-]*'
    r'|perfcompare-%(run)s-[a-z0-9][\w-]*'
    # what an orchestrator adds to the name of a service of a run
    r'|client\.rgw\.perfcompare-%(run)s-[a-z0-9][\w.-]*'
    r'|client\.perfcompare\.%(run)s)\Z' % {'run': _RUN},
    re.ASCII,
)
FOLDER = re.compile(r'perfcompare-%s\Z' % _RUN)
AGENT = 'client.perfcompare.agent.'  # and the name of a load host
LONGEST = 200  # characters of a name or a message that are shown


def run_of(name: str) -> Optional[str]:
    """Return the id of the run that has made a thing of this name."""
    match = _NAME.match(name)
    return next(filter(None, match.groups()), None) if match else None


def plain(text: str) -> str:
    """Return a text that does nothing to a terminal, and is not long."""
    text = ''.join(c if c.isprintable() else '?' for c in text)
    return text if len(text) <= LONGEST else text[: LONGEST - 3] + '...'
