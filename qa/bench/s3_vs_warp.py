"""Our S3 load generator beside MinIO's warp, in turn, on one server.

Usage: s3_vs_warp.py [--warp PROGRAM] [--on sink|rgw] [--pairs 6] …
       s3_vs_warp.py --table FILE…   of what --save FILE kept

Against the sink the client is what is measured; against a gateway of the
mini cluster both share the machine with it, so that a lighter client shows
as throughput. Within a pair the order is turned from pair to pair. Aims:
warp's CPU per operation at least 3 times ours for small objects, 1.5 times
at 4 MiB plain, 1 at 4 MiB with TLS; throughput: the interval of the ratio
is not below 1.
"""

from typing import Callable, Iterator, List, Optional, Tuple

import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import statistics
import subprocess

import rig
import s3_sink
from s3_peers import MIXES, Cell, Figures, Target, ours, warp

from perfcompare.common.units import format_size, parse_size

COLUMNS: Tuple[Tuple[str, str, Callable[[Figures], float]], ...] = (
    ('CPU per 1,000 operations', 's', lambda f: f.cpu),
    ('throughput', 'op/s', lambda f: f.ops_per_s),
)


@contextlib.contextmanager
def sink(size: int, tls: bool) -> Iterator[Target]:
    """Have a sink for objects of one size."""
    with s3_sink.Sink(size) as server:
        yield Target(
            '127.0.0.1',
            server.tls if tls else server.plain,
            tls,
            ca_file=str(server.folder / 'cert.pem') if tls else '',
            filled=True,
        )


