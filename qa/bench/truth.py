"""Whether a difference that is known is found, and none where none is.

mClock holds the clients of two native groups to capacities that are known, so
that the true ratio of what they do is known, too, whatever else the machine
does. That needs four things. An operation of up to 512 KiB costs what one of
4 KiB costs, so sizes here are below it. Capacities are low and OSDs come
before other work, so that a busy machine can hold them: rows say what both
groups did of what they were held to. As many operations are in flight that no
OSD is ever without one: with 16 for two OSDs the faster group did 96 % and the
slower one 98 % of it, so the true ratio was another. There is no latency
probe: as many operations of both groups would be its, and change the ratio.
An operation on S3 is several of an OSD, and nobody says on which of two they
fall: the true ratio of S3 rows is known to a few percent only.
OSDs grow by several hundred MiB an hour where pools come and go, so each run
has a cluster of its own: eight of them side by side once filled 24 GiB.
Each run compares both groups by the full path; its ratio is drawn. With
`--log`, each report is appended to a file, so that several processes and
nights add up; `--sum` only adds them up. What was found is
`results/truth.jsonl`.

    python3 qa/bench/truth.py --minutes 240 --log qa/bench/results/truth.jsonl
"""

from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Tuple

import argparse
import contextlib
import math
import os
import random
import statistics
import time

import nights
import rig
from control import share, verdicts
from nights import BASELINE, CANDIDATE, osds

from integration import mclock
from integration.live import LiveCluster

SIDES = 'baseline', 'candidate'
# operations a second of an OSD of the baseline
CAPACITIES = {'rados': 100, 'rbd': 100, 's3': 100}
EACH = {'s3-put': 3}  # operations of OSDs that one is; the others are one
HELD = 0.9  # of it that both groups must do, or the truth is not known
OSDS = 2  # of each group
COUNTS = 9  # since this version of the rule intervals know what was counted
RATIOS = (1.0, 0.97, 0.95, 0.9, 0.8, 0.5)
HEAD = """\
description: Groups held to known capacities
rounds: {rounds}
defaults:
  duration: {seconds}
  warmup: 1
workloads:
"""
# all of them move at most 64 KiB at a time
LOADS = {
    'rados': """\
- {op: write, size: [4K, 16K, 64K], concurrency: [64]}
- {op: rand, size: [16K, 64K], concurrency: [64, 128]}
""",
    'rbd': """\
- {op: [rbd-randwrite, rbd-randread], size: [4K, 16K, 64K], concurrency: [64],
   images: 1, image_size: 64M, rbd_object_size: 64K, cache: device}
""",
    's3': """\
- {op: [s3-put, s3-get], size: [4K, 16K, 64K], concurrency: [64]}
""",
}
Row = Dict[str, Any]


class Report(NamedTuple):
    """Keep what one run said of rows whose true ratio is known."""

    true: float  # candidate / baseline
    rounds: int
    seconds: float  # of a trial's measured window
    load: float  # of the machine, when the run ended
    rows: List[Row]
    driver: str = 'rados'
    rule: int = 8  # version; reports before the ninth do not say


def measured(
    cluster: LiveCluster, true: float, options: argparse.Namespace
) -> Report:
    """Return what a run says of groups whose ratio is ``true``."""
    rounds, seconds, load = options.rounds, options.seconds, options.load
    most = CAPACITIES[load]
    head = HEAD.format(rounds=rounds, seconds=seconds)
    words = nights.profile(cluster, f'truth-{load}', head + LOADS[load])
    if load == 'rados':
        words += ['--probe-rate', '0']
    with contextlib.ExitStack() as held:
        for group, capacity in ((BASELINE, 1.0), (CANDIDATE, true)):
            limit = round(most * capacity)
            held.enter_context(
                mclock.limited(cluster, osds(cluster, group), limit)
            )
        run = rig.execute(cluster, *words)['run']['id']
    found = nights.compared(cluster, run)
    limits = asked(load, true)
    rows = [
        {
            'workload': row['workload'],
            'verdict': row['estimate']['verdict_text'],
            'ratio': row['estimate']['ratio'],
            'low': row['estimate']['low'],
            'high': row['estimate']['high'],
            'held': [
                row[side]['ops_per_s']['median'] * each(row) / limit
                for side, limit in zip(SIDES, limits)
            ],
        }
        for row in found['rows']
    ]
    busy = os.getloadavg()[1]
    rule = found['analysis']
    return Report(true, rounds, seconds, busy, rows, load, rule)


