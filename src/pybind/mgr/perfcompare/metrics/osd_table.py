"""Per-OSD figures of a run, by group and workload, the unlike ones first.

Each trial is reduced on its own, so that a run on thousands of OSDs is
never held as a whole; an OSD's figure is its median over the trials.
"""

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

import dataclasses

from ..analysis.findings.outliers import LEAST, z_scores
from ..analysis.stats import median
from ..model.trial import Trial, TrialState

# figures of a row that say how slow an OSD is; the worst one orders
SLOW = ('latency', 'queued', 'commit', 'device', 'replica')


@dataclasses.dataclass(frozen=True)
class OsdRow:
    """Hold one OSD's figures in one workload; None is "not available".

    Times in seconds. ``z`` is the robust score of ``slow_by``, the figure
    by which the OSD stands out most from its group.
    """

    osd: int
    ops_per_s: Optional[float] = None  # of clients, as a primary
    bytes_per_s: Optional[float] = None
    share: Optional[float] = None  # of the group's operations
    latency: Optional[float] = None  # of clients' operations
    queued: Optional[float] = None  # of it, before the OSD took them up
    commit: Optional[float] = None  # of BlueStore's transactions
    device: Optional[float] = None  # a read or write of the data device
    replica: Optional[float] = None  # of writes as a replica
    inside: Optional[float] = None  # operations under way, mean
    trials: int = 0
    z: Optional[float] = None
    slow_by: str = ''


@dataclasses.dataclass(frozen=True)
class OsdTable:
    """Hold the OSDs of one group in one workload, outliers first."""

    workload: str
    group: str
    trials: int
    rows: Tuple[OsdRow, ...]
    median: OsdRow  # over the OSDs
    # the group's latency distributions in the same trials, by kind; the
    # medians over the trials of p50, p95 and p99
    histograms: Dict[str, Dict[str, float]]
    accuracy: str = ''
    tenants_ops_per_s: Optional[float] = None
    silent: Tuple[int, ...] = ()  # OSDs without any figures
    more: int = 0  # OSDs that are left out of the rows


class OsdTables:
    """Take trials one by one, and give the tables of a run."""

    def __init__(self) -> None:
        self._seen: Dict[Tuple[str, str], List[_Seen]] = {}

    def add(self, trial: Trial) -> None:
        """Take in a trial; void ones and the conditioning round do not."""
        if trial.state is not TrialState.OK or not trial.round:
            return
        key = (trial.workload, trial.group)
        self._seen.setdefault(key, []).append(_seen(trial))

    def tables(self) -> List[OsdTable]:
        """Return the tables by workload and group."""
        return [
            _table(workload, group, seen)
            for (workload, group), seen in sorted(self._seen.items())
        ]


def one(trial: Trial) -> OsdTable:
    """Return the table of one trial, whatever became of it."""
    return _table(trial.workload, trial.group, [_seen(trial)])


@dataclasses.dataclass(frozen=True)
class _Seen:
    """Hold what one trial says of its OSDs."""

    osds: Dict[int, Optional[OsdRow]]
    histograms: Mapping[str, Mapping[str, Any]]
    tenants: Optional[float]


def _seen(trial: Trial) -> _Seen:
    osds = trial.evidence.get('osds') or {}
    rows = {int(osd): _row(int(osd), f) for osd, f in osds.items()}
    whole = sum(r.ops_per_s or 0.0 for r in rows.values() if r)
    if whole:
        rows = {
            osd: row
            and dataclasses.replace(row, share=(row.ops_per_s or 0.0) / whole)
            for osd, row in rows.items()
        }
    tenants = trial.evidence.get('tenants') or {}
    return _Seen(
        rows,
        trial.evidence.get('histograms') or {},
        tenants.get('ops_per_s'),
    )


def _row(osd: int, found: Optional[Mapping[str, float]]) -> Optional[OsdRow]:
    if not found:
        return None
    seconds = found.get('seconds')
    kinds = [
        (found[f'op_{kind}'], f'op_{kind}')
        for kind in ('w', 'r', 'rw')
        if found.get(f'op_{kind}')
    ]
    ops = sum(number for number, _ in kinds)
    moved = found.get('op_in_bytes', 0.0) + found.get('op_out_bytes', 0.0)
    waits = []
    for number, name in kinds:
        total = found.get(f'{name}_latency')
        process = found.get(f'{name}_process_latency')
        if total is not None and process is not None:
            waits.append((number, max(0.0, total - process)))
    writes = bool(found.get('op_w') or found.get('op_rw'))
    return OsdRow(
        osd,
        ops_per_s=ops / seconds if seconds else None,
        bytes_per_s=moved / seconds if seconds else None,
        latency=_weighted(
            [
                (number, found[f'{name}_latency'])
                for number, name in kinds
                if f'{name}_latency' in found
            ]
        ),
        queued=_weighted(waits),
        commit=found.get('commit_lat'),
        device=_longest(
            found,
            (
                ('aio_wait_lat', 'deferred_aio_wait_lat')
                if writes
                else ('read_aio_lat',)
            ),
        ),
        replica=found.get('subop_w_latency'),
        inside=found.get('op_wip_mean'),
        trials=1,
    )


