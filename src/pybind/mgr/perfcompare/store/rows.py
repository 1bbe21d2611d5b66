"""Rows of the result database as the project's data, and back."""

from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Tuple

import dataclasses
import hashlib
import json
import math
import sqlite3
import zlib

from ..common.codec import from_data, to_data
from ..common.version import made_by
from ..model.plan import RunPlan
from ..model.run import RuleValue, Run, RunEvent, RunState
from ..model.series import Table
from ..model.trial import Series, Trial, TrialState, TrialSummary
from . import series_codec
from .damaged import ReadableParts, mapping

CLIENT = 'client'  # source of the load's own samples
ENDED_SQL = ', '.join(f"'{s.value}'" for s in RunState if s.ended)
# a state of another version is neither of these
OPEN_SQL = ', '.join(f"'{s.value}'" for s in RunState if not s.ended)


class TrialKey(NamedTuple):
    """Name a trial within its run."""

    round: int
    block: int
    attempt: int
    position: int


@dataclasses.dataclass(frozen=True)
class TrialRecord:
    """Hold a trial with its raw series as blobs, by source.

    Sources are 'client', 'osd.N', 'host.NAME'; blobs are series_codec's.
    """

    trial: Trial
    series: Dict[str, bytes] = dataclasses.field(default_factory=dict)

    @classmethod
    def of(
        cls,
        trial: Trial,
        client: Optional[Series] = None,
        others: Mapping[str, Table] = {},
    ) -> 'TrialRecord':
        """Make the record of a trial with the samples of its sources."""
        tables = dict(others)
        if client is not None:
            tables[CLIENT] = series_codec.from_series(client)
        return cls(
            trial, {n: series_codec.encode(t) for n, t in tables.items()}
        )

    @property
    def size(self) -> int:
        """Return about how many bytes this occupies while it waits."""
        return 4096 + sum(len(blob) for blob in self.series.values())


@dataclasses.dataclass(frozen=True)
class RunVerdicts:
    """Count the rows of one candidate against the run's first group."""

    candidate: str
    faster: int = 0
    slower: int = 0
    no_difference: int = 0
    inconclusive: int = 0
    open: int = 0  # rows without a verdict
    emulated: Tuple[str, ...] = ()  # of the two groups, those known to be


@dataclasses.dataclass(frozen=True)
class RunInfo:
    """Hold what a list of runs shows of one, without its plan."""

    id: str
    state: RunState
    label: str
    profile: str
    groups: Tuple[str, ...]
    created: float  # Unix times
    started: Optional[float]
    ended: Optional[float]
    reason: str
    origin: str
    fsid: str
    trials: int  # stored, void and conditioning ones included
    bytes: int  # that its results occupy
    workloads: Tuple[str, ...] = ()  # empty where not known yet
    # None where it is not judged (yet)
    verdicts: Optional[Tuple[RunVerdicts, ...]] = None


@dataclasses.dataclass(frozen=True)
class RunPage:
    """Hold a page of a list of runs, newest first."""

    runs: Tuple[RunInfo, ...]
    total: int  # that match, on all pages
    offset: int


@dataclasses.dataclass(frozen=True)
class Retention:
    """Say how much to keep of ended runs; None is no limit."""

    runs: Optional[int] = None
    age: Optional[float] = None  # seconds since end, or since import
    bytes: Optional[int] = None  # that results of one origin occupy


def key_of(trial: Trial) -> TrialKey:
    """Return the key of ``trial``."""
    return TrialKey(trial.round, trial.block, trial.attempt, trial.position)


def dump(value: Any) -> str:
    """Return plain data as compact JSON; what is not finite becomes null."""
    try:
        return json.dumps(
            value, separators=(',', ':'), sort_keys=True, allow_nan=False
        )
    except ValueError:
        return json.dumps(
            _finite(value), separators=(',', ':'), sort_keys=True
        )


def pack(value: Any) -> bytes:
    """Return plain data as compressed JSON."""
    return zlib.compress(dump(value).encode(), 6)


def unpack(blob: bytes) -> Any:
    """Return the plain data of ``pack``."""
    return json.loads(zlib.decompress(blob))


def digest(value: Any) -> str:
    """Return the name of a manifest: 32 hex digits of its SHA-256."""
    text = dump(to_data(value))
    return hashlib.sha256(text.encode()).hexdigest()[:32]


def run_values(run: Run, stored: float) -> Dict[str, Any]:
    """Return the columns of table run."""
    return {
        'id': run.id,
        'state': run.state.value,
        'label': run.plan.options.label,
        'profile': run.plan.profile.name,
        'groups': dump([g.name for g in run.plan.groups]),
        'created': run.created,
        'started': run.started,
        'ended': run.ended,
        'reason': run.reason,
        'origin': run.origin,
        'fsid': run.fsid,
        'ceph_version': run.ceph_version,
        'module_version': run.module_version,
        'stored': stored,
        'rules': dump(to_data(run.rules)),
    }


