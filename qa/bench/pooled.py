"""What several runs, and runs that were cut short, do to verdicts.

Rows are drawn with a known ratio and judged by the module's own code, most
of them each a family of its own, so that nothing but the rule keeps claims
from being made.

First runs that vary among each other beyond what their blocks show: paired
blocks of several runs, in parentheses as rule 10 had it (all blocks alike);
then eight rows that are one family, of which one differs; then groups of
different runs, three a side. Last runs that are watched and ended at the
first block at which they have a claim: in parentheses with all of 5 % at
each; and runs that are pooled, of which the last one is. What was found is
`results/pooled.txt`.

    PYTHONPATH=src/pybind/mgr python3 qa/bench/pooled.py --reports 80
"""

from typing import Iterator, List, Sequence, Tuple

import math
import random

from steadiness import ROWS, asked

from perfcompare.analysis import of_blocks, of_runs, verdict
from perfcompare.analysis.measured import MIN_BLOCKS, Design, Measure
from perfcompare.analysis.verdict import Verdict

RATIOS = (1.0, 1.05, 1.1, 1.3)
AMONG_RUNS = (0.0, 0.01, 0.02, 0.04)
WATCHED = ((0.0, 0.1), (0.02, 0.05), (0.04, 0.1))  # among and in runs
CLAIMS = (Verdict.FASTER, Verdict.SLOWER)
FAMILY = 8
Run = List[float]


def runs_of(
    draw: random.Random, ratio: float, shape: Tuple[int, int], *by: float
) -> List[Run]:
    """Return log-ratios of blocks; ``shape`` is runs and blocks of each.

    ``by`` is how much runs, and blocks, vary (standard deviations, logs).
    """
    found = []
    for _ in range(shape[0]):
        level = math.log(ratio) + draw.gauss(0.0, by[0])
        found.append([draw.gauss(level, by[1]) for _ in range(shape[1])])
    return found


def said(measured: Measure) -> Verdict:
    """Return the verdict of a row that is alone in its family."""
    (q,) = verdict.family([measured])
    return verdict.judge(measured, q, ()).verdict


def pooled(runs: Sequence[Run]) -> Measure:
    """Measure paired blocks as they are measured now."""
    x = [value for run in runs for value in run]
    names = [str(i) for i, run in enumerate(runs) for _ in run]
    return of_runs.measure_pairs(x, names, Design(len(x)))


def as_blocks(runs: Sequence[Run]) -> Measure:
    """Measure them as rule 10 did: all blocks alike."""
    x = [value for run in runs for value in run]
    return of_blocks.measure_blocks(x, len(x))


def watched(draw: random.Random, planned: int, cut: bool) -> Verdict:
    """Return what a run of equals says that ends at the first claim."""
    x = [draw.gauss(0.0, 0.1) for _ in range(planned)]
    for n in range(MIN_BLOCKS, planned):
        now = said(of_blocks.measure_blocks(x[:n], planned, cut=cut))
        if now in CLAIMS:
            return now
    return said(of_blocks.measure_blocks(x, planned))


def watched_pool(
    runs: Sequence[Run], cut: bool, looks: bool = True
) -> Verdict:
    """Return what runs of equals say, the last ended at the first claim."""
    *before, last = runs
    planned = sum(map(len, runs))
    for n in range(1 if looks else len(last), len(last) + 1):
        seen = [*before, last[:n]]
        design = Design(planned, cut=cut and n < len(last))
        x = [value for run in seen for value in run]
        names = [str(i) for i, run in enumerate(seen) for _ in run]
        now = said(of_runs.measure_pairs(x, names, design))
        if now in CLAIMS:
            break
    return now


def share(found: Sequence[Verdict], *among: Verdict) -> float:
    """Return how many of these verdicts are ``among``, in percent."""
    return 100.0 * sum(one in among for one in found) / len(found)


def table(rows: int, seed: int) -> Iterator[str]:
    """Yield lines of claims and of `no difference shown`, by shape."""
    none = Verdict.NO_DIFFERENCE
    for shape in ((2, 3), (3, 3), (2, 7), (3, 7), (6, 3)):
        for by in (0.01, 0.03):
            yield (
                f'\n{shape[0]} runs of {shape[1]} blocks that vary by {by:.0%}'
            )
            for ratio in RATIOS:
                cells = []
                for among in AMONG_RUNS:
                    draw = random.Random(f'{seed} {shape} {by} {among}')
                    drawn = [
                        runs_of(draw, ratio, shape, among, by)
                        for _ in range(rows)
                    ]
                    now = [said(pooled(runs)) for runs in drawn]
                    was = [said(as_blocks(runs)) for runs in drawn]
                    cells.append(
                        f'{share(now, *CLAIMS):5.1f} '
                        f'({share(was, *CLAIMS):5.1f})'
                        f' / {share(now, none):5.1f}'
                    )
                yield f'{ratio:<10g}' + ''.join(f'{c:>25}' for c in cells)


