"""Load beside a recovery through S3, and what is written before."""

from typing import Any, Dict, Tuple

from ...model.plan import GroupPlan
from ...model.workload import Op
from ...planning.s3 import mixes
from ...worker.wire import jobs
from ...worker.wire.s3_jobs import S3Fill, S3Trial
from ...worker.wire.s3_spec import Weighted
from ..driver import LOAD_MARGIN, BackgroundParts
from .gateways.private import Gateways, GatewaySource

FILL_LIMIT = 7200.0
FILL_PER_OSD = 4
FILL_MOST = 128


class S3Background:
    """Make load through the private gateways of each group; a Background."""

    def __init__(
        self, parts: BackgroundParts, gateways: GatewaySource
    ) -> None:
        self._plan = parts.plan
        self._test = parts.test
        self._access = parts.access
        self._gateways = gateways
        self._verify = parts.settings.s3_verify_share
        self._sign_payload = parts.settings.s3_sign_payload

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
                mix=mixes.of_op(Op(name)),
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


def make(parts: BackgroundParts) -> S3Background:
    """Return the load, through gateways of its own."""
    assert parts.mons and parts.launcher and parts.control
    gateways = Gateways(
        parts.mons,
        parts.launcher,
        parts.control,
        parts.access,
        parts.folder,
    )
    return S3Background(parts, gateways)
