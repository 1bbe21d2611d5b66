"""Trials through S3: which jobs they are, and on what."""

from typing import Any, Dict, Optional, Sequence, Set, Tuple

import zlib

from ...model.outcome import Outcome
from ...model.plan import GroupPlan, PoolPlan, RunPlan
from ...model.workload import CacheRegime, WeightedSize, Workload
from ...planning import sizes
from ...planning.estimate import WORST_FILL, trial_deadline
from ...planning.s3 import mixes
from ...planning.s3 import plan as s3plan
from ...planning.s3 import removal, shape
from ...worker.wire.s3_jobs import S3Fill, S3Probe, S3Trial, S3Warm
from ...worker.wire.s3_spec import Weighted
from ..driver import Pools
from .buckets import Buckets
from .gateways import existing
from .gateways.private import Access, GatewaySource

FILL_LIMIT = 7200.0  # seconds
FILL_PER_OSD = 4
FILL_MOST = 128
READS = 'reads'  # the bucket that lives as long as the run
# of a manifest, where objects are in pools of the operator
UNKNOWN = (
    'size',
    'min_size',
    'ec_profile',
    'pg_num',
    'pgs_per_osd',
    'primaries_max_mean',
    'pgs_max_mean',
    'objects_max_mean',
    'compression',
    'tenant_ops_per_s',
)


