"""What a worker tells of its end: a result, or why there is none."""

from typing import Callable, Optional, Tuple

from ..worker.wire.protocol import PROTOCOL, Done, Event, Failed, Hello
from .outcomes import WorkerFailed

Why = Tuple[str, str]  # kind and text of a failure


class Ending:
    """Keep what one worker told; the first failure counts.

    ``who`` names it in texts, ``remedy`` ends the one on its version.
    """

    def __init__(self, who: str, remedy: str = '') -> None:
        self._who = who
        self._remedy = remedy
        self._failed: Optional[Failed] = None
        self._done: Optional[Done] = None

    def fail(self, kind: str, text: str) -> None:
        """Take note of a failure."""
        self._failed = self._failed or Failed(kind, text)

    def note(self, event: Event) -> bool:
        """Take note of what it told; False where it must be ended."""
        if isinstance(event, Failed):
            self.fail(event.kind, event.error)
        elif isinstance(event, Done):
            self._done = event
        elif isinstance(event, Hello) and event.protocol != PROTOCOL:
            self.fail(
                'protocol',
                f'{self._who} speaks protocol {event.protocol}, the Manager '
                f'{PROTOCOL}{self._remedy}',
            )
            return False
        return True

    def result(self, ended: bool, death: Callable[[], Why]) -> Done:
        """Return where its result is; raise WorkerFailed if there is none.

        ``death`` says why a worker ended that told nothing of it.
        """
        if self._failed is not None:
            raise WorkerFailed(self._failed.kind, self._failed.error)
        if self._done is None:
            if not ended:
                raise WorkerFailed('died', 'the worker has no result yet')
            raise WorkerFailed(*death())
        return self._done
