"""Write the objects that a load needs, until all are there."""

from typing import Dict

import dataclasses

from ...runtime.failure import Failure
from . import results
from .fleet import REFILL, Fleet, fills
from .progress import Progress

ENDLESS = float('inf')  # the deadline of the job ends it


def fill(
    fleet: Fleet,
    progress: Progress,
    count: int,
    first: int = 0,
    forget: bool = False,
) -> None:
    """Write objects; again, as long as fewer fail than before.

    Raises Failure where no fewer are missing than before.
    """
    progress.phase = 'prefill'
    errors: Dict[str, int] = {}
    phases = fills(count, fleet.processes, first, forget)
    again = dataclasses.replace(REFILL, forget=forget)
    missing = count
    while missing:
        ended = fleet.run(phases, ENDLESS, progress.watch)
        for _, interval in results.intervals(ended):
            for name, number in interval['errors'].items():
                errors[name] = errors.get(name, 0) + number
        before = missing
        missing = sum(result['missing'] for result in ended)
        if missing >= before:
            worst = max(errors, key=lambda name: errors[name])
            raise Failure(
                'population',
                f'{missing} of {count} objects could not be written; '
                f'of {sum(errors.values())} errors most were {worst!r}',
            )
        phases = [again] * fleet.processes
