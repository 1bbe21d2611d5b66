"""What the rule for drift inside trials does to verdicts, by simulation.

Reports of 18 rows are drawn with known truth and judged by the module's own
code, with its rule for drift (of the ratio, when demonstrated), and with the
rule before it (range above 20 % or slope above 10 % of either group's mean
series). Windows of a trial are correlated (AR, 0.5); trials vary by 2 % on
top. Prints the share of each verdict. What was found is
`results/steadiness.txt`.

    PYTHONPATH=src/pybind/mgr python3 qa/bench/steadiness.py --reports 100
"""

from typing import Dict, Iterator, List, NamedTuple, Sequence, Tuple

import argparse
import collections
import math
import random

from perfcompare.analysis import of_blocks, steady, verdict
from perfcompare.analysis.measured import Measure

ROWS = 18
CORRELATION = 0.5
TRIAL_CV = 0.02
OUTCOMES = ('right', 'wrong', 'none', 'unsteady', 'unsure', 'many', 'noisy')
NAMES = {
    'not steady': 'unsteady',
    'drift not excluded': 'unsure',
    'one of many rows': 'many',
}
Trial = List[float]


class Scene(NamedTuple):
    """Say what is true of all rows of a report."""

    name: str
    ratio: float  # candidate / baseline, over the measured window
    shared: float = 0.0  # drift within a trial that both groups have
    apart: float = 0.0  # and that only the candidate has


SCENES = (
    Scene('equal', 1.0),
    Scene('equal, both drift 30 %', 1.0, shared=0.3),
    Scene('equal, ratio drifts 10 %', 1.0, apart=0.1),
    Scene('equal, ratio drifts 20 %', 1.0, apart=0.2),
    Scene('equal, ratio drifts 40 %', 1.0, apart=0.4),
    Scene('1.10', 1.1),
    Scene('1.10, both drift 30 %', 1.1, shared=0.3),
    Scene('1.10, ratio drifts 20 %', 1.1, apart=0.2),
    Scene('1.25', 1.25),
    Scene('1.25, both drift 30 %', 1.25, shared=0.3),
    Scene('5', 5.0),
    Scene('5, both drift 30 %', 5.0, shared=0.3),
    Scene('5, ratio drifts 20 %', 5.0, apart=0.2),
)


def trial(
    draw: random.Random, level: float, drift: float, cv: float
) -> Trial:
    """Return the six windows of a trial whose true mean is ``level``."""
    level *= math.exp(draw.gauss(0.0, TRIAL_CV))
    noise = draw.gauss(0.0, 1.0)
    windows = []
    for i in range(steady.WINDOWS):
        if i:
            noise = CORRELATION * noise + math.sqrt(
                1.0 - CORRELATION**2
            ) * draw.gauss(0.0, 1.0)
        place = i / (steady.WINDOWS - 1) - 0.5
        windows.append(level * (1.0 + drift * place) * math.exp(cv * noise))
    return windows


def moved_before(series: Sequence[Trial]) -> float:
    """Return how far the old rule widened the interval (a log), or 0."""
    mean = [0.0] * steady.WINDOWS
    for windows in series:
        level = math.fsum(windows) / len(windows)
        for i, value in enumerate(windows):
            mean[i] += value / level / len(series)
    times = [i - (steady.WINDOWS - 1) / 2.0 for i in range(steady.WINDOWS)]
    slope = sum(t * v for t, v in zip(times, mean)) / sum(
        t * t for t in times
    )
    slope *= steady.WINDOWS - 1
    width = max(mean) - min(mean)
    passed = width > 0.20 or abs(slope) > 0.10
    return math.log1p(max(width, abs(slope))) if passed else 0.0


def reasons(measured: Measure, wider: float) -> Tuple[str, ...]:
    """Return `not steady` where the widened interval holds 1."""
    ends = measured.decisive
    if not wider:
        return ()
    if ends and (ends[0] - wider > 0.0 or ends[1] + wider < 0.0):
        return ()
    return ('not steady',)


def of_drift(measured: Measure, drift: steady.Drift) -> Tuple[str, ...]:
    """Return why the present rule gives a row no verdict."""
    moved = drift.log_amount if drift.demonstrated else 0.0
    why = reasons(measured, moved)
    if not why and measured.equal and drift.possible > steady.MOST:
        why = ('drift not excluded',)
    return why


def outcome(found: verdict.Judgement, ratio: float) -> str:
    """Name a judgement as the table does."""
    if found.verdict is verdict.Verdict.NO_DIFFERENCE:
        return 'none'
    if found.verdict is verdict.Verdict.INCONCLUSIVE:
        return NAMES.get(found.reason, 'noisy')
    faster = found.verdict is verdict.Verdict.FASTER
    return 'right' if faster and ratio > 1.0 else 'wrong'


def report(
    draw: random.Random, scene: Scene, n: int, cv: float
) -> Iterator[Tuple[str, str]]:
    """Yield the outcome of each row by the old and by the present rule."""
    measures, before, now = [], [], []
    for _ in range(ROWS):
        a = [trial(draw, 1.0, scene.shared, cv) for _ in range(n)]
        drift = scene.shared + scene.apart
        b = [trial(draw, scene.ratio, drift, cv) for _ in range(n)]
        x = [math.log(sum(v) / sum(u)) for u, v in zip(a, b)]
        measured = of_blocks.measure_blocks(x, n)
        ratio = steady.of_ratio(list(zip(a, b)))
        assert ratio is not None
        measures.append(measured)
        before.append(
            reasons(measured, max(moved_before(a), moved_before(b)))
        )
        now.append(of_drift(measured, ratio))
    columns = []
    for invalid in (before, now):
        q = verdict.family(
            [None if why else m for m, why in zip(measures, invalid)]
        )
        columns.append(
            [
                outcome(verdict.judge(m, value, why), scene.ratio)
                for m, value, why in zip(measures, q, invalid)
            ]
        )
    yield from zip(*columns)


def asked(text: str, reports: int) -> argparse.Namespace:
    """Return how many reports to draw, and from which seed."""
    parser = argparse.ArgumentParser(description=text.split('\n')[0])
    parser.add_argument(
        '--reports', type=int, default=reports, help='of 18 rows'
    )
    parser.add_argument('--seed', type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Simulate and print."""
    args = asked(__doc__ or '', 100)
    rows = ROWS * args.reports
    print(
        f'Shares in % of {rows} rows, old rule / present rule; seed '
        f'{args.seed}; "right" and "wrong" are claims of faster or slower'
    )
    titles = ''.join(f'{title:>14}' for title in OUTCOMES)
    for n in (3, 7, 10):
        for cv in (0.03, 0.10, 0.20):
            print(f'\n{n} blocks, windows vary by {cv:.0%}')
            print(f'{"":26}{titles}')
            for scene in SCENES:
                draw = random.Random(f'{args.seed} {n} {cv} {scene.name}')
                counts: Dict[str, List[int]] = collections.defaultdict(
                    lambda: [0, 0]
                )
                for _ in range(args.reports):
                    for pair in report(draw, scene, n, cv):
                        for side, name in enumerate(pair):
                            counts[name][side] += 1
                cells = [
                    ' / '.join(
                        f'{100.0 * c / rows:.1f}' for c in counts[name]
                    )
                    for name in OUTCOMES
                ]
                print(f'{scene.name:26}' + ''.join(f'{c:>14}' for c in cells))


if __name__ == '__main__':
    main()
