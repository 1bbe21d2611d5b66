"""One result of what several hosts measured of one trial on images.

Each image is loaded by one host. Times are put on the Manager's clock; from
then on it is as if one host had loaded them all.
"""

from typing import Dict, List

from ...wire.join_jobs import HostResult
from ...wire.rbd_join_jobs import RbdJoin
from .. import joined_hosts
from ..joined_hosts import Data
from .figures import Figures, ImageLoad
from .telling import TOLD, heard


class HostPart(joined_hosts.HostPart):
    """Hold what one host measured."""

    def __init__(self, told: HostResult, data: Data, job: RbdJoin) -> None:
        """Raise one of ODD for data that no trial gives."""
        super().__init__(told, data)
        self.images = heard(
            told.host, told.ahead, job.images, self.evidence.pop(TOLD)
        )
        # fio counts its time from the end of the warm-up on
        self.began = (
            min(image.load.started for image in self.images.values())
            - job.warmup
        )


def join_run(job: RbdJoin) -> joined_hosts.JoinRun[HostPart]:
    """Return what makes one result of all hosts'."""
    return joined_hosts.JoinRun(
        job.results,
        lambda told, data: HostPart(told, data, job),
        lambda parts: _joined(job, parts),
    )


def _joined(job: RbdJoin, parts: List[HostPart]) -> Data:
    """Return the result, as that of one host is."""
    images: Dict[str, ImageLoad] = {}
    for part in parts:
        if not images.keys().isdisjoint(part.images):
            raise ValueError('an image that two hosts loaded')
        images.update(part.images)
    if len(images) != len(job.images):
        raise ValueError('an image that no host loaded')
    loads = [images[name] for name in job.images]
    found = Figures(
        job, loads, 'the load hosts did not measure at the same time'
    )
    return found.result(
        joined_hosts.client(parts),
        {
            'clients': joined_hosts.clients(parts),
            'nic': joined_hosts.busiest_nic(parts),
            'throttled': joined_hosts.worst(parts, 'throttled'),
            'processes': len(loads),
            'images': list(job.images),
            'concurrency': [image.depth for image in loads],
            'nice': job.nice,
            'events_dropped': joined_hosts.dropped(parts),
            'hosts': [_host(job, part, found) for part in parts],
        },
        joined_hosts.remarks(parts),
    )


def _host(job: RbdJoin, part: HostPart, figures: Figures) -> Data:
    """Return a host's share, its errors, its CPU, and how its clock went."""
    loads = list(part.images.values())
    rate = figures.rate(loads) or 0.0
    whole = figures.total_rate
    errors = figures.errors(loads)
    return {
        **part.described(),
        'ops_per_s': rate,
        'share': rate / whole if whole else None,
        'errors': sum(errors.values()),
        'errors_by_reason': errors,
        'late': part.began - job.begin,
    }
