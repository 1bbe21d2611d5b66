"""End the run or the recovery test that is active, and say how it ends."""

from ..execution.runner import Runner
from .requests import Stopping


def cancel(runner: Runner, run: str) -> Stopping:
    """Ask what is active to end in order; NotFound where it is another."""
    test = _is_test(runner)
    return Stopping(run, False, runner.cancel(run), test=test)


def stop(runner: Runner, now: bool, run: str) -> Stopping:
    """End what is active; with ``now`` its load is dead on return.

    That of load hosts is when their agents have heard of it, and that
    of a former Manager when its lease is over.
    With ``run`` no other is ended: NotFound where another is active.
    """
    before, test = runner.current, _is_test(runner)
    ended, noted = runner.stop(now, run)
    if not (ended and now):
        return Stopping(ended, False, noted, test=test)
    for current in (before, runner.current):
        if current is not None and current.id == ended:
            told = current.plan.options.load_hosts or ()
            return Stopping(ended, not told, noted, told, test=test)
    return Stopping(ended, False, noted, taken_over=True, test=test)


def _is_test(runner: Runner) -> bool:
    """Say whether a recovery test is active, also one taken over."""
    progress = runner.progress
    return progress is not None and bool(progress.scenario)
