"""What the command lines of all clusters have in common."""

from typing import Callable, List

import signal
import sys

from .messages import ClusterError


def command_of(words: List[str]) -> List[str]:
    """Return the command that `exec` is to run."""
    command = words[1:] if words[:1] == ['--'] else words
    if not command:
        raise ClusterError("exec what? For example 'exec ceph -s'")
    return command


def in_one_line(program: str, run: Callable[[], int]) -> int:
    """Run a program; return its exit code, and say in a line what failed."""
    try:
        return run()
    except (ClusterError, PermissionError) as error:
        print('%s: %s' % (program, error), file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print(
            "%s: interrupted; 'down' removes what is there" % program,
            file=sys.stderr,
        )
        return 128 + signal.SIGINT