def run_of(row: sqlite3.Row, plan: bytes, events: List[sqlite3.Row]) -> Run:
    """Build a run of its rows in run, plan and event.

    Raises Damaged without a plan; an event says what else is missing.
    """
    where = f'run {row["id"]}'

    def planned() -> RunPlan:
        # an import may rename it
        data = dict(mapping(unpack(plan)), run=row['id'])
        with made_by(row['module_version']):
            return from_data(RunPlan, data, 'plan')

    parts = ReadableParts(where)
    rules = parts.read(
        'its abort rules',
        lambda: tuple(
            from_data(RuleValue, r, 'rules') for r in json.loads(row['rules'])
        ),
        (),
    )
    state = parts.read(
        'its state', lambda: RunState(row['state']), RunState.INTERRUPTED
    )
    told: Tuple[RunEvent, ...] = ()
    for event in events:
        told += parts.read('an event', lambda: (_event(event),), ())
    noted = tuple(
        RunEvent(row['ended'] or row['created'], state, text)
        for text in dict.fromkeys(parts.lost)
    )
    return Run(
        id=row['id'],
        state=state,
        plan=ReadableParts.whole(where, 'its plan', planned),
        created=row['created'],
        started=row['started'],
        ended=row['ended'],
        reason=row['reason'],
        origin=row['origin'],
        fsid=row['fsid'],
        ceph_version=row['ceph_version'],
        module_version=row['module_version'],
        events=told + noted,
        rules=rules,
    )


def _event(row: sqlite3.Row) -> RunEvent:
    return RunEvent(row['at'], RunState(row['state']), row['message'])


def info_of(row: sqlite3.Row) -> RunInfo:
    """Build the list entry of a row in run, whatever is damaged of it."""
    parts = ReadableParts(f'run {row["id"]}')
    groups = parts.read(
        'its groups',
        lambda: tuple(str(name) for name in json.loads(row['groups'])),
        (),
    )
    state = parts.read(
        'its state', lambda: RunState(row['state']), RunState.INTERRUPTED
    )

    def workloads() -> Tuple[str, ...]:
        return tuple(str(n) for n in json.loads(row['workloads'] or '[]'))

    def verdicts() -> Optional[Tuple[RunVerdicts, ...]]:
        if not row['rule']:
            return None
        return tuple(
            from_data(RunVerdicts, one, 'verdicts')
            for one in json.loads(row['verdicts'])
        )

    names: Tuple[str, ...] = parts.read('its workloads', workloads, ())
    judged = parts.read('its verdicts', verdicts, None)
    return RunInfo(
        id=row['id'],
        state=state,
        label=row['label'],
        profile=row['profile'],
        groups=groups,
        created=row['created'],
        started=row['started'],
        ended=row['ended'],
        reason='; '.join(filter(None, (row['reason'], *parts.lost))),
        origin=row['origin'],
        fsid=row['fsid'],
        trials=row['trials'],
        bytes=row['bytes'],
        workloads=names,
        verdicts=judged,
    )


def trial_values(run: int, trial: Trial) -> Dict[str, Any]:
    """Return the columns of table trial for the run with number ``run``."""
    summary = summary_text(trial.summary) if trial.summary else None
    return {
        'run': run,
        'round': trial.round,
        'block': trial.block,
        'attempt': trial.attempt,
        'position': trial.position,
        'workload': trial.workload,
        'grp': trial.group,
        'started': trial.started,
        'ended': trial.ended,
        'state': trial.state.value,
        'reason': trial.reason,
        'analysis': trial.summary.analysis if trial.summary else 0,
        'summary': summary,
        'manifest': digest(trial.manifest) if trial.manifest else '',
        'evidence': pack(to_data(trial.evidence)) if trial.evidence else None,
    }


def summary_text(summary: TrialSummary) -> str:
    """Return a summary as JSON; InvalidArgument if it cannot be read back."""
    text = dump(to_data(summary))
    from_data(TrialSummary, json.loads(text))
    return text


def trial_of(
    run: str,
    row: sqlite3.Row,
    manifests: Mapping[str, Any],
    strict: bool = False,
) -> Trial:
    """Build a trial of its row and the manifests of its run.

    What cannot be read is left out and noted in the evidence; without its
    figures a trial is void. When ``strict`` it raises Damaged.
    """
    parts = ReadableParts(f'run {run}: trial {row["num"]}', strict)
    name = row['manifest']

    def described() -> Dict[str, Any]:
        if name and name not in manifests:
            raise LookupError(f'{name} is damaged, or missing')
        return manifests[name] if name else {}

    none: Dict[str, Any] = {}
    manifest = parts.read('its manifest', described, none)
    evidence = parts.read(
        'its evidence',
        lambda: (mapping(unpack(row['evidence'])) if row['evidence'] else {}),
        none,
    )
    before = len(parts.lost)
    state, reason = (
        parts.read(
            'its state', lambda: TrialState(row['state']), TrialState.VOID
        ),
        row['reason'],
    )
    summary = parts.read(
        'its figures',
        lambda: (
            from_data(TrialSummary, json.loads(row['summary']), 'summary')
            if row['summary']
            else None
        ),
        None,
    )
    if len(parts.lost) > before:
        state, reason = TrialState.VOID, parts.lost[-1]
    if parts.lost:
        old = evidence.get('notes')
        notes = list(old) if isinstance(old, (list, tuple)) else []
        evidence = dict(evidence, notes=notes + parts.lost[:3])
    return Trial(
        run=run,
        round=row['round'],
        block=row['block'],
        attempt=row['attempt'],
        position=row['position'],
        workload=row['workload'],
        group=row['grp'],
        started=row['started'],
        ended=row['ended'],
        state=state,
        reason=reason,
        summary=summary,
        manifest=manifest,
        evidence=evidence,
    )


def _finite(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, dict):
        return {k: _finite(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(v) for v in value]
    return value
