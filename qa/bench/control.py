"""How often identical groups get a verdict: false claims of the tool.

Each run compares a group with itself (`--control`), by the full path; rows
are sizes × concurrencies of random reads and writes. Plan 240 rows or more
to show a rate near 5 %. With `--log`, each report is appended to a file, so
that several processes and nights add up; `--sum` only adds them up. `--cores`
holds the OSDs of the cluster, all together, to a share of the machine, so
that clusters side by side do not take it from each other. What was found on
busy machines of two cores is `results/control.jsonl`: 80 rows of 3 s after
2 s of warm-up, then 160 after 1 s, with the OSDs held to 0.3 cores.
"""

from typing import Any, Callable, Dict, Iterator, List, Sequence

import argparse
import contextlib
import json
import math
import pathlib
import time

import rig

from integration import holding

SIZES = ('4K', '16K')
CONCURRENCY = ('1', '4')


def interval(hits: int, rows: int) -> str:
    """Return the exact 95 % interval of a share (Clopper and Pearson)."""

    def tail(p: float, low: int, high: int) -> float:
        return sum(
            math.comb(rows, k) * p**k * (1 - p) ** (rows - k)
            for k in range(low, high + 1)
        )

    def solve(too_small: Callable[[float], bool]) -> float:
        low, high = 0.0, 1.0
        for _ in range(60):
            middle = (low + high) / 2
            low, high = (middle, high) if too_small(middle) else (low, middle)
        return low

    least = 0.0
    if hits:
        least = solve(lambda p: tail(p, hits, rows) < 0.025)
    most = 1.0
    if hits < rows:
        most = solve(lambda p: tail(p, 0, hits) > 0.025)
    return f'{100 * least:.1f} … {100 * most:.1f} %'


def share(rows: Sequence[Any], hits: Sequence[Any]) -> str:
    """Return a share with its exact interval."""
    return (
        f'{len(hits)} of {len(rows)} ({100 * len(hits) / len(rows):.1f} %; '
        f'{interval(len(hits), len(rows))})'
    )


def verdicts(rows: Sequence[Any]) -> Iterator[str]:
    """Yield how many rows have each verdict."""
    for text in sorted({row['verdict'] for row in rows}):
        hits = [row for row in rows if row['verdict'] == text]
        yield f'  {text}: {share(rows, hits)}'


def reports(cluster: Any, rounds: str, until: float) -> Iterator[List[Any]]:
    """Yield the rows of one control run after the other."""
    while time.monotonic() < until:
        words = ['x86', '--control', '--profile', 'smoke']
        words += ['--rounds', rounds]
        words += ['--duration', '3', '--workload', 'rand,write']
        words += ['--size', ','.join(SIZES)]
        words += ['--concurrency', ','.join(CONCURRENCY)]
        try:
            run = rig.execute(cluster, *words)['run']['id']
        except SystemExit as error:
            print(f'no report: {error}', flush=True)
            time.sleep(10)
            continue
        found = rig.command(
            cluster, 'compare', 'x86', 'x86_control', '--run', run
        )
        yield [
            {
                'workload': row['workload'],
                'verdict': row['estimate']['verdict_text'],
                'ratio': row['estimate']['ratio'],
                'low': row['estimate']['low'],
                'high': row['estimate']['high'],
            }
            for row in found['rows']
        ]


def osds(cluster: Any) -> List[int]:
    """Return the processes of all OSDs."""
    daemons = cluster.status()['daemons']
    return [d['pid'] for name, d in daemons.items() if name[:4] == 'osd.']


def summary(found: List[List[Any]]) -> str:
    """Return the share of false claims, over rows and over reports."""
    rows = [row for report in found for row in report]
    false = [claims(report) for report in found]
    missed = [
        r for r in rows if r['low'] and not r['low'] <= 1.0 <= r['high']
    ]
    return (
        f'{len(rows)} rows, {sum(false)} false verdicts '
        f'({interval(sum(false), len(rows))}), {len(missed)} intervals '
        f'without 1 ({interval(len(missed), len(rows))}); {len(found)} '
        f'reports, {sum(f > 0 for f in false)} with a false verdict'
    )


def claims(report: List[Any]) -> int:
    """Count the rows that claim a difference."""
    return sum(r['verdict'].startswith(('faster', 'slower')) for r in report)


def main() -> None:
    """Execute control runs until the rows or the minutes are used up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--rows', type=int, default=240)
    parser.add_argument('--minutes', type=float, default=300.0)
    parser.add_argument('--rounds', default='6')
    parser.add_argument('--cores', type=float, default=0.0)
    parser.add_argument('--log', type=pathlib.Path)
    parser.add_argument('--sum', nargs='+', type=pathlib.Path)
    options = parser.parse_args()
    if options.sum:
        found = [
            json.loads(line)
            for path in options.sum
            for line in path.read_text().splitlines()
        ]
    else:
        found = measure(options)
    verdicts: Dict[str, int] = {}
    for row in (row for report in found for row in report):
        verdicts[row['verdict']] = verdicts.get(row['verdict'], 0) + 1
    for text, number in sorted(verdicts.items(), key=lambda v: -v[1]):
        print(f'{number:5} {text}')
    print(summary(found))


def measure(options: argparse.Namespace) -> List[List[Any]]:
    """Return the reports of runs on a cluster of our own."""
    found: List[List[Any]] = []
    until = time.monotonic() + 60 * options.minutes
    with contextlib.ExitStack() as stack:
        cluster = stack.enter_context(rig.native_cluster())
        rig.enable(cluster)
        if options.cores:
            stack.enter_context(holding.cpu(osds(cluster), options.cores))
        for report in reports(cluster, options.rounds, until):
            found.append(report)
            if options.log:
                with options.log.open('a') as log:
                    log.write(json.dumps(report) + '\n')
            print(f'{summary(found)}; {rig.load()}', flush=True)
            if sum(len(r) for r in found) >= options.rows:
                break
    return found


if __name__ == '__main__':
    main()
