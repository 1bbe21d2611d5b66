"""Whether curves of groups with a known ratio are judged so.

mClock holds two native groups to known capacities, see `truth.py`. Each run
measures the curve of random reads of RBD images by the full path, and is
judged by throughput at a limit of latency that lies where both groups do all
they may, so that its true ratio is that of the capacities, as that of the
peak is. `--ratio 1` shows
how often nothing is called a difference. With `--log`, each report is
appended to a file.

    python3 qa/bench/curve_truth.py --ratio 0.8 --runs 1
"""

from typing import Any, Dict

import argparse
import contextlib
import json
import os
import pathlib

import nights
import rig
from nights import BASELINE, CANDIDATE, osds

from integration import mclock
from integration.live import LiveCluster

CAPACITY = 150  # operations a second of an OSD of the baseline
SLO = 'p95=70ms'
PROFILE = """\
description: Curves of groups held to known capacities
rounds: {rounds}
workloads:
- {{op: {op}, size: 4K, concurrency: 4, duration: {seconds}, warmup: 1}}
"""


def measured(
    cluster: LiveCluster, options: argparse.Namespace
) -> Dict[str, Any]:
    """Return what one run says of the curve."""
    text = PROFILE.format(
        op=options.op, rounds=options.rounds, seconds=options.seconds
    )
    words = nights.profile(cluster, 'curve', text)
    words += ['--curve', options.curve, '--slo', SLO]
    with contextlib.ExitStack() as held:
        for group, speed in ((BASELINE, 1.0), (CANDIDATE, options.ratio)):
            limit = round(CAPACITY * speed)
            held.enter_context(
                mclock.limited(cluster, osds(cluster, group), limit)
            )
        run = rig.execute(cluster, *words)['run']['id']
    words = ['compare', BASELINE, CANDIDATE, '--run', run]
    print(cluster.ceph('perfcompare', *words, fmt=''), flush=True)
    found = nights.compared(cluster, run)
    (curve,) = found['curves']
    return {
        'true': options.ratio,
        'op': options.op,
        'rounds': options.rounds,
        'load': os.getloadavg()[1],
        'estimate': {
            key: curve['estimate'][key]
            for key in ('ratio', 'low', 'high', 'verdict_text')
        },
        'peak': {key: curve['peak'][key] for key in ('ratio', 'low', 'high')},
        'figures': [
            curve[side]['figure']['median']
            for side in ('baseline', 'candidate')
        ],
        'rule': found['analysis'],
    }


def main() -> None:
    """Execute the runs that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--ratio', type=float, default=0.8)
    parser.add_argument('--runs', type=int, default=1)
    parser.add_argument('--rounds', type=int, default=7)
    parser.add_argument('--seconds', type=float, default=4.0)
    parser.add_argument('--op', default='rbd-randread')
    parser.add_argument('--curve', default='1,2,4,8,16,32')
    parser.add_argument('--log', type=pathlib.Path)
    options = parser.parse_args()
    with nights.cluster() as cluster:
        for _ in range(options.runs):
            line = json.dumps(measured(cluster, options))
            print(line, rig.load(), sep='\n', flush=True)
            if options.log:
                with options.log.open('a') as log:
                    log.write(line + '\n')


if __name__ == '__main__':
    main()
