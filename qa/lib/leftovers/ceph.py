"""Run the ceph tool, or what the operator runs in its place."""

from typing import Any, List, Sequence

import json
import shlex
import subprocess

SECONDS = 120.0
EMPTY = 'No '  # how the orchestrator begins instead of an empty list


class Failed(Exception):
    """Carry the one line that a person should read."""


class Ceph:
    """Run `ceph`; each call is a program of its own."""

    def __init__(self, command: str) -> None:
        self._command = shlex.split(command)

    def run(self, words: Sequence[str]) -> str:
        """Run a command; return its output. Raises Failed."""
        argv = self._command + list(words)
        try:
            done = subprocess.run(
                argv, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, timeout=SECONDS,
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            raise Failed(
                '%s: no answer within %.0f s' % (told(words), SECONDS)
            ) from None
        except OSError as error:
            raise Failed('%s: %s' % (argv[0], error.strerror)) from None
        if done.returncode:
            lines = done.stderr.decode('utf-8', 'replace').strip()
            raise Failed('%s: %s' % (told(words), lines.split('\n')[-1]))
        return done.stdout.decode('utf-8', 'replace')


def data(text: str, command: str) -> Any:
    """Return the output of a command as data. Raises Failed."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Failed('%s: its answer is not JSON' % command) from None


def rows(text: str, command: str) -> List[Any]:
    """Return a list of the orchestrator; an empty one is a sentence."""
    if text.lstrip().startswith(EMPTY):  # a line that is empty comes first
        return []
    found = data(text, command)
    if not isinstance(found, list):
        raise Failed('%s: its answer is not a list' % command)
    return found


def told(words: Sequence[str]) -> str:
    """Return a command as a person would type it."""
    return 'ceph ' + ' '.join(shlex.quote(word) for word in words)
