"""The names of what a run makes in the cluster, and whose they are.

A name alone never makes a thing ours: see undo. But nothing without such
a name is ever changed or removed.
"""

from typing import Optional

import re

from ..common.errors import NotPermitted

APPLICATION = 'perfcompare'

# perfcompare.<run>.<group>.<role>, perfcompare-<run>-<group>,
# client.perfcompare.<run>; the orchestrator adds host and more to the name of
# a service of a run: client.rgw.perfcompare-<run>-<group>.<host>.<word>
_NAME = re.compile(
    r'(?:perfcompare\.([0-9a-f]{8})\.[a-z0-9][\w.-]*'
    r'|perfcompare-([0-9a-f]{8})-[a-z0-9][\w-]*'
    r'|client\.rgw\.perfcompare-([0-9a-f]{8})-[a-z0-9][\w.-]*'
    r'|client\.perfcompare\.([0-9a-f]{8}))\Z',
    re.ASCII,
)
_RUN = re.compile(r'[0-9a-f]{8}\Z')
_LOOKS_OURS = re.compile(r'(?:client\.(?:rgw\.)?)?perfcompare[.-]')
# the key of a load host's agent is of no run, and outlives all
AGENT = 'client.perfcompare.agent.'


def is_run(ident: str) -> bool:
    """Say whether a text is an id as runs have them."""
    return bool(_RUN.match(ident))


def run_of(name: str) -> Optional[str]:
    """Return the run id in the name of a thing that a run made."""
    match = _NAME.match(name)
    return next(filter(None, match.groups()), None) if match else None


def looks_ours(name: str) -> bool:
    """Say whether a name begins like a run's, with or without its id."""
    return bool(_LOOKS_OURS.match(name)) and not name.startswith(AGENT)


def check_own(name: str) -> str:
    """Return the run id of ``name``; NotPermitted when it has none."""
    run = run_of(name)
    if run is None:
        raise NotPermitted(
            f'{name!r} is not a name of a run; it is left alone'
        )
    return run
