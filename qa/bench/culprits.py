"""How often the OSD or the limit that is at fault is named, and no other.

One group of six native OSDs on two hosts. In turn: one OSD, drawn, may do
half of what mClock lets the others do (reads); one OSD's drive may write half
as often as the others' (writes); the OSDs of one host share a fraction of a
core (writes). Each run goes by the real CLI; what `show --findings` says of it
counts. With `--log`, each run is appended to a file; `--sum` adds files up.
What was found is `results/culprits.jsonl`.

    python3 qa/bench/culprits.py --minutes 120 --log results/culprits.jsonl
"""

from typing import Any, Dict, Iterator, List, NamedTuple, Sequence, Set, Tuple

import argparse
import contextlib
import itertools
import os
import random
import time

import nights
import rig
from control import interval

from integration import holding, mclock
from integration.live import LiveCluster

HOSTS = ('a1', 'a2')
GROUP = 'x86'
CAPACITY = 60  # operations a second of an OSD, or writes of its drive
CORES = 0.08  # of a host without CPU
READS = ('rand', '64K')
WRITES = ('write', '4K')


class Found(NamedTuple):
    """Keep what was at fault in a run, and what was named."""

    scene: str
    fault: str  # CPU, or an OSD
    limit: str
    outliers: Dict[str, float]  # OSD: share of the trials
    load: float  # of the machine, when the run ended


def limited(
    cluster: LiveCluster, load: Tuple[str, str], rounds: int
) -> Dict[str, Any]:
    """Return what `show --findings` says of the only cell of a run."""
    words = ['--group', GROUP, '--profile', 'smoke', '--workload', load[0]]
    words += ['--size', load[1], '--concurrency', '24', '--duration', '4']
    words += ['--rounds', str(rounds), '--probe-rate', '0']
    words += ['--allow-local-client', '--yes-i-really-mean-it']
    run = rig.execute(cluster, *words)['run']['id']
    (cell,) = rig.command(cluster, 'show', run, '--findings')['cells']
    found: Dict[str, Any] = cell['limited']
    return found


def drive(cluster: LiveCluster, osd: int) -> str:
    """Return the block device of an OSD."""
    return os.readlink(str(cluster.dir / 'osd' / str(osd) / 'block'))


def running(cluster: LiveCluster, osds: Sequence[int]) -> List[int]:
    """Return the processes of OSDs."""
    found = [cluster.pid(f'osd.{osd}') for osd in osds]
    return [pid for pid in found if pid is not None]


@contextlib.contextmanager
def at_fault(
    cluster: LiveCluster, scene: str, draw: random.Random
) -> Iterator[str]:
    """Hold the group's OSDs back; yield what is to be named."""
    osds: Dict[str, List[int]] = {
        host['name']: host['osds'] for host in cluster.status()['hosts']
    }
    every = [osd for host in HOSTS for osd in osds[host]]
    slow = draw.choice(every)
    with contextlib.ExitStack() as held:
        if scene == 'reads':
            others = [osd for osd in every if osd != slow]
            held.enter_context(mclock.limited(cluster, others, CAPACITY))
            held.enter_context(mclock.limited(cluster, [slow], CAPACITY // 2))
        elif scene == 'writes':
            for osd in every:
                most = CAPACITY // 2 if osd == slow else CAPACITY
                pids = running(cluster, [osd])
                held.enter_context(
                    holding.device(pids, drive(cluster, osd), most)
                )
        else:
            host = draw.choice(HOSTS)
            pids = running(cluster, osds[host])
            held.enter_context(holding.cpu(pids, CORES))
        yield 'CPU' if scene == 'cpu' else f'osd.{slow}'


def measured(options: argparse.Namespace) -> Iterator[Found]:
    """Yield what was at fault in one run after the other, and what named."""
    draw = random.Random(options.seed)
    until = time.monotonic() + 60 * options.minutes
    wanted = ['--exporters', '--disks', 'loop']
    wanted += ['--hosts', *(f'{host}:{GROUP}:3' for host in HOSTS)]
    with nights.cluster(*wanted, first=False) as cluster:
        for scene in itertools.cycle(options.scenes):
            if time.monotonic() > until:
                return
            load = READS if scene == 'reads' else WRITES
            try:
                with at_fault(cluster, scene, draw) as fault:
                    said = limited(cluster, load, options.rounds)
            except SystemExit as error:
                print(f'no report: {error}', flush=True)
                time.sleep(10)
                continue
            yield Found(
                scene,
                fault,
                said['limit'],
                {
                    f'osd.{one["osd"]}': one['trials'] / said['of']
                    for one in said['outliers']
                },
                os.getloadavg()[1],
            )


def named(run: Found) -> bool:
    """Say whether a run named what was at fault."""
    return run.fault in (run.limit, *mostly(run))


def mostly(run: Found) -> Set[str]:
    """Return the OSDs that stood out in most trials of a run.

    `show` says in how many: one trial may have met other work.
    """
    return {osd for osd, share in run.outliers.items() if share > 0.5}


def lines(found: Sequence[Found]) -> Iterator[str]:
    """Yield, for each scene, how often the culprit was named."""
    for scene in sorted({run.scene for run in found}):
        runs = [run for run in found if run.scene == scene]
        hits = [run for run in runs if named(run)]
        other = [run for run in runs if mostly(run) - {run.fault}]
        once = [run for run in runs if set(run.outliers) - {run.fault}]
        for what, those in (
            ('named', hits),
            ('another OSD in most trials', other),
            ('another OSD in any trial', once),
        ):
            yield (
                f'{scene}: {what} in {len(those)} of {len(runs)} runs '
                f'({interval(len(those), len(runs))})'
            )


def main() -> None:
    """Execute runs until the minutes are used up, or add up logs."""
    parser = nights.arguments(__doc__, 120.0)
    parser.add_argument('--rounds', type=int, default=3)
    parser.add_argument(
        '--scenes', nargs='+', default=['reads', 'writes', 'cpu']
    )
    nights.gather(parser.parse_args(), Found, measured, lines)


if __name__ == '__main__':
    main()
