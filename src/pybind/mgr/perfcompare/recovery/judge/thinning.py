"""Keep as many samples of a load as any figure needs, for a week too."""

from typing import Dict, List, Sequence

import bisect

from .closeups import BEFORE, Closeups
from .impact import Sample

LATEST = 2  # samples that the next one, and the present rate, go on from


def thinned(
    samples: Sequence[Sample], near: Closeups, most: int
) -> List[Sample]:
    """Return all samples near changes, the latest, and ``most`` others.

    Of the others there is one for each part of time, all as long: else what
    came first would be thinned each time. Samples count from the start of a
    load, so any of a part will do: the one that tells of the longest stall.
    """
    latest = [s for s in samples[-LATEST:] if s.at not in near]
    close = [s for s in samples if s.at in near]
    others = [s for s in samples[:-LATEST] if s.at not in near]
    width = 1.0
    while len({s.at // width for s in others}) > most:
        width *= 2
    parts: Dict[float, Sample] = {}
    for sample in others:
        known = parts.get(sample.at // width)
        if known is None or sample.stalled >= known.stalled:
            parts[sample.at // width] = sample
    return sorted([*parts.values(), *close, *latest], key=lambda s: s.at)


def since(samples: Sequence[Sample], at: float) -> List[Sample]:
    """Return what figures of a step need that begins ``at`` (Unix time)."""
    times = [s.at for s in samples]
    return list(samples[max(0, bisect.bisect(times, at - BEFORE) - 1) :])
