"""A line of a table of simulated curves: how true, and which verdicts."""

from typing import Dict, List, Sequence

import collections
import math

from perfcompare.analysis import curve, of_blocks, stats, verdict
from perfcompare.analysis.measured import Measure

VERDICTS = (
    'slower',
    'faster',
    'no difference shown',
    'inconclusive',
    'outside',
)
HEAD = 'bias %  cover %  slower faster nodiff inconc outside'
_CLAIM = {
    curve.ABOVE: verdict.Verdict.FASTER,
    curve.BELOW: verdict.Verdict.SLOWER,
}


class Line:
    """Count what became of curves whose true log-ratio is ``truth``."""

    def __init__(self, truth: float) -> None:
        self._truth = truth
        self._off: List[float] = []
        self._held = 0
        self._verdicts: Dict[str, int] = collections.Counter()

    def add(self, ratios: Sequence[curve.Ratio]) -> None:
        """Judge the ratios of the rounds of one curve."""
        way = curve.direction(ratios)
        if way is None:
            self._verdicts['outside'] += 1
            return
        measured = of_blocks.measure_blocks(_bounds(ratios, way), len(ratios))
        self._verdicts[_outcome(way, measured)] += 1
        if way == curve.EXACT:
            assert measured.estimate is not None
            assert measured.low is not None and measured.high is not None
            self._off.append(measured.estimate - self._truth)
            self._held += measured.low <= self._truth <= measured.high

    def __str__(self) -> str:
        """Return the line, to stand below HEAD."""
        exact, draws = len(self._off), sum(self._verdicts.values())
        bias, cover = '–', '–'
        if exact:
            bias = f'{100 * math.expm1(stats.median(self._off)):+.2f}'
            cover = f'{100 * self._held / exact:.1f}'
        shares = [
            f'{100 * self._verdicts[name] / draws:.1f}'.rjust(7)
            for name in VERDICTS
        ]
        return f'{bias:>6}  {cover:>7}  {"".join(shares)}'


def _bounds(ratios: Sequence[curve.Ratio], way: int) -> List[float]:
    """Return of ratios what speaks against what they can show."""
    return [r.high if way == curve.BELOW else r.low for r in ratios]


def _outcome(way: int, measured: Measure) -> str:
    """Name the verdict, as the module gives it to one curve alone."""
    q = verdict.family([measured])[0]
    found = verdict.judge(measured, q, ())
    if way == curve.EXACT or found.verdict is _CLAIM[way]:
        return found.verdict.value
    return 'outside'
