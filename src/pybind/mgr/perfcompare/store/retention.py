"""Which stored results go: those beyond the number, age and bytes to keep.

Imported results are counted apart from measured ones, and age from when
they were stored: no file can drive out what was measured here.
"""

from typing import Iterable, List, NamedTuple, Tuple

from ..common.settings import Settings
from .rows import Retention

IMPORTED = 'import:'
DAY = 86400.0


class Kept(NamedTuple):
    """Say of one stored result what counts for it."""

    num: int
    id: str
    at: float  # Unix time from which its age counts
    bytes: int
    imported: bool
    pinned: bool = False  # counts, but stays: it is under way


def of_runs(settings: Settings, aged: bool = False) -> Retention:
    """Return what to keep of runs.

    Age counts where ``aged`` only: for whoever knows that the clock is
    right (expiry.py).
    """
    return _retention(settings, settings.retention_runs, aged)


def of_recoveries(settings: Settings, aged: bool = False) -> Retention:
    """Return what to keep of observed recoveries, and of tests."""
    return _retention(settings, settings.retention_recoveries, aged)


def of_all(settings: Settings) -> Tuple[Retention, Retention]:
    """Return what to keep of runs and of recoveries, their age included."""
    return of_runs(settings, True), of_recoveries(settings, True)


def _retention(settings: Settings, number: int, aged: bool) -> Retention:
    days = settings.retention_days if aged else 0
    return Retention(
        runs=number or None,
        age=days * DAY if days else None,
        bytes=settings.retention_bytes or None,
    )


def beyond(
    results: Iterable[Kept], retention: Retention, now: float
) -> List[Kept]:
    """Return the results that go; the newest of each origin stays.

    That one is beyond its age only.
    """
    gone: List[Kept] = []
    known = sorted(results, key=lambda r: (r.at, r.num))
    for imported in (False, True):
        found = [r for r in known if r.imported is imported]
        count, size = len(found), sum(r.bytes for r in found)
        for result in found:
            old = retention.age is not None and (
                result.at < now - retention.age
            )
            many = retention.runs is not None and count > retention.runs
            large = (
                retention.bytes is not None
                and size > retention.bytes
                and count > 1
            )
            if (old or many or large) and not result.pinned:
                gone.append(result)
                count -= 1
                size -= result.bytes
    return gone
