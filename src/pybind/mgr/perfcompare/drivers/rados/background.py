"""Load beside a recovery by `rados bench`, and what is written before."""

from typing import Dict

from ...model.plan import GroupPlan
from ...model.workload import Op
from ...worker.wire import jobs
from ..driver import LOAD_MARGIN, BackgroundParts

FILL_LIMIT = 7200.0
FILL_PER_OSD = 4


class RadosBackground:
    """Make load by `rados bench`; a Background."""

    def __init__(self, parts: BackgroundParts) -> None:
        self._plan = parts.plan
        self._test = parts.test
        self._access = parts.access

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
            write = not Op(name).reads
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

    def problem(self, group: GroupPlan) -> str:
        """Return nothing: OSDs serve the load."""
        return ''

    def close(self) -> None:
        """Do nothing: nothing is held."""
