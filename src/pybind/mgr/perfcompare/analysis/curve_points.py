"""Reduce the trials of one point of a curve to what is drawn of it."""

from typing import Dict, List

from ..model.workload import Workload
from . import efficiency, offered
from .efficiency import View, enough
from .figures import SideTrials, spread
from .results import CurvePoint, PointSide, Spread
from .rows import Draft

SHOWN = ('p50', 'p95', 'p99', 'p99.9')


def point(row: Draft, used: bool) -> CurvePoint:
    """Return a point of a curve with both groups' figures."""
    return CurvePoint(
        workload=row.workload.name,
        concurrency=str(row.workload.concurrency),
        used=used,
        baseline=_side(row.workload, row.baseline),
        candidate=_side(row.workload, row.candidate),
        offered=row.workload.offered,
    )


def _side(workload: Workload, side: SideTrials) -> PointSide:
    summaries = [t.summary for t in side.trials if t.summary is not None]
    latencies: Dict[str, Spread] = {}
    for name in SHOWN:
        values: List[float] = [
            s.percentiles[name]
            for s in summaries
            if name in s.percentiles and enough(s.ops, name)
        ]
        if values and len(values) == len(summaries):
            latencies[name] = spread(values)
    views = [
        View(trial, manifest, osds, None)
        for trial, manifest, osds in zip(
            side.trials, side.manifests, side.osds
        )
    ]
    return PointSide(
        ops_per_s=spread([s.ops_per_s for s in summaries]),
        bytes_per_s=spread([s.bytes_per_s for s in summaries]),
        latencies=latencies,
        host_cpu=spread([efficiency.host_cpu(v) for v in views]).median,
        client_cpu=spread(
            [efficiency.client_cores(v.trial) for v in views]
        ).median,
        host_cpu_per_op=spread(
            [efficiency.cpu_per_op(v) for v in views]
        ).median,
        client_cpu_per_op=spread(
            [efficiency.client_cpu_per_op(v.trial) for v in views]
        ).median,
        trials=len(side.trials),
        behind=offered.behind(workload, side.trials),
    )
