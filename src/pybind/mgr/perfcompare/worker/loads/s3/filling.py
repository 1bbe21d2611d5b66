"""Write the objects that a load needs, and read them into caches."""

from typing import Dict

import dataclasses

from ...runtime.failure import Failure
from . import results
from .fleet import REFILL, Fleet, fills, passes
from .progress import Progress

ENDLESS = float('inf')  # the deadline of the job ends it
MISSED = 100  # one in so many objects may be read from elsewhere


def fill(
    fleet: Fleet,
    progress: Progress,
    count: int,
    first: int = 0,
    forget: bool = False,
) -> None:
    """Write objects; again, as long as fewer fail than before.

    ``count`` are those of all hosts, each of which writes its own.

    Raises Failure where no fewer are missing than before.
    """
    progress.begin('prefill')
    errors: Dict[str, int] = {}
    turns = fleet.turns(count)
    phases = fills(turns, first, forget)
    count = sum(number for _, _, number in turns)
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


def read_all(fleet: Fleet, progress: Progress, count: int) -> int:
    """Read each object once, into caches; return how many could not be.

    ``count`` are those of all hosts, each of which reads its own.

    Raises Failure where more than one in MISSED could not.
    """
    progress.begin('warm')
    turns = fleet.turns(count)
    count = sum(number for _, _, number in turns)
    ended = fleet.run(passes(turns), ENDLESS, progress.watch)
    tally = results.Tally()
    for _, interval in results.intervals(ended):
        tally.add(interval)
    missed = count - tally.ops()
    if missed * MISSED > count:
        worst = max(tally.errors, key=lambda n: tally.errors[n], default='')
        raise Failure(
            'population',
            f'{missed} of {count} objects could not be read; '
            f'of {tally.failed()} errors most were {worst!r}',
        )
    return missed
