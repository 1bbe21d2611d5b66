"""What a recovery test writes before, and the load that goes on beside."""

from typing import Callable, Dict

from ..models import GroupPlan, Op, RunPlan
from ..worker import jobs
from .testplan import TestPlan

FILL_LIMIT = 7200.0
FILL_PER_OSD = 4
LOAD_MARGIN = 120.0  # seconds of load beyond the worst case of a test

Access = Callable[[str], jobs.Access]


class RadosLoads:
    """Make load by `rados bench`."""

    def __init__(self, plan: RunPlan, test: TestPlan, access: Access) -> None:
        self._plan = plan
        self._test = test
        self._access = access

    def fill(self, group: GroupPlan) -> jobs.Job:
        """Return the job that writes what is recovered, and read."""
        return jobs.Prefill(
            access=self._access(group.pools[0].name),
            concurrency=FILL_PER_OSD * len(group.osds),
            deadline=FILL_LIMIT,
            populations=(self._population(group),),
        )

    def _population(self, group: GroupPlan) -> jobs.Population:
        return jobs.Population(
            f'{self._plan.run}.p0',
            self._test.of(group.name).objects,
            self._test.size,
        )

    def beside(
        self, group: GroupPlan, repetition: int, serial: int, seconds: float
    ) -> Dict[str, jobs.Job]:
        """Return the load of one repetition, by workload."""
        test, own = self._test, self._test.of(group.name)
        found: Dict[str, jobs.Job] = {}
        for name in test.workloads:
            write = name == Op.WRITE.value
            found[name] = jobs.Trial(
                access=self._access(group.pools[0].name),
                concurrency=test.concurrency,
                deadline=seconds + LOAD_MARGIN,
                populations=() if write else (self._population(group),),
                op=name,
                size=test.size,
                duration=seconds,
                warmup=0.0,
                clients=1,
                run_name=(
                    f'{self._plan.run}.w{repetition}.{serial}'
                    if write
                    else ''
                ),
                max_objects=own.write_objects if write else 0,
            )
        return found
