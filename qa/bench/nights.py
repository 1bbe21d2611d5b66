"""What benchmarks of many runs share: a cluster, a run, logs that add up.

Several processes, each with its log, go side by side; their logs are read
together.
"""

from typing import (
    Any,
    Callable,
    Dict,
    Iterable,
    Iterator,
    List,
    Sequence,
    TypeVar,
)

import argparse
import contextlib
import json
import pathlib
import tempfile
import time

import rig
from control import osds as processes
from scale.machine import prefer

from integration.live import LiveCluster

GROUPS = BASELINE, CANDIDATE = 'x86', 'alt'
Kept = TypeVar('Kept', bound=Any)  # a NamedTuple


@contextlib.contextmanager
def cluster(
    *options: str, arm: bool = False, first: bool = True
) -> Iterator[LiveCluster]:
    """Bring a cluster with the module up, and down at the end.

    It has emulated OSDs or none. Its OSDs come before other work of the
    machine, or they do not.
    """
    with tempfile.TemporaryDirectory(prefix='pc-', dir='/var/tmp') as folder:
        place = pathlib.Path(folder) / 'cluster'
        with LiveCluster(place, arm=arm, options=list(options)) as live:
            rig.enable(live)
            for pid in processes(live) if first else ():
                prefer(pid)
            yield live


def osds(live: LiveCluster, group: str) -> List[int]:
    """Return the OSDs of a device class."""
    found: List[int] = live.ceph('osd', 'crush', 'class', 'ls-osd', group)
    return found


def profile(live: LiveCluster, name: str, text: str) -> List[str]:
    """Return the words of a run that compares both groups by a profile."""
    file = live.dir / 'tmp' / f'{name}.yaml'
    file.write_text(text)
    live.ceph('perfcompare', 'profile', 'set', name, '-i', str(file), fmt='')
    return [
        '--group', f'{BASELINE},{CANDIDATE}', '--profile', name,
        '--allow-local-client', '--yes-i-really-mean-it',
    ]  # fmt: skip


def compared(live: LiveCluster, run: str) -> Dict[str, Any]:
    """Return what `compare` says of a run of both groups."""
    found: Dict[str, Any] = rig.command(
        live, 'compare', BASELINE, CANDIDATE, '--run', run
    )
    return found


def arguments(description: str, minutes: float) -> argparse.ArgumentParser:
    """Return a parser of the options that all of them have."""
    parser = argparse.ArgumentParser(description=description.split('\n')[0])
    parser.add_argument('--minutes', type=float, default=minutes)
    parser.add_argument('--seed', type=int, default=time.time_ns())
    parser.add_argument('--log', type=pathlib.Path)
    parser.add_argument('--sum', nargs='+', type=pathlib.Path)
    return parser


def gather(
    options: argparse.Namespace,
    kind: Callable[..., Kept],
    measured: Callable[[argparse.Namespace], Iterator[Kept]],
    lines: Callable[[Sequence[Kept]], Iterable[str]],
) -> None:
    """Measure until the minutes are used up, or only add up logs."""
    found: List[Kept] = [
        kind(**json.loads(line))
        for path in options.sum or ()
        for line in path.read_text().splitlines()
    ]
    if options.sum:
        print('\n'.join(lines(found)))
        return
    for report in measured(options):
        found.append(report)
        if options.log:
            with options.log.open('a') as log:
                log.write(json.dumps(report._asdict()) + '\n')
        print('\n'.join(lines(found)), rig.load(), sep='\n', flush=True)