def families(reports: int, seed: int) -> Iterator[str]:
    """Yield claims of the row that differs, and of the others of a family."""
    for shape in ((2, 3), (2, 10), (3, 7)):
        yield f'\n{shape[0]} runs of {shape[1]} blocks that vary by 3%'
        for ratio in (1.0, 1.1, 1.2, 1.3):
            cells = []
            for among in AMONG_RUNS:
                draw = random.Random(f'{seed} family {shape} {among}')
                true = [ratio] + [1.0] * (FAMILY - 1)
                found = []
                for _ in range(reports):
                    rows = [
                        runs_of(draw, r, shape, among, 0.03) for r in true
                    ]
                    measures = [pooled(runs) for runs in rows]
                    found.append(
                        [
                            verdict.judge(measured, q, ()).verdict
                            for measured, q in zip(
                                measures, verdict.family(measures)
                            )
                        ]
                    )
                equal = [one for report in found for one in report[1:]]
                cells.append(
                    f'{share([report[0] for report in found], *CLAIMS):5.1f}'
                    f' ({share(equal, *CLAIMS):4.1f})'
                )
            yield f'{ratio:<10g}' + ''.join(f'{c:>25}' for c in cells)


def far_apart(reports: int, seed: int) -> Iterator[str]:
    """Yield reports of equal rows that have a claim: runs vary by 8 %."""
    for shape in ((2, 10), (3, 10)):
        draw = random.Random(f'{seed} apart {shape}')
        wrong = []
        for _ in range(reports):
            measures = [
                pooled(runs_of(draw, 1.0, shape, 0.08, 0.03))
                for _ in range(FAMILY)
            ]
            told = [
                verdict.judge(measured, q, ()).verdict
                for measured, q in zip(measures, verdict.family(measures))
            ]
            wrong.append(next((v for v in told if v in CLAIMS), told[0]))
        yield f'{shape[0]} runs of {shape[1]}: {share(wrong, *CLAIMS):.1f}'


def stored(rows: int, seed: int) -> Iterator[str]:
    """Yield shares of claims of groups of different runs, three a side."""
    for ratio in (1.0, 1.15, 1.3):
        cells = []
        for among in AMONG_RUNS:
            draw = random.Random(f'{seed} stored {among}')
            found = []
            for _ in range(rows):
                a, b = (
                    runs_of(draw, level, (3, 7), among, 0.03)
                    for level in (1.0, ratio)
                )
                found.append(said(of_runs.measure_unpaired(a, b)))
            cells.append(f'{share(found, *CLAIMS):25.1f}')
        yield f'{ratio:<10g}' + ''.join(cells)


def watched_pools(rows: int, seed: int) -> Iterator[str]:
    """Yield claims of equals, the last run ended at its first claim."""
    for shape in ((2, 7), (2, 10), (3, 7), (3, 10), (6, 7)):
        cells = []
        for among, by in WATCHED:
            draw = random.Random(f'{seed} watched {shape} {among} {by}')
            drawn = [
                runs_of(draw, 1.0, shape, among, by) for _ in range(rows)
            ]
            now = [watched_pool(runs, True) for runs in drawn]
            was = [watched_pool(runs, False) for runs in drawn]
            none = [watched_pool(runs, False, False) for runs in drawn]
            cells.append(
                f'{share(now, *CLAIMS):5.1f} ({share(was, *CLAIMS):4.1f})'
                f' / {share(none, *CLAIMS):4.1f}'
            )
        name = f'{shape[0]} of {shape[1]} blocks'
        yield f'{name:<15}' + ''.join(f'{c:>25}' for c in cells)


def main() -> None:
    """Simulate and print."""
    args = asked(__doc__ or '', 80)
    rows = ROWS * args.reports
    print(
        f'Shares in % of {rows} rows, seed {args.seed}: claims of rule 11 '
        '(of rule 10) / "no difference shown" of rule 11'
    )
    by = ''.join(f'{f"runs vary by {v:.0%}":>25}' for v in AMONG_RUNS)
    print(f'{"true ratio":10}{by}')
    for line in table(rows, args.seed):
        print(line, flush=True)
    print(
        f'\nFamilies of {FAMILY} rows, one of which has the true ratio: its '
        'claims (those of the others, which are equal)'
    )
    for line in families(rows, args.seed):
        print(line, flush=True)
    print(
        f'\nReports of {FAMILY} equal rows, runs vary by 8%, blocks by 3%: '
        'those with a claim'
    )
    for line in far_apart(rows, args.seed):
        print(line, flush=True)
    print(
        '\nDifferent runs, three a side of 7 trials that vary by 3%: claims'
    )
    for line in stored(rows, args.seed):
        print(line, flush=True)
    print('\nEqual groups, a run ended at its first claim: claims')
    for planned in (7, 10, 14, 20):
        cells = []
        for cut in (True, False):
            draw = random.Random(f'{args.seed} {planned}')
            found = [watched(draw, planned, cut) for _ in range(rows)]
            cells.append(f'{share(found, *CLAIMS):.1f}')
        print(f'of {planned:2} planned blocks: {cells[0]} ({cells[1]})')
    print(
        '\nEqual groups, several runs, the last ended at its first claim: '
        'claims (with all of 5 % at each block) / not ended'
    )
    by = ''.join(
        f'{f"{a:.0%} among, {b:.0%} in runs":>25}' for a, b in WATCHED
    )
    print(f'{"runs":15}{by}')
    for line in watched_pools(rows, args.seed):
        print(line, flush=True)


if __name__ == '__main__':
    main()
