"""Our S3 load generator against a gateway that breaks every rule.

Usage: s3_hostile.py [--seconds 8] [--mode MODE…] [--loop closed open]
                     [--share 1 0.5 0.01] [--jobs 1]

Every mode of tests/fakes/hostile_gateway.py, in closed and open loop,
where all, half or one in a hundred of the requests meet it. Prints a line
for each, ends with 1 where a promise was not held: it ends within its bound,
counts agree with the gateway's own within what was in flight, errors have
true names and few, at most 100 connections/s after failures, flat memory.
"""

from typing import List

import argparse
import concurrent.futures
import pathlib
import sys
import tempfile

import rig  # noqa: F401  (puts our modules on the path)

from perfcompare.tests.data import certificates
from perfcompare.tests.fakes.hostile_gateway import MODES
from perfcompare.tests.fakes.hostile_run import COLUMNS, Cell, measure


def main() -> int:
    """Go through all cells, one after another."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--seconds', type=float, default=8.0)
    parser.add_argument('--jobs', type=int, default=1, help='at a time')
    parser.add_argument('--mode', nargs='+', choices=list(MODES))
    parser.add_argument('--loop', nargs='+', default=['closed', 'open'])
    parser.add_argument(
        '--share', nargs='+', type=float, default=[1.0, 0.5, 0.01]
    )
    args = parser.parse_args()
    broken = 0
    with tempfile.TemporaryDirectory(prefix='pc-hostile-') as name:
        folder = pathlib.Path(name)
        made: List[str] = []
        for who in ('ours', 'stranger'):
            (folder / who).mkdir()
            made += certificates.make(folder / who, 'DNS:localhost')
        print('| ' + ' | '.join(COLUMNS) + ' |')
        print('|---' * len(COLUMNS) + '|')
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for found in pool.map(
                lambda cell: measure(
                    cell,
                    folder / f'{cell.mode}.{cell.loop}.{cell.share:g}',
                    args.seconds,
                    tuple(made),
                ),
                [
                    Cell(mode, loop, share)
                    for mode in args.mode or MODES
                    for loop in args.loop
                    for share in args.share
                ],
            ):
                broken += bool(found.problems)
                print('| ' + ' | '.join(found.row()) + ' |', flush=True)
    print(f'{broken} cells broke a promise')
    return 1 if broken else 0


if __name__ == '__main__':
    sys.exit(main())
