"""Program: enter a host and become another program.

python3 -m managed.enter DIR HOST GROUP -- PROGRAM [ARGUMENT...]
"""

from typing import Sequence

import os
import pathlib
import sys

from cluster import namespaces
from cluster.messages import ClusterError

from .state import HOSTS, Managed

ENVIRONMENT = {
    'PATH': namespaces.PATH,
    'HOME': '/root',
    'LANG': 'C.UTF-8',
    'TERM': os.environ.get('TERM', 'dumb'),
}


def become(cluster: Managed, host: str, argv: Sequence[str]) -> int:
    """Replace this process by one on a host, the first one if not named."""
    process = cluster.first_process(host or HOSTS[0].name)
    words = ['nsenter', '--target', str(process.pid), '--mount', '--uts']
    words += ['--ipc', '--net', '--pid', '--cgroup', '--root', '--wd', '--']
    words += ['setpriv', '--pdeathsig', 'KILL', *argv]
    namespaces.reset_signals()
    os.execvpe(words[0], words, ENVIRONMENT)


def main(args: Sequence[str]) -> int:
    """Run the program."""
    directory, host, _, dashes, *argv = args
    assert dashes == '--' and argv
    try:
        return become(Managed(pathlib.Path(directory)), host, argv)
    except ClusterError as error:
        print('cephadm: %s' % error, file=sys.stderr)
        return 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
