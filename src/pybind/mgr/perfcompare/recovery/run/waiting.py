"""Wait in a recovery test: brakes on, what is watched fed, progress told."""

from typing import Callable, Optional

from .context import RecoveryContext
from .flag_watch import FlagWatch
from .step_checkpoint import StepCheckpoint
from .stepwatch import StepWatch

PULSE = 0.2  # seconds between looks while something is waited for
TELL = 2.0  # seconds between two announcements of progress


class Waiting:
    """Let time pass for a test; what cuts it is raised from here."""

    def __init__(
        self,
        parts: RecoveryContext,
        kept: StepCheckpoint,
        auto_out: bool,
        repeat: Callable[[], None],
    ) -> None:
        """With ``auto_out`` the test has the Monitors mark OSDs out.

        ``repeat`` announces once more how far it is.
        """
        self._parts = parts
        self._kept = kept
        self._repeat = repeat
        self.flags = FlagWatch(parts.cluster, parts.control, auto_out)
        self.watch: Optional[StepWatch] = None  # of the step under way
        self._told = 0.0

    def pulse(self) -> None:
        """Wait a moment with all brakes on; raise to leave."""
        if self.watch is not None:
            self.watch.tick()
            self._kept.tick()
        self.flags.tick()
        self._parts.client.tick()
        self._parts.alive()
        now = self._parts.control.monotonic()
        if now - self._told > TELL:
            self._told = now
            self._repeat()
        self._parts.control.wait(PULSE)

    def until(self, done: Callable[[], bool], seconds: float) -> bool:
        """Wait until ``done``; return whether it came within ``seconds``."""
        return self.by(self.after(seconds), done)

    def after(self, seconds: float) -> float:
        """Return the moment of the steady clock ``seconds`` from now."""
        return self._parts.control.monotonic() + seconds

    def by(self, deadline: float, done: Callable[[], bool]) -> bool:
        """Wait until ``done``; return whether it came by ``deadline``."""
        while not done():
            if self._parts.control.monotonic() >= deadline:
                return False
            self.pulse()
        return True

    def hold(self, seconds: float) -> None:
        """Wait ``seconds``."""
        self.until(lambda: False, seconds)
