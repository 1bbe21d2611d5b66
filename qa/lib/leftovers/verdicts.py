"""What is to be done about one entry of the journal."""

from typing import NamedTuple, Tuple, Union

Words = Tuple[str, ...]
Step = Union[Words, float]  # a command, or a pause in seconds


class Settled(NamedTuple):
    """Say that nothing is left to undo, as the cluster itself shows."""

    kept: str = ''  # what stays on purpose, and why


class Do(NamedTuple):
    """Name the steps that undo it; none where it only takes time."""

    steps: Tuple[Step, ...] = ()
    patience: float = 5.0  # seconds for the effect to show
    again: float = 1.0  # seconds until the steps are repeated
    apart: bool = False  # one that fails keeps the others from nothing


class Left(NamedTuple):
    """Say why it cannot be undone here, and what to do instead."""

    why: str
    remedy: str = ''


Verdict = Union[Settled, Do, Left]


def command(*words: str) -> Words:
    """Return a command."""
    return words


def commands(verdict: Do) -> Tuple[Words, ...]:
    """Return the commands among the steps."""
    return tuple(s for s in verdict.steps if not isinstance(s, float))
