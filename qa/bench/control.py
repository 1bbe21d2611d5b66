"""How often identical groups get a verdict: false claims of the tool.

Each run compares a group with itself (`--control`), by the full path; rows
are sizes × concurrencies of random reads and writes. Plan 240 rows or more
to show a rate near 5 %.
"""

from typing import Callable, Dict

import argparse
import math
import time

import rig

SIZES = ('4K', '16K', '64K')
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


def main() -> None:
    """Execute control runs until the rows or the minutes are used up."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--rows', type=int, default=240)
    parser.add_argument('--minutes', type=float, default=300.0)
    parser.add_argument('--rounds', default='6')
    options = parser.parse_args()
    until = time.monotonic() + 60 * options.minutes
    verdicts: Dict[str, int] = {}
    claims = rows = reports = false_reports = 0
    with rig.native_cluster() as cluster:
        rig.enable(cluster)
        while rows < options.rows and time.monotonic() < until:
            words = ['x86', '--control', '--rounds', options.rounds]
            words += ['--duration', '3', '--workload', 'rand,write']
            words += ['--size', ','.join(SIZES)]
            words += ['--concurrency', ','.join(CONCURRENCY)]
            run = rig.execute(cluster, *words)['run']['id']
            found = rig.command(
                cluster, 'compare', 'x86', 'x86_control', '--run', run
            )
            hits = 0
            for row in found['rows']:
                text = row['estimate']['verdict_text']
                verdicts[text] = verdicts.get(text, 0) + 1
                hits += text.startswith(('faster', 'slower'))
            rows += len(found['rows'])
            claims += hits
            reports += 1
            false_reports += hits > 0
            print(
                f'{rows} rows, {claims} false verdicts '
                f'({interval(claims, rows)}); {reports} reports, '
                f'{false_reports} with any; {rig.load()}',
                flush=True,
            )
    for text, number in sorted(verdicts.items(), key=lambda v: -v[1]):
        print(f'{number:5} {text}')


if __name__ == '__main__':
    main()
