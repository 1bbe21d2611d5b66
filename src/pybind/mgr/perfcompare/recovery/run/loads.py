"""What a recovery test writes before, and the load that goes on beside."""

from typing import Any, Callable, Dict, Protocol, Tuple

from ...common.settings import Settings
from ...drivers.s3.gateways.private import GatewaySource
from ...model.plan import GroupPlan, RunPlan
from ...model.recovery_plan import TestPlan
from ...model.workload import Op
from ...planning.s3 import shape
from ...worker.wire import jobs
from ...worker.wire.s3_jobs import S3Fill, S3Trial
from ...worker.wire.s3_spec import Weighted

FILL_LIMIT = 7200.0
FILL_PER_OSD = 4
FILL_MOST = 128
LOAD_MARGIN = 120.0  # seconds of load beyond the worst case of a test

Access = Callable[[str], jobs.Access]


class Loads(Protocol):
    """Make the jobs of a test's load."""

    def fill(self, group: GroupPlan) -> jobs.Job:
        """Return the job that writes what is recovered, and read."""

    def beside(
        self, group: GroupPlan, repetition: int, serial: int, seconds: float
    ) -> Dict[str, jobs.Job]:
        """Return the load of one repetition, by workload.

        Each goes on for ``seconds``, or until it is ended.
        """

    def problem(self, group: GroupPlan) -> str:
        """Return why the load cannot be served, empty while it can."""

    def close(self) -> None:
        """Give back what serves the load; called once, at the end."""


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

    def problem(self, group: GroupPlan) -> str:
        """Return nothing: OSDs serve the load."""
        return ''

    def close(self) -> None:
        """Do nothing: nothing is held."""


class S3Loads:
    """Make load through the private gateways of each group."""

    def __init__(
        self,
        plan: RunPlan,
        test: TestPlan,
        access: Access,
        gateways: GatewaySource,
        verify: float = Settings.s3_verify_share,
        sign_payload: bool = Settings.s3_sign_payload,
    ) -> None:
        self._verify = verify
        self._sign_payload = sign_payload
        self._plan = plan
        self._test = test
        self._access = access
        self._gateways = gateways

    def _common(self, group: GroupPlan, concurrency: int) -> Dict[str, Any]:
        service = self._gateways.of(group)
        return {
            'access': self._access(group.pools[0].name),
            'endpoints': service.endpoints,
            'credentials': service.credentials,
            'ca_file': service.ca_file,
            'region': service.region,
            'location': service.writes,
            'bucket': f'perfcompare-{self._plan.run}-recovery',
            'prefix': 'base-',
            'objects': self._test.of(group.name).objects,
            'sizes': self._sizes(),
            'concurrency': concurrency,
            'seed': self._plan.seed,
            'sign_payload': self._sign_payload,
        }

    def _sizes(self) -> Tuple[Weighted, ...]:
        return (Weighted(self._test.size, 1.0),)

    def fill(self, group: GroupPlan) -> jobs.Job:
        """Return the job that writes what is recovered, and read."""
        many = min(FILL_MOST, FILL_PER_OSD * len(group.osds))
        return S3Fill(**self._common(group, many), deadline=FILL_LIMIT)

    def beside(
        self, group: GroupPlan, repetition: int, serial: int, seconds: float
    ) -> Dict[str, jobs.Job]:
        """Return the load of one repetition, by workload."""
        test, own = self._test, self._test.of(group.name)
        return {
            name: S3Trial(
                **self._common(group, test.concurrency),
                deadline=seconds + LOAD_MARGIN,
                mix=shape.of_op(Op(name)),
                keep=True,
                duration=seconds,
                write_prefix=f'{name}-{repetition}-{serial}-',
                write_sizes=self._sizes(),
                max_objects=own.write_objects,
                verify=self._verify,
                slices=True,
            )
            for name in test.workloads
        }

    def problem(self, group: GroupPlan) -> str:
        """Return why the gateway of a group ended, if it did."""
        why = self._gateways.problem(group)
        return f'its gateway ended: {why}' if why else ''

    def close(self) -> None:
        """End the gateways, which must go before their pools."""
        self._gateways.close()