class S3Driver:
    """Make the jobs of S3 workloads, start what they need; a Driver."""

    def __init__(
        self,
        plan: RunPlan,
        pools: Pools,
        gateways: GatewaySource,
        access: Access,
        buckets: Optional[Buckets] = None,
        verify: float = 0.0,
        sign_payload: bool = False,
    ) -> None:
        """With ``buckets`` gateways are those of the operator.

        ``verify`` is the share of reads whose content is compared.
        """
        self._verify = verify
        self._sign_payload = sign_payload
        self._plan = plan
        self._pools = pools
        self._gateways = gateways
        self._access = access
        self._buckets = buckets
        self._stored: Dict[str, int] = {}  # bytes written in this round
        self._own: Dict[str, int] = {}  # objects before the last trial
        self._there: Set[str] = set()  # groups whose lasting pools are
        # group and place of what was read into caches
        self._warm: Set[Tuple[str, Tuple[int, bool, str]]] = set()

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

    def fill(self, workload: Workload, group: GroupPlan) -> S3Fill:
        """Return the job that writes what a workload reads."""
        return S3Fill(**self._passing(workload, group))

    def warm(self, workload: Workload, group: GroupPlan) -> Optional[S3Warm]:
        """Return a pass over objects that caches hold, once for each."""
        key = (group.name, shape.place(workload))
        if workload.cache is not CacheRegime.CACHED or key in self._warm:
            return None
        job = S3Warm(**self._passing(workload, group))
        self._warm.add(key)  # now that its gateways serve
        return job

    def unready(self, workload: Workload, group: GroupPlan) -> None:
        """Have the objects read again."""
        self._warm.discard((group.name, shape.place(workload)))

    def _passing(
        self, workload: Workload, group: GroupPlan
    ) -> Dict[str, Any]:
        """Return what jobs are told that use each object once."""
        self.ensure(group)
        osds = len(group.osds)
        population = self._population(workload, group)
        expected = s3plan.written_seconds(
            population['objects'], workload.size, osds
        )
        return {
            **self._common(workload, group, self._pool(workload, group)),
            'concurrency': min(FILL_MOST, FILL_PER_OSD * osds),
            'deadline': max(FILL_LIMIT, WORST_FILL * expected),
            **population,
        }

    def _pool(self, workload: Workload, group: GroupPlan) -> PoolPlan:
        return s3plan.pool(group, s3plan.data_role(workload, group))

    def _bucket(
        self, workload: Workload, group: GroupPlan, name: str, objects: int
    ) -> Dict[str, Any]:
        """Return which buckets a job uses, and how they come to be.

        They hold ``objects`` at most.
        """
        service = self._gateways.of(group)
        buckets, prefixes = shape.spread(workload)
        if buckets > 1:
            name = f'n{buckets}-{name}'
        if shape.versioned(workload):
            name = f'v-{name}'
        found: Dict[str, Any] = {
            'buckets': buckets,
            'prefixes': prefixes,
            'bucket': f'perfcompare-{self._plan.run}-{name}',
            'location': (
                service.reads if name.endswith(READS) else service.writes
            ),
        }
        if self._buckets is not None:
            found['bucket'], found['fresh'] = self._buckets.take(
                group, name, removal.removable(workload, objects), buckets
            )
            found['owner'] = self._plan.run
        return found

    def _common(
        self, workload: Workload, group: GroupPlan, pool: PoolPlan
    ) -> Dict[str, Any]:
        service = self._gateways.of(group)
        return {
            'access': self._access(pool.name),
            'endpoints': existing.addressed(
                service.endpoints, group.s3_domain
            ),
            'credentials': service.credentials,
            'ca_file': service.ca_file,
            'region': service.region,
            'sizes': _weights(
                sizes.read_sizes(workload)
                if workload.read_sizes
                else sizes.write_sizes(workload)
            ),
            'processes': 0 if workload.clients == 1 else workload.clients,
            'seed': self._plan.seed,
            'sign_payload': self._sign_payload,
            'encryption': shape.encryption(workload),
            'versioned': shape.versioned(workload),
        }

    def _population(
        self, workload: Workload, group: GroupPlan
    ) -> Dict[str, Any]:
        total = s3plan.populations(self._plan, group.name)
        return {
            **self._bucket(workload, group, READS, total),
            'prefix': shape.prefix(workload),
            'objects': s3plan.population(self._plan, workload, group.name),
        }

    def trial(
        self, workload: Workload, group: GroupPlan, tag: str
    ) -> S3Trial:
        """Return the job of one trial."""
        self.ensure(group)
        osds = len(group.osds)
        values = self._common(workload, group, self._pool(workload, group))
        mix = mixes.of_workload(workload)
        if workload.reads:
            values.update(self._population(workload, group))
        else:
            most = s3plan.bound(
                self._plan, workload, group.name, self.stored(group)
            )
            own = s3plan.own_objects(workload, osds, most)
            self._own[group.name] = own
            values.update(
                **self._bucket(workload, group, _plain(tag), most),
                prefix='own-',
                objects=own,
                own=own > 0,
                write_prefix='new-',
                write_sizes=_weights(sizes.write_sizes(workload)),
                max_objects=s3plan.new_objects(workload, own, most),
            )
        return S3Trial(
            **values,
            concurrency=workload.concurrency.total(osds),
            deadline=trial_deadline(workload),
            mix=mix,
            duration=workload.duration,
            warmup=workload.warmup,
            rate=workload.rate or 0.0,
            verify=self._verify,
            turn=_turn(tag),
            details=shape.details(workload),
        )

    def probe(
        self, workload: Workload, group: GroupPlan, seconds: float
    ) -> S3Probe:
        """Return a gentle start: a few puts at a time, as far as planned.

        Never faster than the load itself.
        """
        self.ensure(group)
        most = s3plan.probe_objects(workload)
        return S3Probe(
            **self._common(workload, group, self._pool(workload, group)),
            **self._bucket(workload, group, 'probe', most),
            prefix='own-',
            concurrency=s3plan.PROBE_CONCURRENCY,
            deadline=trial_deadline(workload),
            mix=s3plan.PUTS,
            duration=max(1.0, seconds),
            write_prefix='new-',
            write_sizes=_weights(s3plan.probe_sizes(workload)),
            rate=workload.rate or 0.0,
            max_objects=most,
            details=shape.gentle(workload),
        )

    def learn(
        self, workload: Workload, group: GroupPlan, outcome: Outcome
    ) -> None:
        """Note what a trial left in the write pool of its group."""
        if workload.reads:
            return
        own = self._own.get(group.name, 0)
        # overwritten ones are kept until they are collected
        objects = sum(
            int(outcome.evidence.get(name) or 0)
            for name in ('created', 'rewritten')
        )
        summary = outcome.summary
        if workload.op.takes and summary is not None:
            # versions of what was deleted, and what could not be
            objects += s3plan.written(workload, summary.ops + summary.errors)
        self._add(workload, group, objects, s3plan.own_bytes(workload, own))

    def cut(
        self, workload: Workload, group: GroupPlan, ops: int, bound: bool
    ) -> bool:
        """Count the most that a trial can have left: its result is lost.

        What is left lowers the bound of what follows.
        """
        if workload.reads:
            return not bound
        own = self._own.get(group.name, 0)
        self._add(
            workload,
            group,
            s3plan.written(workload, ops),
            own * sizes.mean(sizes.read_sizes(workload)),
        )
        return not bound

    def _add(
        self, workload: Workload, group: GroupPlan, objects: int, own: int
    ) -> None:
        self._stored[group.name] = (
            self.stored(group) + objects * workload.size + own
        )

    def stored(self, group: GroupPlan) -> int:
        """Return the bytes that trials of this round left, at most."""
        return self._stored.get(group.name, 0)

    def new_round(self) -> None:
        """Note that the write pools are new; end buckets of the last."""
        self._stored.clear()
        if self._buckets is not None:
            self._buckets.clear(keep=f'-{READS}')

    def manifest(self, group: GroupPlan) -> Dict[str, Any]:
        """Say where the gateways of a group ran."""
        service = self._gateways.of(group)
        if self._buckets is not None:
            return {
                **dict.fromkeys(UNKNOWN),
                'gateway_host': service.host,
                'gateways': len(service.endpoints),
                'gateway_urls': list(group.endpoints),
                'gateway_placement': group.s3_placement,
                'gateway_tls': any(e.tls for e in service.endpoints),
            }
        return {
            'gateway_host': service.host,
            'gateway_arch': service.arch,
            'gateways': len(service.endpoints),
            'gateway_version': service.version,
            'gateway_tls': bool(service.ca_file),
        }

    def problem(self, group: GroupPlan) -> str:
        """Return why the gateways of a group ended, if they did."""
        why = self._gateways.problem(group)
        return f'its gateway ended: {why}' if why else ''


def _weights(items: Sequence[WeightedSize]) -> Tuple[Weighted, ...]:
    return tuple(Weighted(item.size, item.weight) for item in items)


def _turn(tag: str) -> int:
    """Return a number of a tag, the same for all groups of a block."""
    return zlib.crc32(tag.rpartition('.')[0].encode())


def _plain(tag: str) -> str:
    """Return a tag as a part of a bucket's name."""
    return tag.replace('.', '-').lower()
