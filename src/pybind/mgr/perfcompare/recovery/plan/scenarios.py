"""Make the plan of a recovery test: what is done to which group, when."""

from typing import Mapping, Sequence, Tuple

import dataclasses
import math

from ...analysis.evidence import LATENCY_BOUND
from ...model import load
from ...model.group import Group
from ...model.plan import Block, GroupPlan, PoolPlan, RunOptions, RunPlan
from ...model.recovery import Scenario
from ...model.recovery_plan import (
    LOG_PART,
    Forecast,
    GroupTest,
    PlannedStep,
    TestPlan,
)
from ...model.topology import Pool, Topology
from ...model.workload import CacheRegime, Concurrency, Op, Profile, Workload
from ...planning.estimate import PlanSettings, copies
from ...planning.labels import NO_VERDICT, ONE_GROUP
from ...planning.loads import planner_of
from ...planning.orders import draw
from ...planning.plan import make_plan
from ...planning.s3 import plan as s3plan
from . import targets
from .pglogs import objects_beyond
from .request import WORKLOADS, RecoveryRequest, ValidatedRequest
from .sequences import steps_of
from .timing import RECOVERY_BYTES, timed

ROLE = 'recovery'
WORKLOAD = 'recovery'  # name in the blocks
MIB = 1024**2
LEAST_BYTES = 64 * MIB  # written for each OSD, at least
LEAST_OBJECTS = 64  # for each OSD
LOG_TRIM = 100  # entries that trimming may leave (osd_pg_log_trim_min)
WRITE_SHARE = 0.05  # of a group's free space that client writes may take
LEAST_WRITES = 1024


@dataclasses.dataclass(frozen=True)
class PlanInputs:
    """Hold what a plan needs to know of the cluster."""

    topology: Topology
    pools: Tuple[Pool, ...]
    settings: PlanSettings
    client_host: str
    # entries that the PG logs keep: group -> for each PG of the test's pool
    log_entries: Mapping[str, int]
    # what faults may be done to, in order of preference, by group
    targets: Mapping[str, Sequence[PlannedStep]]
    forecasts: Mapping[str, Forecast]
    backfillfull: float = 0.9
    stop_by: str = ''
    emulated: Tuple[str, ...] = ()  # groups that are known to be slow


def plan_test(
    run: str,
    request: RecoveryRequest,
    groups: Sequence[Group],
    seed: int,
    known: PlanInputs,
    in_parts: bool = False,
) -> RunPlan:
    """Return the plan of a recovery test; nothing is touched.

    With ``in_parts`` PG logs are exceeded by many small writes of few
    objects, where that is possible, and not by as many objects.

    Raises InvalidArgument when the groups cannot be tested so.
    """
    wishes = request.checked()
    base = _base(run, request, wishes, groups, seed, known)
    tests = tuple(
        _group_test(base, group, wishes, known, in_parts)
        for group in base.groups
    )
    plan = TestPlan(
        scenario=wishes.scenario,
        repetitions=wishes.repetitions,
        groups=tests,
        workloads=wishes.workloads,
        size=wishes.size,
        concurrency=wishes.concurrency,
        hold=wishes.hold,
        limit=wishes.limit,
        step_timeout=wishes.step_timeout,
        auto_out=request.auto_out,
        stop_by=known.stop_by,
        mclock_profile=request.mclock_profile,
        log_entries=dict(known.log_entries),
        block=wishes.block,
        images=wishes.images,
    )
    sized = tuple(
        dataclasses.replace(
            group,
            pools=_pools(base, group, plan.of(group.name), wishes),
        )
        for group in base.groups
    )
    return timed(
        dataclasses.replace(base, groups=sized, recovery=plan),
        known.emulated,
        known.settings.initial_pgs,
    )


def _base(
    run: str,
    request: RecoveryRequest,
    wishes: ValidatedRequest,
    groups: Sequence[Group],
    seed: int,
    known: PlanInputs,
) -> RunPlan:
    """Return places, redundancy and orders, as for any run."""
    first = wishes.workloads[0] if wishes.workloads else WORKLOADS[0]
    stands = load.standing_for(first)
    clients = max(1, wishes.images * len(wishes.workloads))
    workload = Workload(
        name=stands.name,
        op=Op(stands.name),
        size=wishes.size,
        concurrency=Concurrency(max(clients, wishes.concurrency)),
        clients=clients,
        duration=60.0,
        warmup=0.0,
        cache=CacheRegime.CACHED if stands.cached else None,
    )
    profile = Profile(
        name=f'recovery-{wishes.scenario.value}',
        description=f'recovery test: {wishes.scenario.value}',
        rounds=wishes.repetitions,
        workloads=(workload,),
        version='0' * 12,
    )
    plan = make_plan(
        run,
        groups,
        profile,
        RunOptions(
            replicas=request.replicas,
            ec_profile=request.ec_profile,
            pg_num=request.pg_num,
            label=request.label,
            consent=request.consent,
            allow_local_client=request.allow_local_client,
            enable_pool_delete=request.enable_pool_delete,
        ),
        known.topology,
        known.pools,
        seed,
        known.client_host,
        known.settings,
    )
    return dataclasses.replace(
        plan,
        groups=tuple(_data_first(group) for group in plan.groups),
        blocks=_blocks([g.name for g in plan.groups], wishes, seed),
        labels=tuple(
            label
            for label in plan.labels
            if 'round' not in label and 'cache' not in label
            # tests are not compared with each other, and have no rows
            and label != ONE_GROUP
            and NO_VERDICT not in label
            and not label.startswith(LATENCY_BOUND)
        ),
    )


