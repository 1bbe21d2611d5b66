"""What a load must have done to be a trial."""

from ...runtime.failure import Failure
from ...wire.s3_jobs import S3Probe, S3Trial
from .recorder import NEVER_BEGUN
from .results import Window


def require(job: S3Trial, window: Window) -> None:
    """Raise Failure where a load met its bound, or nothing succeeded."""
    exhausted = any(r['exhausted'] for r in window.results)
    if exhausted and not isinstance(job, S3Probe):
        raise Failure(
            'bound',
            f'the load met its bound of {job.max_objects} objects before '
            'its end, the most that it was planned to write',
        )
    if not window.inside.ops():
        tally = window.judged
        # what never began tells nothing of why
        errors = {
            name: number
            for name, number in tally.errors.items()
            if name != NEVER_BEGUN
        } or {f'connect {why}': n for why, n in tally.attempts.items()}
        worst = max(errors, key=lambda n: errors[n], default='')
        why = f'; most errors were {worst!r}' if worst else ''
        slow = tally.under_way()
        if slow and not why:
            why = (
                f'; {slow} were under way at its end, for up to '
                f'{tally.worst() or 0.0:.1f} s'
            )
        raise Failure('load', 'no operation succeeded' + why)
