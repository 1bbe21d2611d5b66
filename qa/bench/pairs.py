"""How narrow an interval gets in the same minutes, by the length of trials.

A group is compared with one of the same OSDs, by the full path, in runs of
one workload that take as long as each other: fewer pairs of long trials, or
more pairs of short ones. What a pair costs beside its trials (pools, what is
read, ramps, workers) is in the time, as who waits for a run waits for that,
too. Workloads and lengths are drawn in turn. With `--log`, each report is
appended to a file, so that several processes and nights add up; `--sum` only
adds them up. `--alone` is said where nothing else is done on the machine. What
was found is `results/pairs.jsonl`.

    python3 qa/bench/pairs.py --minutes 120 --log qa/bench/results/pairs.jsonl
"""

from typing import Dict, Iterator, List, NamedTuple, Sequence, Tuple

import argparse
import itertools
import math
import os
import random
import statistics
import time

import nights
import rig

from integration.live import LiveCluster

LENGTHS = (3, 5, 10, 20, 30)  # seconds of a trial's measured window
BESIDE = {'rados': 5.0, 's3': 5.0}  # seconds of a trial, about, beside these
WARMUP = 1
OPS = ('write', 'rand', 's3-put', 's3-get')
AWAKE = 6  # runs of one cluster, whose OSDs grow as pools come and go
SIZE = '40G'  # of an OSD: what a round may write has to fit
USUAL = 30  # the length that others are told beside
PROFILE = """\
description: A group beside its like, by the length of trials
rounds: {rounds}
defaults:
  duration: {seconds}
  warmup: {warmup}
workloads:
- {{op: {op}, size: {size}, concurrency: 16}}
"""


class Report(NamedTuple):
    """Keep how well one run knew its ratio, and what that took."""

    op: str
    seconds: float  # of a trial's measured window
    wall: float  # seconds from the first trial to the last one's end
    load: float  # of the machine, when the run ended
    ratio: float
    low: float
    high: float
    verdict: str
    pairs: List[float]  # candidate / baseline, in the order of rounds
    size: str = '64K'
    alone: bool = False  # nothing else was done on the machine


def rounds(op: str, seconds: float, wall: float) -> int:
    """Return how many pairs take ``wall`` seconds, about."""
    beside = BESIDE['s3' if op.startswith('s3') else 'rados']
    return max(6, round(wall / 2 / (seconds + WARMUP + beside)))


def measured(
    cluster: LiveCluster, op: str, seconds: float, options: argparse.Namespace
) -> Report:
    """Return what a run with trials of one length says."""
    number, size = rounds(op, seconds, options.wall), options.size
    text = PROFILE.format(
        rounds=number, seconds=seconds, warmup=WARMUP, op=op, size=size
    )
    words = nights.profile(cluster, f'pairs-{op}-{seconds:g}', text)
    if not op.startswith('s3'):
        words += ['--probe-rate', '0']
    run = rig.execute(cluster, *words)['run']['id']
    found = nights.compared(cluster, run)
    (row,) = found['rows']
    began = [
        dot['started']
        for side in ('baseline', 'candidate')
        for dot in row[side]['dots']
    ]
    estimate = row['estimate']
    return Report(
        op,
        seconds,
        max(began) - min(began) + WARMUP + seconds,
        os.getloadavg()[1],
        estimate['ratio'],
        estimate['low'],
        estimate['high'],
        estimate['verdict_text'],
        [pair['ratio'] for pair in row['pairs']],
        size,
        options.alone,
    )


def cells(options: argparse.Namespace) -> Iterator[Tuple[str, float]]:
    """Yield workloads and lengths, each once before any comes again."""
    draw = random.Random(options.seed)
    each = list(itertools.product(options.ops, options.lengths))
    while True:
        yield from draw.sample(each, len(each))


def reports(options: argparse.Namespace) -> Iterator[Report]:
    """Yield one run after the other until the minutes are used up."""
    until = time.monotonic() + 60 * options.minutes
    drawn = cells(options)
    while time.monotonic() < until:
        with nights.cluster('--osd-size', SIZE, first=False) as cluster:
            for op, seconds in itertools.islice(drawn, AWAKE):
                if time.monotonic() > until:
                    break
                try:
                    yield measured(cluster, op, seconds, options)
                except SystemExit as error:
                    print(f'no report: {error}', flush=True)


def width(report: Report, wall: float) -> float:
    """Return the interval's half-width in logarithms, as of ``wall`` s.

    Runs take not quite as long as each other; widths go with the root.
    """
    half = math.log(report.high / report.low) / 2
    return half * math.sqrt(report.wall / wall)


def lines(found: Sequence[Report]) -> Iterator[str]:
    """Yield what each length came to, beside the usual one."""
    wall = statistics.median(run.wall for run in found)
    parts: Dict[Tuple[str, str, bool, float], List[Report]] = {}
    for report in found:
        cell = (report.op, report.size, report.alone, report.seconds)
        parts.setdefault(cell, []).append(report)
    for (op, size, alone, seconds), runs in sorted(parts.items()):
        what = f'{op} {size} {seconds:g} s' + ', alone' * alone
        widths = [width(run, wall) for run in runs if run.low]
        if not widths:
            yield f'{what}: no interval'
            continue
        spread = [
            statistics.stdev(math.log(pair) for pair in run.pairs)
            for run in runs
        ]
        yield (
            f'{what}: {len(runs)} runs, '
            f'{statistics.median(len(run.pairs) for run in runs):g} pairs in '
            f'{statistics.median(run.wall for run in runs):.0f} s; half-width '
            f'in {wall:.0f} s: '
            + rig.spread([100 * math.expm1(x) for x in widths], '%')
            + f'; of one pair {100 * statistics.median(spread):.1f} %'
            + beside(widths, parts.get((op, size, alone, USUAL), ()), wall)
        )


def beside(
    widths: Sequence[float], usual: Sequence[Report], wall: float
) -> str:
    """Return the median width to that of the usual length."""
    theirs = [width(run, wall) for run in usual if run.low]
    if not theirs:
        return ''
    share = statistics.median(widths) / statistics.median(theirs)
    return f'; {share:.2f} of that of {USUAL} s'


def main() -> None:
    """Execute runs until the minutes are used up, or add up logs."""
    parser = nights.arguments(__doc__, 120.0)
    parser.add_argument('--wall', type=float, default=420.0)
    parser.add_argument('--ops', nargs='+', default=OPS)
    parser.add_argument('--size', default='16K')
    parser.add_argument('--lengths', type=float, nargs='+', default=LENGTHS)
    parser.add_argument('--alone', action='store_true')
    nights.gather(parser.parse_args(), Report, reports, lines)


if __name__ == '__main__':
    main()
