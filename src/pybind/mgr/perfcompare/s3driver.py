"""Trials through S3: which jobs they are, and on what."""

from typing import Any, Dict, Set, Tuple

from . import s3plan
from .benchpool import BenchPool
from .estimate import trial_deadline
from .gateways import Access, Gateways
from .models import GroupPlan, Op, PoolPlan, RunPlan, Workload
from .outcomes import Outcome
from .units import format_size
from .worker.s3.jobs import S3Fill, S3Trial
from .worker.s3.spec import Weighted

FILL_LIMIT = 7200.0  # seconds
FILL_PER_OSD = 4
FILL_MOST = 128
PROBE_CONCURRENCY = 2
VERIFY = 0.01  # share of reads whose content is compared


class S3Driver:
    """Make the jobs of S3 workloads; start what they need."""

    def __init__(
        self,
        plan: RunPlan,
        pools: BenchPool,
        gateways: Gateways,
        access: Access,
    ) -> None:
        self._plan = plan
        self._pools = pools
        self._gateways = gateways
        self._access = access
        self._stored: Dict[str, int] = {}  # bytes written in this round
        self._there: Set[str] = set()  # groups whose lasting pools are

    def ensure(self, group: GroupPlan) -> None:
        """Make the pools that live as long as the run."""
        if group.name in self._there:
            return
        self._pools.create(
            [
                pool
                for pool in group.pools
                if pool.role.startswith('s3-')
                and not pool.per_round
                and not self._pools.has(pool)
            ]
        )
        self._there.add(group.name)

    def names(self, group: GroupPlan) -> Tuple[str, ...]:
        """Return the pools that a load of this group may touch."""
        return tuple(p.name for p in group.pools if p.role[:3] == 's3-')

    def fill(self, workload: Workload, group: GroupPlan) -> S3Fill:
        """Return the job that writes what a workload reads."""
        self.ensure(group)
        return S3Fill(
            **self._common(workload, group, self._pool(workload, group)),
            concurrency=min(FILL_MOST, FILL_PER_OSD * len(group.osds)),
            deadline=FILL_LIMIT,
            **self._population(workload, group),
        )

    def _pool(self, workload: Workload, group: GroupPlan) -> PoolPlan:
        return s3plan.pool(group, s3plan.data_role(workload))

    def _common(
        self, workload: Workload, group: GroupPlan, pool: PoolPlan
    ) -> Dict[str, Any]:
        service = self._gateways.of(group)
        return {
            'access': self._access(pool.name),
            'endpoints': service.endpoints,
            'credentials': service.credentials,
            'sizes': (Weighted(workload.size),),
            'processes': 0 if workload.clients == 1 else workload.clients,
            'seed': self._plan.seed,
        }

    def _population(
        self, workload: Workload, group: GroupPlan
    ) -> Dict[str, Any]:
        return {
            'bucket': f'perfcompare-{self._plan.run}-reads',
            'prefix': f'{format_size(workload.size)}-',
            'objects': s3plan.population(self._plan, workload, group.name),
        }

    def trial(
        self, workload: Workload, group: GroupPlan, tag: str
    ) -> S3Trial:
        """Return the job of one trial."""
        self.ensure(group)
        osds = len(group.osds)
        values = self._common(workload, group, self._pool(workload, group))
        mix = s3plan.MIXES[workload.op]
        if workload.reads:
            values.update(self._population(workload, group))
        else:
            stored = self._stored.get(group.name, 0)
            most = s3plan.bound(self._plan, workload, group.name, stored)
            own = workload.op in (Op.S3_MIXED, Op.S3_DELETE)
            values.update(
                bucket=f'perfcompare-{self._plan.run}-{_plain(tag)}',
                location=self._gateways.of(group).writes,
                prefix='own-',
                objects=(
                    s3plan.own_objects(workload, osds, most) if own else 0
                ),
                own=own,
                write_prefix='new-',
                max_objects=most,
            )
        return S3Trial(
            **values,
            concurrency=workload.concurrency.total(osds),
            deadline=trial_deadline(workload),
            mix=mix,
            duration=workload.duration,
            warmup=workload.warmup,
            rate=workload.rate or 0.0,
            verify=VERIFY,
        )

    def probe(
        self, workload: Workload, group: GroupPlan, seconds: float
    ) -> S3Trial:
        """Return a gentle start: a few puts at a time."""
        self.ensure(group)
        return S3Trial(
            **self._common(workload, group, self._pool(workload, group)),
            bucket=f'perfcompare-{self._plan.run}-probe',
            location=self._gateways.of(group).writes,
            prefix='own-',
            concurrency=PROBE_CONCURRENCY,
            deadline=trial_deadline(workload),
            mix=s3plan.MIXES[Op.S3_PUT],
            duration=max(1.0, seconds),
            write_prefix='new-',
            max_objects=s3plan.bound(self._plan, workload, group.name),
        )

    def learn(
        self, workload: Workload, group: GroupPlan, outcome: Outcome
    ) -> None:
        """Note what a trial left in the write pool of its group."""
        if workload.reads:
            return
        objects = int(outcome.evidence.get('created') or 0)
        self._stored[group.name] = (
            self._stored.get(group.name, 0) + objects * workload.size
        )

    def new_round(self) -> None:
        """Note that the write pools are new."""
        self._stored.clear()

    def manifest(self, group: GroupPlan) -> Dict[str, Any]:
        """Say where the gateways of a group ran."""
        service = self._gateways.of(group)
        return {
            'gateway_host': service.host,
            'gateway_arch': service.arch,
            'gateways': len(service.endpoints),
        }

    def problem(self, group: GroupPlan) -> str:
        """Return why the gateways of a group ended, if they did."""
        why = self._gateways.problem(group)
        return f'its gateway ended: {why}' if why else ''


def _plain(tag: str) -> str:
    """Return a tag as a part of a bucket's name."""
    return tag.replace('.', '-').lower()
