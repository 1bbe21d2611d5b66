"""RADOS jobs as a worker is given them."""

from typing import Any, Dict

from perfcompare.worker.wire import jobs

ACCESS = jobs.Access(
    '/c/ceph.conf', '/c/keyring', 'client.perfcompare.x', 'p'
)


def trial(**changes: Any) -> jobs.Trial:
    """Return a short trial of writes, with these changes."""
    values: Dict[str, Any] = dict(
        access=ACCESS,
        concurrency=4,
        deadline=20.0,
        op='write',
        size=4096,
        duration=2.0,
        warmup=1.0,
        run_name='w',
        max_objects=1000,
    )
    return jobs.Trial(**{**values, **changes})