def asked(load: str, true: float) -> List[int]:
    """Return what the OSDs of both groups are held to, a second."""
    return [round(CAPACITIES[load] * share) * OSDS for share in (1.0, true)]


def interval(report: Report, row: Row) -> Tuple[float, float]:
    """Return a row's interval as the rule of today has it.

    Rows that were judged by the spread of their blocks alone are told what
    their trials counted: what they were held to, as far as they did it.
    """
    if report.rule >= COUNTS:
        return row['low'], row['high']
    counts = [
        held * limit * report.seconds / each(row)
        for held, limit in zip(row['held'], asked(report.driver, report.true))
    ]
    off = math.exp(math.hypot(*(1.0 / count for count in counts)))
    return row['low'] / off, row['high'] * off


def each(row: Row) -> int:
    """Return how many operations of OSDs one of a row is."""
    op = '-'.join(row['workload'].split('-')[:2])
    return EACH.get(op, 1)


def reports(options: argparse.Namespace) -> Iterator[Report]:
    """Yield one run after the other, of ratios in an order that is drawn."""
    draw = random.Random(options.seed)
    until = time.monotonic() + 60 * options.minutes
    left: List[float] = []
    while time.monotonic() < until:
        left = left or draw.sample(options.ratios, len(options.ratios))
        with nights.cluster() as cluster:
            try:
                yield measured(cluster, left.pop(), options)
            except SystemExit as error:
                print(f'no report: {error}', flush=True)


def held(row: Row) -> bool:
    """Say whether both groups did what they were held to.

    Where the machine lets them do less, nobody knows the true ratio. Looks
    at rates alone, not at what was concluded from them.
    """
    return bool(
        min(row.get('held', (0.0,))) >= HELD
    )  # former rows do not say


def lines(found: Sequence[Report]) -> Iterator[str]:
    """Yield, for each true ratio and number of rounds, what was said."""
    parts: Dict[Tuple[str, float, int], List[Row]] = {}
    for report in found:
        rows = parts.setdefault(
            (report.driver, report.true, report.rounds), []
        )
        for row in report.rows:
            ends: Tuple[float, ...] = ()
            if row['low'] and held(row):
                ends = interval(report, row)
            rows.append({**row, 'ends': ends})
    for (driver, true, rounds), rows in sorted(parts.items(), reverse=True):
        what = f'{driver}, true ratio {true:g}, {rounds} rounds'
        yield f'{what}: {len(rows)} rows'
        timed = [r for r in rows if r['ends']]
        known = [r for r in rows if held(r)]
        yield f'  both groups held: {share(rows, known)}'
        if not timed:
            yield '  no such row has an interval'
            continue
        covered = [r for r in timed if r['ends'][0] <= true <= r['ends'][1]]
        yield f'  interval holds the truth: {share(timed, covered)}'
        logs = [math.log(r['ratio'] / true) for r in timed]
        error = 0.0
        if len(logs) > 1:
            error = statistics.stdev(logs) / math.sqrt(len(logs))
        mean = statistics.fmean(logs)
        yield (
            f'  estimate / truth: {math.exp(mean):.4f} '
            f'[{math.exp(mean - 1.96 * error):.4f}, '
            f'{math.exp(mean + 1.96 * error):.4f}]'
        )
        half = [
            (b - a) / 2 / r['ratio'] for r in timed for a, b in [r['ends']]
        ]
        yield f'  half-width: median {100 * statistics.median(half):.1f} %'
        yield from verdicts(timed)


def main() -> None:
    """Execute runs until the minutes are used up, or add up logs."""
    parser = nights.arguments(__doc__, 240.0)
    parser.add_argument('--load', choices=sorted(LOADS), default='rados')
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument('--seconds', type=float, default=5.0)
    parser.add_argument('--ratios', type=float, nargs='+', default=RATIOS)
    nights.gather(parser.parse_args(), Report, reports, lines)


if __name__ == '__main__':
    main()
