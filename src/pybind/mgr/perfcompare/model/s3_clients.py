"""Which program makes the load of S3 workloads: ours, or MinIO's warp."""

from typing import Dict, Iterable, Optional

from ..common.errors import InvalidArgument
from .workload import Workload

OWN = 'own'
WARP = 'warp'
# option -> tool of a workload
TOOLS: Dict[str, str] = {OWN: 's3', WARP: WARP}
WARP_OPS = ('s3-put', 's3-get', 's3-stat', 's3-mixed')
WARP_MIXES = ('put', 'get', 'stat', 'delete')


def tool(client: Optional[str]) -> str:
    """Return the tool of S3 workloads; None is our own generator."""
    found = TOOLS.get(client or OWN)
    if found is None:
        raise InvalidArgument(
            f'--s3-client {client!r} is not one of ' + ', '.join(TOOLS)
        )
    return found


def check(workloads: Iterable[Workload]) -> None:
    """Raise InvalidArgument for what warp cannot do as our own does."""
    for workload in workloads:
        if workload.tool != WARP:
            continue
        why = ''
        if workload.op == 's3-delete':
            why = 'warp deletes in mixes only'
        elif workload.op not in WARP_OPS:
            why = 'warp has no load that would be the same'
        elif workload.s3 is not None and any(
            item.op not in WARP_MIXES for item in workload.s3.mix
        ):
            why = 'warp mixes get, put, stat and delete only'
        elif workload.s3 is not None and workload.s3.keys:
            why = 'warp uses all objects alike'
        elif workload.s3 is not None and (
            workload.s3.buckets or workload.s3.prefixes
        ):
            why = 'warp uses one bucket, and names of its own'
        elif workload.s3 is not None and workload.s3.checksum:
            why = 'warp chooses the checksum itself'
        elif workload.s3 is not None and (
            workload.s3.encryption or workload.s3.tags
        ):
            why = 'it neither tags objects nor has them encrypted here'
        elif workload.s3 is not None and workload.s3.think_time:
            why = 'warp makes no pauses'
        elif workload.s3 is not None and workload.s3.versioning:
            why = 'what warp leaves in versioned buckets is not known'
        elif workload.cache:
            why = 'warp reads what it wrote before, from wherever it is'
        elif workload.rate:
            why = 'warp has no open loop'
        elif workload.read_sizes or workload.write_sizes:
            why = 'warp has no weighted sizes'
        if why:
            raise InvalidArgument(
                f'--s3-client warp cannot run {workload.name}: {why}; leave '
                'it out'
            )
