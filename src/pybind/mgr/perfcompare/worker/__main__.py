"""Start a worker: `python3 -E -s -B -m worker`, commands on stdin.

`python3 -m worker agent` is the agent of a load host, which leads workers.
"""

import os
import sys

# The folder of this package holds the manager's modules as well; none of
# them may hide a module of the standard library or of numpy.
_PARENT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path[:] = [p for p in sys.path if p and os.path.abspath(p) != _PARENT]

import resource  # noqa: E402
import signal  # noqa: E402

from .supervisor import Supervisor  # noqa: E402
from .wire.protocol import RESULT_MAX  # noqa: E402

OOM_SCORE_ADJ = 1000


def _prepare_process() -> None:
    os.umask(0o077)
    os.environ.pop('CEPH_ARGS', None)  # would reach every `rados`
    signal.pthread_sigmask(signal.SIG_UNBLOCK, set(signal.valid_signals()))
    if os.getpgrp() != os.getpid():
        os.setpgid(0, 0)  # what is killed is this group
    # The children inherit it: before any daemon, the load is to go.
    try:
        with open('/proc/self/oom_score_adj', 'w', encoding='ascii') as file:
            file.write(str(OOM_SCORE_ADJ))
    except OSError as error:
        sys.stderr.write(f'oom_score_adj: {error.strerror}\n')
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    if soft == resource.RLIM_INFINITY:
        resource.setrlimit(resource.RLIMIT_FSIZE, (2 * RESULT_MAX, hard))


def _main() -> None:
    _prepare_process()
    # Events have a pipe of their own; a stray print must not disturb it.
    events = os.dup(1)
    os.set_inheritable(events, False)
    os.dup2(2, 1)
    code = Supervisor(0, events).main()
    sys.stderr.flush()
    os._exit(code)  # no waiting for threads


if __name__ == '__main__':
    if sys.argv[1:2] == ['agent']:
        from .agent.main import main as agent

        os._exit(agent(sys.argv[2:]))
    _main()
