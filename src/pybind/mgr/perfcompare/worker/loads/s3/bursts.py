"""Bursts of deletes: of what was just written, again and again."""

from typing import List, Tuple

import time

from ...wire.s3_jobs import FILL_SPAN, S3Trial
from ...wire.s3_spec import MULTIDELETE, Phase, weights
from . import sound
from .filling import ENDLESS, fill
from .fleet import HEAD_START, Fleet
from .progress import Progress
from .results import Window

BURST = 64  # deletes per operation in flight, between two fills
BATCHES = 8  # multi-deletes per operation in flight, between two fills
LEAST_BURSTS = 4
LOOKS = 0.05  # seconds between two looks at whether a burst has ended


def deletes(
    fleet: Fleet, progress: Progress, job: S3Trial
) -> Tuple[List[Window], List[str]]:
    """Return a window for each burst, and notes; writes are in none."""
    windows: List[Window] = []
    most = job.max_objects or 1 << 62  # that all bursts may write
    each, batch = BURST, 1
    if weights(job.mix)[MULTIDELETE]:
        batch = job.details.delete_batch
        each = max(BURST, BATCHES * batch)
    burst = min(
        max(job.objects, each * job.concurrency),
        max(job.concurrency, most // LEAST_BURSTS),
    )
    first, measured = 0, 0.0
    limit = time.monotonic() + job.duration + FILL_SPAN
    phase = Phase('load', job.mix, 0.0, 0.0)
    while measured < job.duration and time.monotonic() < limit:
        if windows and first + burst > most:
            break
        # versions of what is deleted stay, those of former bursts too
        progress.most = -(-(first + burst) // batch)
        fill(fleet, progress, burst, first)
        first += burst
        begin = time.monotonic() + HEAD_START
        progress.measure(begin)
        found = fleet.run(
            [phase] * fleet.processes, ENDLESS, progress.watch, begin, LOOKS
        )
        progress.measured()
        window = Window(found, False)
        sound.require(job, window)
        windows.append(window)
        measured += window.seconds
    return windows, [_note(len(windows), burst, measured)]


def _note(bursts: int, deletes: int, seconds: float) -> str:
    if bursts == 1:
        return (
            f'1 burst of {deletes} deletes: {seconds:.1f} s measured, the '
            'writes before it are not'
        )
    return (
        f'{bursts} bursts of {deletes} deletes: {seconds:.1f} s measured, '
        'the writes between them are not; figures of the hosts and OSDs of '
        'the group are of both'
    )
