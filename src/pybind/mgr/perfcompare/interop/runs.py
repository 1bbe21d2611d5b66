"""Make a run of what another tool measured.

It has what the file says and nothing else: no OSDs, pools, settings or
evidence, all of which `compare` then lists as not recorded. Rounds are as
the reader numbered them; groups of one file that share rounds are paired.
"""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import dataclasses
import hashlib
import json
import re
import statistics

from ..common.codec import to_data
from ..common.errors import InvalidArgument
from ..common.units import format_size
from ..common.version import VERSION
from ..groups.resolution import check_name
from ..model.group import Placement
from ..model.plan import Block, GroupPlan, RunOptions, RunPlan
from ..model.run import Run, RunEvent, RunState
from ..model.trial import Series, Trial, TrialState, TrialSummary
from ..model.workload import Concurrency, Op, Profile, Workload
from ..store.rows import TrialRecord
from ..worker.wire import reading
from ..worker.wire.reading import Measured, Reading

UNDATED = (
    'the file has no time: it is dated by the import',
    'the file has no time of it: it is dated by the first one that has',
)
MAX_ROUNDS = 1000
MAX_GROUPS = 16
_SLUG = re.compile(r'[^a-z0-9]+')

Made = Tuple[Run, List[TrialRecord]]


def make(
    found: Reading, run: str, group: Optional[str], label: str, now: float
) -> Made:
    """Return the run of a file; ``run`` is its id, that of its content.

    ``group`` is whom it belongs to where the file does not say. Raises
    InvalidArgument when that is not clear, or results contradict.
    """
    rows = _of_groups(found.measured, group)
    tool = _SLUG.sub('-', found.tool.lower()).strip('-')[:32] or 'other'
    named = [(_name(row), row) for row in rows]
    workloads = _workloads(named, tool)
    groups = tuple(dict.fromkeys(row.group for row in rows))
    if len(groups) > MAX_GROUPS:
        raise InvalidArgument(
            f'the file has {len(groups)} groups, {MAX_GROUPS} at most'
        )
    blocks, keys = _blocks(named)
    starts = [row.started for row in rows if row.started]
    began = min(starts, default=now)
    title = ' '.join(filter(None, (found.tool, found.version)))
    plan = RunPlan(
        run=run,
        groups=tuple(_group(name) for name in groups),
        profile=_profile(tool, title, workloads, blocks),
        options=RunOptions(label=label),
        seed=0,
        size=0,
        min_size=0,
        failure_domain='',
        blocks=tuple(blocks),
        bytes_written=0,
        seconds=sum(row.duration or 0.0 for row in rows),
        seconds_max=sum(row.duration or 0.0 for row in rows),
        key='',
        client_host=_client(rows),
        labels=(f'measured by {title}, imported',),
    )
    records = [
        _record(run, workload, row, keys[i], (began, bool(starts)), title)
        for i, (workload, row) in enumerate(named)
    ]
    return (
        Run(
            id=run,
            state=RunState.COMPLETED,
            plan=plan,
            created=began,
            started=began,
            ended=max(r.trial.ended for r in records),
            origin=f'import:{tool}',
            module_version=VERSION,
            events=(
                RunEvent(now, RunState.COMPLETED, f'imported from {title}'),
            ),
        ),
        records,
    )


def _of_groups(
    rows: Sequence[Measured], group: Optional[str]
) -> List[Measured]:
    found = []
    for row in rows:
        if row.group and group:
            raise InvalidArgument(
                f'the file names its group ({row.group}) itself; leave out '
                '--group'
            )
        name = row.group or group
        if not name:
            raise InvalidArgument(
                'the file does not say which group was measured; name it '
                'with --group'
            )
        check_name(name)
        if row.round > MAX_ROUNDS:
            raise InvalidArgument(
                f'the file has round {row.round}, {MAX_ROUNDS} at most'
            )
        found.append(dataclasses.replace(row, group=name))
    return found


def _name(row: Measured) -> str:
    size = format_size(row.size) if row.size else ''
    flight = f'c{row.concurrency}' if row.concurrency else ''
    parts = [row.workload] if row.workload else [row.op, size, flight]
    return '-'.join(filter(None, (*parts, row.apart)))


def _workloads(
    named: Sequence[Tuple[str, Measured]], tool: str
) -> Tuple[Workload, ...]:
    """Define each workload once; InvalidArgument if its rows differ."""
    by_name: Dict[str, List[Measured]] = {}
    for name, row in named:
        by_name.setdefault(name, []).append(row)
    found = []
    for name, rows in by_name.items():
        first = rows[0]
        for row in rows[1:]:
            for field in ('op', 'size', 'concurrency', 'limited'):
                a, b = getattr(first, field), getattr(row, field)
                if a != b:
                    raise InvalidArgument(
                        f'workload {name!r} has {field} {a or "none"} and '
                        f'{b or "none"}; give unlike workloads names of '
                        'their own, or import each by itself'
                    )
        seconds = [row.duration for row in rows if row.duration]
        found.append(
            Workload(
                name=name,
                op=Op(first.op),
                size=first.size or 0,
                concurrency=Concurrency(first.concurrency or 0),
                duration=(
                    round(statistics.median(seconds), 1) if seconds else 0.0
                ),
                warmup=0.0,
                tool=tool,
                limited=first.limited,
            )
        )
    return tuple(found)


