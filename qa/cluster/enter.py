"""Program: enter the cluster and become another program, same pid.

python3 -m cluster.enter DIR HOST GROUP -- PROGRAM [ARGUMENT...]
"""

from typing import Sequence

import os
import pathlib
import sys

from . import namespaces
from .messages import ClusterError
from .state import Cluster


def become(
    cluster: Cluster, host: str, argv: Sequence[str], group: str = ''
) -> int:
    """Replace this process; return an exit code only when that fails."""
    environment = namespaces.clean_environment(cluster)
    here = os.getcwd()
    namespaces.enter(cluster, host, group)
    # Files of the caller are visible in these folders only.
    if here.startswith(('/tmp/', str(cluster.dir))):
        try:
            os.chdir(here)
        except OSError:
            pass
    namespaces.reset_signals()
    try:
        os.execvpe(argv[0], list(argv), environment)
    except OSError as error:
        reason = error.strerror
        print('minicluster: %s: %s' % (argv[0], reason), file=sys.stderr)
    return 127


def main(args: Sequence[str]) -> int:
    """Run the program."""
    directory, host, group, dashes, *argv = args
    assert dashes == '--' and argv
    try:
        return become(Cluster(pathlib.Path(directory)), host, argv, group)
    except ClusterError as error:
        print('minicluster: %s' % error, file=sys.stderr)
        return 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
