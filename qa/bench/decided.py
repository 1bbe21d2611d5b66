"""How many rows are decided, and how many rightly, by simulation.

Reports of 18 rows are drawn with known ratio, number of blocks and variation
from trial to trial, and judged by the module's own code. Trials vary either
among each other only (their windows are quiet), or because what is measured
within them does: then six correlated windows (AR, 0.5) make up all of it, and
a drift could hide in them. Prints shares of rows. What was found is
`results/decided.txt`.

    PYTHONPATH=src/pybind/mgr python3 qa/bench/decided.py --reports 60
"""

from typing import Dict, Iterator, List

import math
import random

from steadiness import CORRELATION, NAMES, OUTCOMES, ROWS, asked, of_drift

from perfcompare.analysis import of_blocks, steady, verdict
from perfcompare.analysis.measured import BOUND

QUIET = 0.005  # of windows, where trials vary among each other
# of a mean of six windows to that of one
SHARE = math.sqrt(
    (
        steady.WINDOWS
        + 2
        * sum(
            (steady.WINDOWS - k) * CORRELATION**k
            for k in range(1, steady.WINDOWS)
        )
    )
    / steady.WINDOWS**2
)
RATIOS = (1.0, 0.97, 0.95, 0.9, 0.8, 0.5)


def trial(draw: random.Random, among: float, within: float) -> List[float]:
    """Return the windows of a trial whose true mean is 1."""
    level, noise = draw.gauss(0.0, among), draw.gauss(0.0, 1.0)
    windows = []
    for _ in range(steady.WINDOWS):
        windows.append(math.exp(level + within * noise))
        noise *= CORRELATION
        noise += math.sqrt(1.0 - CORRELATION**2) * draw.gauss(0.0, 1.0)
    return windows


def outcome(found: verdict.Judgement, ratio: float) -> str:
    """Name a judgement; `none` of a difference above 10 % is wrong, too."""
    if found.verdict is verdict.Verdict.NO_DIFFERENCE:
        return 'wrong' if abs(math.log(ratio)) > BOUND else 'none'
    if found.verdict is verdict.Verdict.INCONCLUSIVE:
        return NAMES.get(found.reason, 'noisy')
    slower = found.verdict is verdict.Verdict.SLOWER
    return 'right' if slower and ratio < 1.0 else 'wrong'


def report(
    draw: random.Random, ratio: float, n: int, among: float, within: float
) -> Iterator[str]:
    """Yield the outcomes of a report's rows; `missed` for its intervals."""
    measures, invalid = [], []
    for _ in range(ROWS):
        blocks = [
            (trial(draw, among, within), trial(draw, among, within))
            for _ in range(n)
        ]
        x = [math.log(ratio * sum(b) / sum(a)) for a, b in blocks]
        measured = of_blocks.measure_blocks(x, n)
        assert measured.low is not None and measured.high is not None
        if not measured.low <= math.log(ratio) <= measured.high:
            yield 'missed'
        drift = steady.of_ratio(blocks)
        assert drift is not None
        measures.append(measured)
        invalid.append(of_drift(measured, drift))
    q = verdict.family(
        [None if why else m for m, why in zip(measures, invalid)]
    )
    for measured, value, why in zip(measures, q, invalid):
        yield outcome(verdict.judge(measured, value, why), ratio)


def main() -> None:
    """Simulate and print."""
    args = asked(__doc__ or '', 60)
    rows = ROWS * args.reports
    print(
        f'Shares in % of {rows} rows; trials vary among each other / all of '
        f'it is within trials; seed {args.seed}'
    )
    columns = (*OUTCOMES, 'missed')
    titles = ''.join(f'{title:>15}' for title in columns)
    for n in (7, 10, 14, 20):
        for cv in (0.02, 0.05, 0.10):
            print(f'\n{n} blocks, trials vary by {cv:.0%}')
            print(f'{"true ratio":12}{titles}')
            for ratio in RATIOS if n <= 10 else RATIOS[:1]:
                counts: List[Dict[str, int]] = []
                for among, within in ((cv, QUIET), (0.0, cv / SHARE)):
                    draw = random.Random(f'{args.seed} {n} {cv} {ratio}')
                    found = dict.fromkeys(columns, 0)
                    for _ in range(args.reports):
                        for name in report(draw, ratio, n, among, within):
                            found[name] += 1
                    counts.append(found)
                cells = [
                    ' / '.join(
                        f'{100.0 * c[name] / rows:.1f}' for c in counts
                    )
                    for name in columns
                ]
                print(f'{ratio:<12g}' + ''.join(f'{c:>15}' for c in cells))


if __name__ == '__main__':
    main()