@contextlib.contextmanager
def gateway() -> Iterator[Target]:
    """Have a radosgw of a mini cluster."""
    with rig.native_cluster() as cluster:
        started = subprocess.run(
            [rig.QA / 'minicluster', '--dir', cluster.dir, 'rgw', 'start'],
            capture_output=True,
            check=True,
            text=True,
        )
        url = re.findall(r'http://\S+', started.stdout)[-1]
        done = cluster.exec(
            ['radosgw-admin', 'user', 'create', '--uid', 'bench',
             '--display-name', 'bench']
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(done.stderr)
        keys = json.loads(done.stdout)['keys'][0]
        host, _, port = url.split('/')[2].rpartition(':')
        yield Target(
            host,
            int(port),
            access=keys['access_key'],
            secret=keys['secret_key'],
        )


def pairs(
    target: Target,
    cell: Cell,
    count: int,
    seconds: float,
    program: str,
    python: Optional[str],
    full: bool,
) -> List[Tuple[Figures, Figures]]:
    """Return (ours, warp) measured in turn."""
    found = []
    for i in range(count):
        if i % 2:
            peer = warp(target, cell, seconds, program, full)
            found.append((ours(target, cell, seconds, python), peer))
        else:
            mine = ours(target, cell, seconds, python)
            peer = warp(target, cell, seconds, program, full)
            found.append((mine, peer))
    return found


def title_of(cell: Cell, tls: bool) -> str:
    """Return what a cell is called."""
    name = f'{cell.op} {format_size(cell.size)} c{cell.concurrency}'
    return name + (' TLS' if tls else '')


def report(title: str, found: List[Tuple[Figures, Figures]]) -> None:
    """Print one cell."""
    print(f'{title}   ({rig.load()})')
    for title, unit, read in COLUMNS:
        print(f'  {title}')
        for i, who in enumerate(('ours', 'warp')):
            print(
                f'    {who}  {rig.spread([read(p[i]) for p in found], unit)}'
            )
        if title == 'throughput':
            ratios = rig.ratio([(read(a), read(b)) for a, b in found])
            print(f'    ours/warp  {ratios}')
        else:
            ratios = rig.ratio([(read(b), read(a)) for a, b in found])
            print(f'    warp/ours  {ratios}')
    errors = [sum(p[i].errors for p in found) for i in (0, 1)]
    print(f'  errors: ours {errors[0]}, warp {errors[1]}', flush=True)


def save(
    path: str, on: str, title: str, found: List[Tuple[Figures, Figures]]
) -> None:
    """Add one cell to a file, a line of JSON each."""
    row = {'on': on, 'cell': title, 'load': os.getloadavg()[0]}
    with open(path, 'a', encoding='utf-8') as file:
        file.write(json.dumps({**row, 'pairs': found}) + '\n')


def table(paths: List[str]) -> None:
    """Print the cells of files as a table."""
    print(
        '| on | cell | CPU s per 1,000 ops: ours | warp | warp/ours '
        '| op/s: ours | warp | ours/warp | load |\n' + '|---' * 9 + '|'
    )
    for path in paths:
        for line in pathlib.Path(path).read_text('utf-8').splitlines():
            row = json.loads(line)
            found = [[Figures(*f) for f in pair] for pair in row['pairs']]
            cpu = [statistics.median(p[i].cpu for p in found) for i in (0, 1)]
            ops = [
                statistics.median(p[i].ops_per_s for p in found)
                for i in (0, 1)
            ]
            cheaper = rig.ratio([(b.cpu, a.cpu) for a, b in found])
            faster = rig.ratio([(a.ops_per_s, b.ops_per_s) for a, b in found])
            print(
                f'| {row["on"]} | {row["cell"]} | {cpu[0]:.4f} '
                f'| {cpu[1]:.4f} | {cheaper} | {ops[0]:,.0f} '
                f'| {ops[1]:,.0f} | {faster} | {row["load"]:.0f} |'
            )


def main() -> None:
    """Measure every cell that was asked for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--warp', default='warp')
    parser.add_argument(
        '--python',
        metavar='PROGRAM',
        help='what runs our worker; default: the Python of Ceph Tentacle',
    )
    parser.add_argument(
        '--full',
        action='store_true',
        help='have warp 1.1 and later keep every request',
    )
    parser.add_argument('--on', choices=('sink', 'rgw'), default='sink')
    parser.add_argument('--op', nargs='+', default=list(MIXES))
    parser.add_argument('--size', nargs='+', default=['4K', '64K', '4M'])
    parser.add_argument(
        '--concurrency', nargs='+', type=int, default=[16, 64, 250]
    )
    parser.add_argument('--tls', choices=('no', 'yes', 'both'), default='no')
    parser.add_argument('--pairs', type=int, default=6)
    parser.add_argument('--seconds', type=float, default=5.0)
    parser.add_argument('--save', metavar='FILE')
    parser.add_argument('--table', metavar='FILE', nargs='+')
    args = parser.parse_args()
    if args.table:
        table(args.table)
        return
    program = shutil.which(args.warp)
    if program is None:
        raise SystemExit(f'needs {args.warp} of MinIO; name it with --warp')
    if args.on == 'rgw' and args.tls != 'no':
        raise SystemExit('TLS is measured on the sink')
    ways = {'no': [False], 'yes': [True], 'both': [False, True]}[args.tls]
    with contextlib.ExitStack() as stack:
        if args.on == 'rgw':
            server = stack.enter_context(gateway())
        for size in map(parse_size, args.size):
            for tls in ways:
                with contextlib.ExitStack() as each:
                    target = (
                        server
                        if args.on == 'rgw'
                        else each.enter_context(sink(size, tls))
                    )
                    for op in args.op:
                        for concurrency in args.concurrency:
                            cell = Cell(op, size, concurrency)
                            found = pairs(
                                target,
                                cell,
                                args.pairs,
                                args.seconds,
                                program,
                                args.python,
                                args.full,
                            )
                            title = title_of(cell, tls)
                            if args.full:
                                title += ' --full'
                            report(title, found)
                            if args.save:
                                save(args.save, args.on, title, found)


if __name__ == '__main__':
    main()
