"""How often the demo's run has a verdict for each of its rows.

On a cluster as `qa/demo` brings one up, emulated arm64 OSDs beside native
ones, its run is made again and again, by the real CLI and in its own words.
Its groups differ severalfold, so a row that is not called `slower` is a plain
difference that was missed; a run that does not complete counts as all of its
rows. With `--log`, each run is appended to a file; `--sum` adds files up.
What was found is `results/demos.jsonl`.

    python3 qa/bench/demos.py --minutes 90 --log results/demos.jsonl
"""

from typing import Dict, Iterator, List, NamedTuple, Sequence, Tuple

import argparse
import os
import re
import statistics
import time

import nights
import rig
from control import interval

from integration.live import LiveCluster
from integration.provision import MIXED

GROUPS = BASELINE, CANDIDATE = 'x86', 'arm'
Judged = Tuple[List[float], int, str]


class Found(NamedTuple):
    """Keep what one run said; a row is [ratio, low, high], blocks, verdict."""

    rows: Dict[str, Judged]
    rule: int
    problem: str  # why it has no rows; '': it has
    seconds: float  # from its start to its end
    load: float  # of the machine, when the run ended


def words() -> List[str]:
    """Return the options of the demo's run."""
    text = (rig.QA / 'demo').read_text(encoding='utf-8')
    (found,) = re.findall(r"^words='(.*)'$", text, re.M)
    return [*found.split(), '--yes-i-really-mean-it']


def judged(cluster: LiveCluster) -> Found:
    """Return what one run of the demo says."""
    began = time.monotonic()
    try:
        run = rig.execute(cluster, *words(), every=10)['run']['id']
    except SystemExit as error:
        took = time.monotonic() - began
        return Found({}, 0, str(error), took, os.getloadavg()[1])
    took = time.monotonic() - began
    said = rig.command(cluster, 'compare', *GROUPS, '--run', run)
    rows: Dict[str, Judged] = {}
    for row in said['rows']:
        one = row['estimate']
        rows[row['workload']] = (
            [one[end] for end in ('ratio', 'low', 'high')],
            row['blocks_complete'],
            one['verdict_text'],
        )
    return Found(rows, said['analysis'], '', took, os.getloadavg()[1])


def measured(options: argparse.Namespace) -> Iterator[Found]:
    """Yield one run after the other until the minutes are used up."""
    until = time.monotonic() + 60 * options.minutes
    with nights.cluster(*MIXED.options, arm=True, first=False) as cluster:
        for group in GROUPS:
            cluster.ceph(
                'perfcompare', 'group', 'set', group, '--device-class', group
            )
        while time.monotonic() < until:
            yield judged(cluster)


def lines(found: Sequence[Found]) -> Iterator[str]:
    """Yield how many rows have their verdict, and after how many blocks."""
    whole = [run for run in found if not run.problem]
    every = max((len(run.rows) for run in whole), default=0)
    rows = [row for run in whole for row in run.rows.values()]
    hits = sum(row[2] == 'slower' for row in rows)
    yield (
        f'{len(found)} runs, {len(found) - len(whole)} not completed: '
        f'{hits} of {every * len(found)} rows say slower '
        f'({interval(hits, every * len(found))})'
    )
    for run in found:
        if run.problem:
            yield f'not completed: {run.problem}'
    for said in sorted({row[2] for row in rows} - {'slower'}):
        yield f'{sum(row[2] == said for row in rows)} rows: {said}'
    if whole:
        blocks = [row[1] for row in rows]
        yield 'blocks of a row: ' + ', '.join(
            f'{blocks.count(n)} of {n}' for n in sorted(set(blocks))
        )
        took = statistics.median(run.seconds for run in whole)
        yield f'a run takes {took:.0f} s (median)'


def main() -> None:
    """Execute runs until the minutes are used up, or add up logs."""
    parser = nights.arguments(__doc__, 90.0)
    nights.gather(parser.parse_args(), Found, measured, lines)


if __name__ == '__main__':
    main()
