"""Whether a delay that is known is found in latencies at equal rates.

The OSDs of two native groups hold each message of a client for a time that
is drawn evenly from zero to a most, so half of it in the mean; the most of
the candidate is a known multiple of the baseline's. That is nearly all of what
an operation takes. Operations come one by one at a rate that is the same for
both: those on S3, or the probe's beside a RADOS load, of which the probe may
be but a small share. What `compare` says of latencies counts. With `--log`,
each report is appended to a file; `--sum` adds files up. What was found is
`results/delays.jsonl`.

    python3 qa/bench/delays.py --minutes 60 --log qa/bench/results/delays.jsonl
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
from control import verdicts
from nights import BASELINE, CANDIDATE, osds

from integration.live import LiveCluster

# seconds that an OSD of the baseline holds a message at most
MOST = {'s3': 0.16, 'rados': 0.16}
FACTORS = (1.0, 1.25, 1.5)
OPTION = 'ms_inject_delay_{}'
HEAD = """\
description: Groups whose OSDs hold messages for known times
rounds: {rounds}
defaults:
  duration: {seconds}
  warmup: 1
workloads:
"""
LOADS = {
    's3': """\
- {op: [s3-put, s3-get], size: 4K, concurrency: 32, rate: 40}
""",
    'rados': """\
- {op: [write, rand], size: 4K, concurrency: 64}
""",
}
Row = Dict[str, Any]


class Report(NamedTuple):
    """Keep what one run said of latencies of groups that are held."""

    factor: float  # of the candidate's delay to the baseline's
    driver: str
    rounds: int
    seconds: float  # of a trial's measured window
    load: float  # of the machine, when the run ended
    rows: List[Row]


@contextlib.contextmanager
def held(cluster: LiveCluster, group: str, most: float) -> Iterator[None]:
    """Have a group's OSDs hold messages of clients that connect from now."""
    told = {'type': 'client', 'max': f'{most:g}', 'probability': '1.0'}
    try:
        for osd in osds(cluster, group):
            for name, value in told.items():
                cluster.ceph(
                    'config', 'set', f'osd.{osd}', OPTION.format(name), value,
                    fmt='',
                )  # fmt: skip
        yield
    finally:
        for osd in osds(cluster, group):
            for name in told:
                cluster.ceph(
                    'config', 'rm', f'osd.{osd}', OPTION.format(name), fmt=''
                )


def measured(
    cluster: LiveCluster, factor: float, options: argparse.Namespace
) -> Report:
    """Return what a run says of a candidate that is held ``factor`` times."""
    head = HEAD.format(rounds=options.rounds, seconds=options.seconds)
    words = nights.profile(cluster, 'delays', head + LOADS[options.load])
    most = MOST[options.load]
    with (
        held(cluster, BASELINE, most),
        held(cluster, CANDIDATE, most * factor),
    ):
        run = rig.execute(cluster, *words)['run']['id']
    rows = [
        {
            'workload': row['workload'],
            'metric': metric['id'],
            'verdict': metric['estimate']['verdict_text'],
            'ratio': metric['estimate']['ratio'],
            'low': metric['estimate']['low'],
            'high': metric['estimate']['high'],
            'baseline': metric['baseline']['median'],
        }
        for row in nights.compared(cluster, run)['rows']
        for metric in row['metrics']
        if metric['kind'] == 'latency'
    ]
    return Report(
        factor,
        options.load,
        options.rounds,
        options.seconds,
        os.getloadavg()[1],
        rows,
    )


def reports(options: argparse.Namespace) -> Iterator[Report]:
    """Yield one run after the other, of factors in an order that is drawn."""
    draw = random.Random(options.seed)
    until = time.monotonic() + 60 * options.minutes
    left: List[float] = []
    while time.monotonic() < until:
        left = left or draw.sample(options.factors, len(options.factors))
        with nights.cluster() as cluster:
            try:
                yield measured(cluster, left.pop(), options)
            except SystemExit as error:
                print(f'no report: {error}', flush=True)


def lines(found: Sequence[Report]) -> Iterator[str]:
    """Yield, for each factor and metric, what was said."""
    parts: Dict[Tuple[float, str, str], List[Row]] = {}
    for report in found:
        for row in report.rows:
            size = row['workload'].index('K-c')
            op = row['workload'][:size].rpartition('-')[0]
            key = (report.factor, op, row['metric'])
            parts.setdefault(key, []).append(row)
    for (factor, op, metric), rows in sorted(parts.items()):
        timed = [r for r in rows if r['low']]
        what = f'{factor:g} times, {op} {metric}'
        if not timed:
            yield f'{what}: {len(rows)} rows, none with an interval'
            continue
        half = [math.log(r['high'] / r['low']) / 2 for r in timed]
        yield (
            f'{what}: {len(timed)} rows, '
            + rig.spread([r['ratio'] for r in timed], 'times')
            + f', half-width {100 * math.expm1(statistics.median(half)):.1f}'
            + ' %, baseline '
            + rig.spread([1e3 * r['baseline'] for r in timed], 'ms')
        )
        yield from verdicts(timed)


def main() -> None:
    """Execute runs until the minutes are used up, or add up logs."""
    parser = nights.arguments(__doc__, 60.0)
    parser.add_argument('--load', choices=sorted(LOADS), default='s3')
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument('--seconds', type=float, default=8.0)
    parser.add_argument('--factors', type=float, nargs='+', default=FACTORS)
    nights.gather(parser.parse_args(), Report, reports, lines)


if __name__ == '__main__':
    main()