def _profile(
    tool: str,
    title: str,
    workloads: Tuple[Workload, ...],
    blocks: Sequence[Block],
) -> Profile:
    data = to_data(workloads)
    for item in data:
        if not item['limited']:  # came later than the first versions
            del item['limited']
    text = json.dumps(data, sort_keys=True)
    return Profile(
        name=tool,
        description=f'imported from {title}',
        rounds=max(block.round for block in blocks),
        workloads=workloads,
        version=hashlib.sha256(text.encode()).hexdigest()[:12],
    )


def _blocks(
    named: Sequence[Tuple[str, Measured]],
) -> Tuple[List[Block], List[Tuple[int, int, int]]]:
    """Return the blocks, and (round, block, position) of each row."""
    order: Dict[Tuple[int, str], List[str]] = {}
    for name, row in named:
        held = order.setdefault((row.round, name), [])
        if row.group in held:
            raise InvalidArgument(
                f'workload {name!r} of group {row.group!r} is there twice in '
                f'round {row.round}'
            )
        held.append(row.group)
    indexes: Dict[Tuple[int, str], int] = {}
    counts: Dict[int, int] = {}
    blocks = []
    for (number, name), held in sorted(
        order.items(), key=lambda item: item[0][0]
    ):
        index = counts.get(number, 0)
        counts[number] = index + 1
        indexes[(number, name)] = index
        blocks.append(Block(number, index, name, tuple(held)))
    keys = [
        (
            row.round,
            indexes[(row.round, name)],
            order[(row.round, name)].index(row.group),
        )
        for name, row in named
    ]
    return blocks, keys


def _group(name: str) -> GroupPlan:
    return GroupPlan(
        name=name,
        placement=Placement.HOSTS,
        root=None,
        rule='',
        device_class=None,
        hosts=(),
        osds=(),
        pools=(),
    )


def _client(rows: Sequence[Measured]) -> str:
    hosts = {row.client_host for row in rows}
    return hosts.pop() if len(hosts) == 1 else ''


def _record(
    run: str,
    workload: str,
    row: Measured,
    key: Tuple[int, int, int],
    began: Tuple[float, bool],
    title: str,
) -> TrialRecord:
    """Make a trial; ``began`` is when the run did, and if the file says so."""
    started = row.started or began[0]
    manifest: Dict[str, Any] = {}
    if row.client_host:
        manifest['client_host'] = row.client_host
    if row.osds:
        manifest['osds'] = row.osds
    source: Dict[str, Any] = {'tool': title}
    if row.errors is None and not row.failures:
        source['errors_told'] = False  # of which the summary has 0
    evidence: Dict[str, Any] = {'import': source}
    notes = [*row.notes]
    if not row.started:
        notes.append(UNDATED[began[1]])
    if notes:
        evidence['notes'] = notes
    client = {'operations': row.operations, 'errors': row.failures}
    if any(client.values()):
        evidence['client'] = {name: v for name, v in client.items() if v}
    trial = Trial(
        run=run,
        round=key[0],
        block=key[1],
        attempt=1,
        position=key[2],
        workload=workload,
        group=row.group,
        started=started,
        ended=started + (row.duration or 0.0),
        state=TrialState.OK,
        summary=_summary(row),
        manifest=manifest,
        evidence=evidence,
    )
    return _with_series(trial, row, started)


def _summary(row: Measured) -> TrialSummary:
    rate, seconds = row.ops_per_s, row.duration or 0.0
    ops = row.ops
    if ops is None:
        ops = int(rate * seconds) if rate else 0
    return TrialSummary(
        ops_per_s=rate,
        bytes_per_s=row.bytes_per_s,
        latency_avg=row.latency_avg,
        latency_max=row.latency_max,
        window=seconds,
        ops=ops,
        errors=row.errors or 0,
        percentiles=dict(row.percentiles),
        windows=tuple(reading.windows(row.samples)),
    )


def _with_series(trial: Trial, row: Measured, started: float) -> TrialRecord:
    samples = row.samples
    if samples is None:
        return TrialRecord(trial)
    latency: Sequence[Optional[float]] = samples.latency
    series = Series(
        samples.start or started,
        list(samples.t),
        list(samples.ops),
        list(latency) if latency else [None] * len(samples.t),
    )
    try:
        return TrialRecord.of(trial, series)
    except InvalidArgument as error:
        raise InvalidArgument(f'{trial.workload}: {error}') from None
