"""What several hosts do at one time, as what one does."""

from typing import Optional, Sequence, Tuple

import dataclasses

from ..worker.wire.protocol import Live


def live_sum(hosts: Sequence[Tuple[str, Live, float]]) -> Live:
    """Add up what hosts told last; at least one did.

    Each comes with its name and the seconds that the Manager's clock is ahead
    of its own.
    A rate that one host did not tell is not known of their sum either.
    """
    lives = [live for _, live, _ in hosts]
    errors = sum(live.errors for live in lives)
    worst, told, _ = max(hosts, key=lambda host: host[1].errors)
    return dataclasses.replace(
        lives[0],
        wall=max(live.wall + ahead for _, live, ahead in hosts),
        t=max(live.t for live in lives),
        ops=sum(live.ops for live in lives),
        ops_per_s=_sum([live.ops_per_s for live in lives]),
        bytes_per_s=_sum([live.bytes_per_s for live in lives]),
        latency=_latency(lives),
        in_flight=sum(live.in_flight for live in lives),
        stalled=min(live.stalled for live in lives),
        clients=sum(live.clients for live in lives),
        dropped=sum(live.dropped for live in lives),
        errors=errors,
        failing_host=worst if 2 * told.errors > errors else '',
        most=_most(lives),
    )


def _sum(values: Sequence[Optional[float]]) -> Optional[float]:
    known = [v for v in values if v is not None]
    return sum(known) if len(known) == len(values) else None


def _most(lives: Sequence[Live]) -> Optional[int]:
    known = [live.most for live in lives if live.most is not None]
    return sum(known) if known else None


def _latency(lives: Sequence[Live]) -> Optional[float]:
    """Return the mean over all operations."""
    told = [
        (live.latency, live.ops_per_s)
        for live in lives
        if live.latency is not None and live.ops_per_s
    ]
    rate = sum(r for _, r in told)
    return sum(lat * r for lat, r in told) / rate if rate else None
