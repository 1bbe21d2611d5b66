"""What is written to the pools of a recovery test before it begins."""

from typing import Callable, Iterator, NamedTuple, Optional

from ...model.plan import GroupPlan, RunPlan
from ...model.recovery_plan import LOG_PART
from ...worker.wire import jobs
from .context import RecoveryContext

LIMIT = 7200.0  # seconds
PER_OSD = 4  # operations in flight


class Written(NamedTuple):
    """Hold one job of the preparation."""

    what: str  # that operators read meanwhile
    kind: str  # part of the job's name
    job: jobs.Job
    pool: str


def written(parts: RecoveryContext, plan: RunPlan) -> Iterator[Written]:
    """Yield the jobs of all groups, each when the one before is done."""
    for group in plan.groups:
        pool = group.pools[0].name
        job = parts.load.fill(group)
        yield Written(f'objects for {group.name}', 'fill', job, pool)
        more = log_fill(plan, parts.access, group)
        if more is not None:
            yield Written(f'PG logs of {group.name}', 'logs', more, pool)


def log_fill(
    plan: RunPlan, access: Callable[[str], jobs.Access], group: GroupPlan
) -> Optional[jobs.Prefill]:
    """Return what writes more than PG logs hold, into few objects.

    None where the objects alone are enough.
    """
    test = plan.recovery
    assert test is not None
    objects = test.of(group.name).log_objects
    if not objects:
        return None
    return jobs.Prefill(
        access=access(group.pools[0].name),
        concurrency=PER_OSD * len(group.osds),
        deadline=LIMIT,
        populations=(
            jobs.Population(f'{plan.run}.log', objects, test.size, LOG_PART),
        ),
    )
