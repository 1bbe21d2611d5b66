"""Sum up how the stopped OSDs of a test's groups were found down."""

from typing import Callable, Dict, Optional, Sequence, Tuple

from ...model.recovery import Detection, StepKind, StepResult


def _of(step: StepResult) -> Tuple[Detection, ...]:
    if step.kind is not StepKind.STOP or step.timeline is None:
        return ()
    return step.timeline.detections


def last(step: StepResult) -> Optional[float]:
    """Return the seconds from our order until the last OSD was down.

    None where the order was not ours, and where it took but one OSD.
    """
    times = [d.after for d in _of(step) if d.after is not None]
    return max(times) if len(times) > 1 else None


def silence(step: StepResult) -> Optional[float]:
    """Return for how long an OSD was silent before it was down, at most."""
    times = [d.silence for d in _of(step) if d.silence is not None]
    return max(times, default=None)


FIGURES: Tuple[Tuple[str, Callable[[StepResult], Optional[float]]], ...] = (
    ('all detected', last),
    ('silent', silence),
)


def kinds(
    steps: Sequence[StepResult], groups: Sequence[str]
) -> Dict[str, Tuple[str, ...]]:
    """Return how OSDs of each group were found down, and how many."""
    found: Dict[str, Tuple[str, ...]] = {}
    for group in groups:
        counts: Dict[str, int] = {}
        for step in steps:
            for one in _of(step) if step.group == group else ():
                counts[one.kind.value] = counts.get(one.kind.value, 0) + 1
        if counts:
            found[group] = tuple(
                f'{kind} ({n})' for kind, n in sorted(counts.items())
            )
    return found
