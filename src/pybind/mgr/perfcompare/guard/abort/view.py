"""What an abort rule looks at and what it answers."""

from typing import (
    Callable,
    Collection,
    Dict,
    NamedTuple,
    Optional,
    Set,
    Tuple,
)

import dataclasses

from ...common.settings import Settings
from ..collect.sample import Sample
from .tenants import Impact


@dataclasses.dataclass(frozen=True)
class Load:
    """Describe the trial (or other load) under way."""

    name: str
    deadline: float  # on the clock of AbortWatch.check()
    pools: Tuple[str, ...] = ()
    ops: int = 0
    errors: int = 0
    failing_host: str = ''  # that most of these are of, of several


@dataclasses.dataclass
class Baseline:
    """Hold what was so before the run; what clears is news when it returns.

    A code is a pair with its severity: a warning that turns into an error
    is news.
    """

    codes: Set[Tuple[str, str]]
    full: Dict[str, int]  # code of what is full -> how many OSDs or pools are
    down: Set[int]
    election: Optional[int]
    upgrade: Optional[str]
    pools: Dict[int, int]  # pool id -> pg_num_target


@dataclasses.dataclass
class View:
    """Hold all that a rule may look at."""

    now: float
    settings: Settings
    baseline: Baseline
    sample: Sample
    load: Optional[Load] = None
    expected_down: Collection[int] = ()
    inactive_for: float = 0.0  # seconds that PGs are seen inactive
    unmoved_for: float = 0.0  # of these, since the OSD map changed last
    blind_for: float = 0.0  # seconds that something was not readable
    impacts: Tuple[Impact, ...] = ()
    baselines_known: int = 0  # tenants' pools with a latency baseline
    emergency_stop: bool = False
    lease_problem: str = ''


class Reading(NamedTuple):
    """Hold what a rule saw; ``message`` says why it fires.

    ``level`` orders the values of one rule, the worst being the highest.
    """

    level: float
    value: str
    message: str = ''


class Rule(NamedTuple):
    """Tie a rule to its id, the text of its threshold and its reads."""

    id: str
    threshold: Callable[[Settings], str]
    read: Callable[[View], Reading]
    needs: Tuple[str, ...] = ()  # fields of Sample
