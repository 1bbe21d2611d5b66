"""Our S3 load generator beside that of another commit, in turn, on a sink.

Usage: s3_before.py COMMIT [--op get put mixed] [--pairs 10] …

Says what changes since then cost a load that uses none of them: the ratio
of CPU per operation, now to then, with its interval. Needs nginx.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import inside
import rig
from s3_peers import MIXES, Cell, Figures, Target
from s3_vs_warp import sink, title_of

from perfcompare.common.units import parse_size

BENCH = pathlib.Path(__file__).resolve().parent
# has each commit's own sources measure themselves, in a process apart
ONE = '''
import json, sys
sys.path.insert(0, sys.argv[1])
import s3_peers
target, cell, seconds, python = json.loads(sys.argv[2])
print(json.dumps(s3_peers.ours(
    s3_peers.Target(*target), s3_peers.Cell(*cell), seconds, python
)))
'''


def unpacked(commit: str, folder: str) -> pathlib.Path:
    """Return the benchmarks of a commit, unpacked into a folder."""
    archive = subprocess.run(
        ['git', 'archive', commit],
        cwd=BENCH.parents[1],
        capture_output=True,
        check=False,
    )
    if archive.returncode:
        raise SystemExit(archive.stderr.decode().strip())
    subprocess.run(
        ['tar', '-x', '-C', folder], input=archive.stdout, check=True
    )
    return pathlib.Path(folder) / 'qa' / 'bench'


def measured(
    bench: pathlib.Path,
    target: Target,
    cell: Cell,
    seconds: float,
    python: str,
) -> Figures:
    """Measure the generator that belongs to some benchmarks."""
    where = (target.host, target.port, target.tls, target.access)
    rest = (target.secret, target.ca_file, target.filled)
    words = json.dumps([(*where, *rest), cell, seconds, python])
    done = subprocess.run(
        [sys.executable, '-c', ONE, str(bench), words],
        capture_output=True,
        check=False,
        text=True,
    )
    if done.returncode:
        raise SystemExit(done.stderr.strip())
    return Figures(*json.loads(done.stdout.splitlines()[-1]))


def main() -> None:
    """Measure each cell in pairs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('commit')
    parser.add_argument('--op', nargs='+', default=list(MIXES))
    parser.add_argument('--size', nargs='+', default=['4K'])
    parser.add_argument('--concurrency', type=int, default=16)
    parser.add_argument('--pairs', type=int, default=10)
    parser.add_argument('--seconds', type=float, default=4.0)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(dir='/var/tmp') as folder:
        then = unpacked(args.commit, folder)
        python = inside.python(folder)
        for size in map(parse_size, args.size):
            with sink(size, False) as target:
                for op in args.op:
                    cell = Cell(op, size, args.concurrency)
                    found = []
                    for i in range(args.pairs):
                        both = {}
                        for bench in (BENCH, then)[:: -1 if i % 2 else 1]:
                            both[bench] = measured(
                                bench, target, cell, args.seconds, python
                            )
                        found.append((both[BENCH].cpu, both[then].cpu))
                    print(f'{title_of(cell, False)}   ({rig.load()})')
                    for i, name in enumerate(('now ', 'then')):
                        values = [1000 * pair[i] for pair in found]
                        print(f'  {name}  {rig.spread(values, "us")}')
                    print(f'  now/then  {rig.ratio(found)}', flush=True)


if __name__ == '__main__':
    main()
