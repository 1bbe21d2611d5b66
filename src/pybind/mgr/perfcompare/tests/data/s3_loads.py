"""S3 jobs as a worker is given them."""

from typing import Any, Dict

from perfcompare.worker.wire.s3_jobs import S3Trial
from perfcompare.worker.wire.s3_spec import Endpoint, Weighted

from .load_jobs import ACCESS


def trial(**changes: Any) -> S3Trial:
    """Return a short trial of puts, with these changes."""
    values: Dict[str, Any] = dict(
        access=ACCESS,
        deadline=60.0,
        concurrency=8,
        endpoints=(Endpoint('gw', 80),),
        credentials='/c/keys',
        bucket='b',
        prefix='own-',
        sizes=(Weighted(4096),),
        mix=(1.0, 0.0, 0.0, 0.0),
        duration=2.0,
        warmup=1.0,
        write_prefix='new-',
        max_objects=100001,
    )
    return S3Trial(**{**values, **changes})
