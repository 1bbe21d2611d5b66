"""What a profile may ask for, and why not more."""

from typing import Any, Sequence

from ...common import units
from ...common.errors import InvalidArgument
from ...common.printable import shown
from ...model import load
from ...model.workload import Workload
from ..loads import planner_of, planners

# A disk sector; below it rados bench has no room for its object header.
MIN_SIZE = 512
# An OSD refuses writes above osd_max_write_size (90 MB by default).
MAX_SIZE = 64 << 20
# Three per-second samples are the least that a trial can be reduced from.
MIN_DURATION, MAX_DURATION = 3.0, 14400.0
MAX_WARMUP = 3600.0
# More blocks than this narrow an interval by less than the drift they add.
MAX_ROUNDS = 40
MAX_CLIENTS = 64
MAX_RATE = 1000000
MAX_PREFILL = 10_000_000  # objects
MAX_WORKLOADS = 64


def check_rounds(value: Any, where: str) -> int:
    """Return a number of judged rounds.

    Raises InvalidArgument for anything else, or out of 1..MAX_ROUNDS.
    """
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidArgument(
            f'{where}: rounds {shown(value)} is not a whole number'
        )
    if not 1 <= value <= MAX_ROUNDS:
        raise InvalidArgument(
            f'{where}: rounds {value} is out of range; give 1 to {MAX_ROUNDS}'
        )
    return int(value)


def check_workload(workload: Workload, where: str) -> None:
    """Raise InvalidArgument for values that no trial can run with.

    And for those that must be a mistake, such as a duration of days.
    """
    place = f'{where}: {workload.name}'
    kind = load.spec_of(workload.op)
    largest = workload.op.facts.max_size or kind.max_size or MAX_SIZE
    flying = kind.max_concurrency
    if flying and workload.concurrency.value > flying:
        raise InvalidArgument(
            f'{place}: concurrency {workload.concurrency} is out of range; '
            f'give up to {flying}'
        )
    if not MIN_SIZE <= workload.size <= largest:
        raise InvalidArgument(
            f'{place}: size {units.format_size(workload.size)} is out of '
            f'range; give {MIN_SIZE} bytes to {units.format_size(largest)}'
        )
    for word, value, low, high in (
        ('duration', workload.duration, MIN_DURATION, MAX_DURATION),
        ('warmup', workload.warmup, 0.0, MAX_WARMUP),
    ):
        if not low <= value <= high:
            raise InvalidArgument(
                f'{place}: {word} of {value:g} s is out of range; give '
                f'{low:g} to {high:g} s'
            )
    if not 1 <= workload.clients <= MAX_CLIENTS:
        raise InvalidArgument(
            f'{place}: {workload.clients} clients is out of range; give 1 '
            f'to {MAX_CLIENTS}'
        )
    if workload.prefill is not None:
        objects = workload.prefill.count(workload.size)
        if objects > MAX_PREFILL:
            raise InvalidArgument(
                f'{place}: prefill is {objects:,} objects; give up to '
                f'{MAX_PREFILL:,}'
            )
    planner_of(workload.op).check_workload(workload, place)
    load_ = workload.concurrency
    if not load_.per_osd and load_.value < workload.clients:
        raise InvalidArgument(
            f'{place}: {workload.clients} clients cannot share '
            f'{load_.value} operations in flight; give a concurrency of at '
            f'least {workload.clients}'
        )


def check_workloads(workloads: Sequence[Workload], where: str) -> None:
    """Raise InvalidArgument for limits passed, duplicates and conflicts."""
    if not 1 <= len(workloads) <= MAX_WORKLOADS:
        raise InvalidArgument(
            f'{where}: {len(workloads)} workloads; give 1 to {MAX_WORKLOADS}'
        )
    seen = set()
    for workload in workloads:
        check_workload(workload, where)
        if workload.name in seen:
            raise InvalidArgument(
                f'{where}: workload {workload.name!r} is given twice'
            )
        seen.add(workload.name)
    for planner in planners():
        own = [w for w in workloads if planner_of(w.op) is planner]
        planner.check_together(own, where)