def _longest(
    found: Mapping[str, float], names: Tuple[str, ...]
) -> Optional[float]:
    """Return the highest: small writes reach the device when deferred."""
    return max((found[n] for n in names if n in found), default=None)


def _weighted(parts: Iterable[Tuple[float, float]]) -> Optional[float]:
    known = list(parts)
    whole = sum(weight for weight, _ in known)
    if not whole:
        return None
    return sum(weight * value for weight, value in known) / whole


_FIGURES = [
    f.name
    for f in dataclasses.fields(OsdRow)
    if f.name not in ('osd', 'trials', 'z', 'slow_by')
]


def _middle(rows: List[OsdRow], osd: int = -1) -> OsdRow:
    """Return the median of every figure."""
    values: Dict[str, Any] = {}
    for name in _FIGURES:
        known = [v for v in (getattr(r, name) for r in rows) if v is not None]
        values[name] = median(known) if known else None
    return OsdRow(osd, trials=len(rows), **values)


def _table(workload: str, group: str, seen: List[_Seen]) -> OsdTable:
    by_osd: Dict[int, List[OsdRow]] = {}
    for trial in seen:
        for osd, row in trial.osds.items():
            rows = by_osd.setdefault(osd, [])
            if row is not None:
                rows.append(row)
    medians = {o: _middle(rows, o) for o, rows in by_osd.items() if rows}
    scored = _scored(medians)
    ordered = sorted(
        scored.values(),
        key=lambda r: (-(r.z or 0.0), -(r.latency or 0.0), r.osd),
    )
    tenants = [s.tenants for s in seen if s.tenants is not None]
    accuracy = ''
    histograms: Dict[str, Dict[str, float]] = {}
    for kind in sorted({k for s in seen for k in s.histograms}):
        found = [s.histograms[kind] for s in seen if kind in s.histograms]
        accuracy = str(found[0].get('accuracy', ''))
        histograms[kind] = {
            name: median([f[name] for f in found if f.get(name) is not None])
            for name in ('p50', 'p95', 'p99')
            if any(f.get(name) is not None for f in found)
        }
    return OsdTable(
        workload,
        group,
        len(seen),
        tuple(ordered),
        _middle(list(medians.values())),
        histograms,
        accuracy,
        sum(tenants) / len(tenants) if tenants else None,
        tuple(sorted(o for o, rows in by_osd.items() if not rows)),
    )


def _scored(rows: Mapping[int, OsdRow]) -> Dict[int, OsdRow]:
    """Score each OSD by the figure in which it is slowest."""
    found = dict(rows)
    if len(rows) < LEAST:
        return found
    for name in SLOW:
        values = {
            str(osd): value
            for osd, value in ((o, getattr(r, name)) for o, r in rows.items())
            if value is not None
        }
        if len(values) < LEAST:
            continue
        for text, z in z_scores(values).items():
            row = found[int(text)]
            if row.z is None or z > row.z:
                found[int(text)] = dataclasses.replace(
                    row, z=round(z, 2), slow_by=name
                )
    return found


@dataclasses.dataclass(frozen=True)
class Spread:
    """Hold how one figure is spread over the OSDs of a trial."""

    n: int
    min: float
    p10: float
    p25: float
    p50: float
    p75: float
    p90: float
    max: float


def spreads(table: OsdTable) -> Dict[str, Spread]:
    """Return the spread of every figure that some OSD has."""
    found = {}
    for name in _FIGURES:
        values = sorted(
            v
            for v in (getattr(row, name) for row in table.rows)
            if v is not None
        )
        if values:
            low, lower, upper, high = (
                values[round(share * (len(values) - 1))]
                for share in (0.1, 0.25, 0.75, 0.9)
            )
            found[name] = Spread(
                n=len(values),
                min=values[0],
                p10=low,
                p25=lower,
                p50=median(values),
                p75=upper,
                p90=high,
                max=values[-1],
            )
    return found
