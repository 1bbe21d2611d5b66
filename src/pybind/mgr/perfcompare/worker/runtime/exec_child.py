"""Become a load program that dies with its parent.

Run as a file: python3 -I -S exec_child.py PARENT NICE LIMIT PROGRAM ARG…
A stub of its own, because Python code between fork and exec (preexec_fn)
is unsafe beside threads, and because `rados` cannot do this for itself.
"""

import os
import resource
import signal
import sys

PR_SET_PDEATHSIG = 1


def main() -> None:
    """Set limits and the parent's death signal, then exec the program."""
    parent, nice, limit = (int(a) for a in sys.argv[1:4])
    try:
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    except (ImportError, OSError, AttributeError):
        pass  # the process group is killed anyway
    if os.getppid() != parent:
        os._exit(1)  # the parent died before the signal was set
    if nice:
        os.nice(nice)
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # cores hold keys
    hard = resource.getrlimit(resource.RLIMIT_FSIZE)[1]
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, hard))
    argv = sys.argv[4:]
    try:
        os.execvp(argv[0], argv)
    except OSError as error:
        sys.stderr.write(f'cannot run {argv[0]!r}: {error.strerror}\n')
        os._exit(127)


main()
