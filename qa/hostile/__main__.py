"""Throw bad input at the module in a real ceph-mgr (root, x86-64).

python3 qa/hostile [--count N] [--minutes N] [--seed N]
"""

import argparse
import pathlib
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from hostile.storm import Storm  # noqa: E402
from integration.live import LiveCluster  # noqa: E402


def main() -> int:
    """Bring a cluster up unless one is given, and print what became of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--count', type=int, default=10_000)
    parser.add_argument('--seed', type=int, default=1)
    parser.add_argument(
        '--minutes', type=float, default=120.0, help='at most'
    )
    parser.add_argument(
        '--patience', type=float, default=5.0, help='seconds for an answer'
    )
    parser.add_argument(
        '--dir', help='folder of a cluster that is up, with a dashboard'
    )
    args = parser.parse_args()
    if args.dir:
        return _throw(LiveCluster(args.dir), args)
    folder = tempfile.mkdtemp(prefix='pc-hostile.', dir='/var/tmp')
    cluster = LiveCluster(
        folder + '/cluster', arm=False, options=['--dashboard']
    )
    try:
        cluster.up()
        # else the mgr keeps 10,000 entries of its log, each bad command in one
        cluster.ceph('config', 'set', 'mgr', 'log_max_recent', '500', fmt='')
        cluster.ceph('mgr', 'module', 'enable', 'perfcompare', fmt='')
        return _throw(cluster, args)
    finally:
        cluster.down()
        pathlib.Path(folder).rmdir()


def _throw(cluster: LiveCluster, args: argparse.Namespace) -> int:
    storm = Storm(cluster, args.patience)
    report = storm.run(args.count, args.seed, args.minutes * 60.0)
    print(report.text())
    return 0 if report.clean else 1


sys.exit(main())