def _data_first(group: GroupPlan) -> GroupPlan:
    """Return a group whose first pool is the one that is recovered."""
    data = [p for p in group.pools if p.role == s3plan.WRITE[1]]
    rest = [p for p in group.pools if p not in data]
    return dataclasses.replace(group, pools=(*data, *rest))


def _blocks(
    groups: Sequence[str], wishes: ValidatedRequest, seed: int
) -> Tuple[Block, ...]:
    """Return one block for each repetition; groups change their order."""
    drawn = draw([WORKLOAD], groups, wishes.repetitions, seed)
    return tuple(block for block in drawn if block.round > 0)


def _group_test(
    plan: RunPlan,
    group: GroupPlan,
    wishes: ValidatedRequest,
    known: PlanInputs,
    in_parts: bool,
) -> GroupTest:
    places = targets.domains(known.topology, group.osds, plan.failure_domain)
    steps = steps_of(
        plan, group, places, wishes, known.targets.get(group.name, ())
    )
    pool = group.pools[0]
    osds = len(group.osds)
    needed = 0
    if wishes.scenario is Scenario.BACKFILL or (
        wishes.scenario is Scenario.OSD_OUT
    ):
        each = known.log_entries.get(group.name, 0) + LOG_TRIM
        needed = objects_beyond(each, pool.pg_num)
    data = wishes.data
    if data is None:
        data = max(LEAST_BYTES, LEAST_OBJECTS * wishes.size)
    objects = math.ceil(data * osds / wishes.size)
    parts, rest = divmod(wishes.size, LOG_PART)
    log_objects = 0
    # an erasure code has its own least bytes of a write
    if in_parts and parts > 1 and not rest and not pool.ec_profile:
        log_objects = max(0, math.ceil((needed - objects) / parts))
    else:
        objects = max(needed, objects)
    if wishes.workloads:
        planner = planner_of(Op(wishes.workloads[0]))
        objects = planner.recovery_objects(
            objects,
            wishes.size,
            len(wishes.workloads) * wishes.images,
            wishes.block,
        )
    test = GroupTest(
        group=group.name,
        steps=steps,
        objects=objects,
        write_objects=_write_bound(plan, group, wishes, known),
        forecast=known.forecasts.get(group.name, Forecast()),
        log_objects=log_objects,
    )
    raw = test.all_objects * wishes.size * copies(pool)
    if not wishes.moves_all:
        return test
    return _foreseen(test, raw / osds, known)


def _foreseen(test: GroupTest, own: float, known: PlanInputs) -> GroupTest:
    """Add the test's own data to the forecast of marking OSDs out.

    ``own`` are the raw bytes of it on each OSD.
    """
    forecast = test.forecast
    gone = len({o for s in test.steps for o in s.osds})
    if forecast.bytes_moved is not None:
        moved = forecast.bytes_moved + int(own * gone)
        seconds = forecast.seconds
        if seconds is not None:
            seconds += own * gone / RECOVERY_BYTES
        back = forecast.seconds_back
        if back is not None:
            back += own / RECOVERY_BYTES
        fill = forecast.fill
        if fill is not None and forecast.fill_osd is not None:
            # its own share, and all that it may take over
            size = known.topology.osds[forecast.fill_osd].size_bytes
            fill += (1 + gone) * own / size
        forecast = dataclasses.replace(
            forecast,
            bytes_moved=moved,
            seconds=seconds,
            seconds_back=back,
            fill=fill,
        )
    return dataclasses.replace(test, forecast=forecast)


def _write_bound(
    plan: RunPlan,
    group: GroupPlan,
    wishes: ValidatedRequest,
    known: PlanInputs,
) -> int:
    """Return the most objects that one load writes in one repetition."""
    writers = _writers(wishes)
    if not writers:
        return 0
    osds = [known.topology.osds[o] for o in group.osds]
    free = sum(max(0, o.size_bytes - o.used_bytes) for o in osds)
    share = WRITE_SHARE * free / copies(group.pools[0])
    share /= wishes.repetitions * writers
    return max(LEAST_WRITES, int(share / wishes.size))


def _writers(wishes: ValidatedRequest) -> int:
    """Return how many loads add objects to those that are there."""
    facts = [Op(name).facts for name in wishes.workloads]
    return sum(not (f.reads or f.in_place) for f in facts)


def _pools(
    plan: RunPlan, group: GroupPlan, test: GroupTest, wishes: ValidatedRequest
) -> Tuple[PoolPlan, ...]:
    """Return the pools of a group: the first is filled and recovered.

    Those of a gateway follow it.
    """
    former, *others = group.pools
    writers = _writers(wishes)
    written = wishes.repetitions * writers * test.write_objects
    max_bytes = (test.all_objects + written) * wishes.size
    if others:
        data = dataclasses.replace(former, max_bytes=max_bytes)
        return tuple(
            dataclasses.replace(pool, per_round=False)
            for pool in (data, *others)
        )
    name = f'perfcompare.{plan.run}.{group.name}.{ROLE}'
    pool = dataclasses.replace(
        former,
        name=name,
        role=ROLE,
        rule=name if former.ec_profile else former.rule,
        max_bytes=max_bytes,
        per_round=False,
    )
    return (pool,)
