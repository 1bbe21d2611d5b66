"""What the observer of recoveries says of itself and of episodes."""

from typing import Sequence, Tuple

import dataclasses

from ...common.errors import PerfcompareError
from ...model.recovery import Cause, CauseKind, Episode, State
from ...ports.config import ConfigReads
from .watch import RecoveryWatch


@dataclasses.dataclass(frozen=True)
class ObserverStatus:
    """Say what the observer does, and what it has cost this mgr."""

    enabled: bool
    state: str  # 'off', 'watching', 'recording', 'paused'
    episode: str = ''
    episodes: int = 0  # that this mgr recorded
    cpu_seconds: float = 0.0
    running_seconds: float = 0.0


def described(
    episode: Episode, watch: RecoveryWatch, state: State, now: float
) -> Episode:
    """Return an episode with all that its watch knows."""
    over = state is not State.OPEN
    timelines = [t for t in watch.timelines(over) if t.size.pgs]
    causes = _merged(episode.causes, watch.causes)
    if not causes:
        causes = (Cause(CauseKind.UNKNOWN, episode.began),)
    return dataclasses.replace(
        episode,
        state=state,
        ended=now if over else None,
        causes=causes,
        timelines=tuple(timelines),
    )


def moves(cause: Cause) -> bool:
    """Say whether a change is one that episodes are recorded for.

    Upmaps are moves that the balancer makes all the time.
    """
    return cause.kind is not CauseKind.UPMAP


def period(cluster: ConfigReads) -> float:
    """Return the seconds between two reports of an OSD."""
    try:
        return float(cluster.option('mgr_stats_period') or 5.0)
    except (PerfcompareError, ValueError):
        return 5.0


def _merged(
    before: Tuple[Cause, ...], now: Sequence[Cause]
) -> Tuple[Cause, ...]:
    found = list(before)
    for cause in now:
        if cause not in found and len(found) < 100:
            found.append(cause)
    return tuple(found)
