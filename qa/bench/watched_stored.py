"""What it does to verdicts of stored runs that one of them was watched.

Groups that are equal, each in runs of its own; the last run of the candidate
is compared after each of its trials, and ended at the first at which it has a
claim. In parentheses the claims where it is not ended. What was found is
`results/watched_stored.txt`.

    PYTHONPATH=src/pybind/mgr python3 qa/bench/watched_stored.py --reports 30
"""

from typing import Iterator, Sequence

import random

from pooled import CLAIMS, Run, runs_of, said, share
from steadiness import ROWS, asked

from perfcompare.analysis import of_runs
from perfcompare.analysis.verdict import Verdict

RUNS = (1, 4, 5)  # on each side: trials are the units, then runs
TRIALS = (7, 10, 14)  # of each run
VARY = ((0.0, 0.1), (0.03, 0.1), (0.0, 0.3), (0.03, 0.3), (0.1, 0.1))


def judged(baseline: Sequence[Run], candidate: Sequence[Run]) -> Verdict:
    """Return the verdict of one row of stored runs."""
    return said(of_runs.measure_unpaired(baseline, candidate))


def watched(baseline: Sequence[Run], candidate: Sequence[Run]) -> Verdict:
    """Return the verdict at which who watches ends the last run."""
    *others, last = candidate
    found = Verdict.INCONCLUSIVE
    for trials in range(1, len(last) + 1):
        found = judged(baseline, [*others, last[:trials]])
        if found in CLAIMS:
            break
    return found


def table(rows: int, seed: int) -> Iterator[str]:
    """Yield claims by how many runs a side has, and of how many trials."""
    for runs in RUNS:
        for trials in TRIALS:
            cells = []
            for vary in VARY:
                draw = random.Random(f'{seed} {runs} {trials} {vary}')
                drawn = [
                    [runs_of(draw, 1.0, (runs, trials), *vary) for _ in 'ab']
                    for _ in range(rows)
                ]
                ended = [watched(a, b) for a, b in drawn]
                whole = [judged(a, b) for a, b in drawn]
                cells.append(
                    f'{share(ended, *CLAIMS):5.1f} '
                    f'({share(whole, *CLAIMS):4.1f})'
                )
            name = f'{runs} of {trials} trials'
            yield f'{name:<16}' + ''.join(f'{c:>15}' for c in cells)


def main() -> None:
    """Simulate and print."""
    args = asked(__doc__ or '', 30)
    rows = ROWS * args.reports
    print(
        f'Claims in % of {rows} rows of equal groups, seed {args.seed}, the '
        'last run ended at its first claim (not ended)'
    )
    by = ''.join(f'{f"{a:.0%}, {b:.0%}":>15}' for a, b in VARY)
    print(f'{"runs a side vary by, trials by":16}\n{"":16}{by}')
    for line in table(rows, args.seed):
        print(line, flush=True)


if __name__ == '__main__':
    main()
