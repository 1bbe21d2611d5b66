"""In which state a run ends that an error left, and why."""

from typing import Optional, Tuple

from ..common.errors import NotFound, PerfcompareError
from ..model.run import RunState
from ..workers.control import Control, Stopped
from .active_run import Ending
from .notice import Notice


def end_of(error: BaseException) -> Tuple[RunState, str]:
    """Say in which state a run ends that ``error`` left, and why."""
    if isinstance(error, Stopped):
        return error.state, error.reason
    if isinstance(error, PerfcompareError):
        return RunState.FAILED, error.message
    if isinstance(error, OSError) and error.strerror:
        where = f'{error.filename!r}: ' if error.filename else ''
        return (
            RunState.FAILED,
            f"on the Manager's host: {where}{error.strerror}",
        )
    return RunState.FAILED, f'internal error: {type(error).__name__}'


def end_as_asked(
    error: Exception, asked: Optional[Stopped]
) -> Tuple[RunState, str]:
    """Say how a run ends that ``error`` left; what was asked for stands.

    Somebody who cancelled it was told so: a fault that comes before the run
    hears of it does not make it another end.
    """
    if asked is None or isinstance(error, Stopped):
        return end_of(error)
    return asked.state, f'{asked.reason}; meanwhile: {end_of(error)[1]}'


def requested(control: Control) -> Optional[Ending]:
    """Return how an operator ends a run, None when nobody does."""
    stop = control.stop
    if stop is None or stop.state is RunState.INTERRUPTED:
        return None
    return Ending(stop.state, stop.reason)


def end_by(
    control: Control, notice: Notice, reason: str, kill: bool = False
) -> bool:
    """End a run for an operator; return whether that is written down."""
    control.request(RunState.CANCELLED, reason, kill)
    return notice.give(Ending(RunState.CANCELLED, reason))


def not_active(run: str, ident: str) -> NotFound:
    """Return the refusal of a run that is not the active one."""
    if not ident:
        return NotFound(
            f'run {run!r} is not active, and no other is; `ceph perfcompare '
            'ls` and `ceph perfcompare recovery ls` list what has ended'
        )
    return NotFound(f'run {run!r} is not active, {ident} is; give that id')
