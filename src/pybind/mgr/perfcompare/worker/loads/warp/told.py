"""What one of several hosts tells of a load by warp: counts as ours are.

Warp begins when it is ready to, each of several at another moment, and ends
later than is measured. It keeps every operation with its times, so that all
hosts can count the same seconds.
"""

from typing import Dict, List

from ...interop.warp_rows import Done, Load
from ...runtime.failure import Failure
from ...wire.s3_spec import OPS, Phase
from ...wire.warp_jobs import WarpTrial
from ..s3 import checked
from ..s3.fleet import begun
from ..s3.recorder import Recorder
from ..s3.results import FIRST_BYTE, Result

# of these warp says nothing
UNKNOWN = frozenset(checked.COUNTS) - {'connected', 'created'}


def process(job: WarpTrial, load: Load, zero: int) -> Result:
    """Return a load as a process of ours tells it, without its CPU.

    ``zero`` is the Unix time (ns) at which all hosts were to begin, and the
    times of the result are from there on. Raises Failure where too little of
    the window was measured.
    """
    busy, _, _ = load.active()
    phase, begin = begun(
        Phase('load', job.mix, job.warmup, job.duration),
        0.0,
        max(0.0, (busy - zero) / 1e9),
    )
    start = int(begin * 1e9)
    urls = _urls(job, load)
    recorders = {
        url: Recorder(start, phase.warmup, phase.duration)
        for url in dict.fromkeys(urls.values())
    }
    end = next(iter(recorders.values())).end
    ended = load.ended - zero
    if ended < end:
        raise Failure(
            'short',
            f'warp ended {(end - ended) / 1e9:.1f} s before its time',
        )
    early = True  # each read says when its first byte was there
    for done in load.operations():
        if done.end - zero >= start:
            early = _count(
                recorders[urls[done.place]], done, zero, end, early
            )
    for recorder in recorders.values():
        recorder.finish(end)
    return {
        **dict.fromkeys(UNKNOWN, 0),
        'connected': load.threads,
        'start': start,
        'begin': next(iter(recorders.values())).begin,
        'end': end,
        'backed_off': 0.0,
        'lag': 0.0,
        'run_queue': None,
        'refused': '',
        'endpoints': [
            {
                'url': url,
                'intervals': _intervals(recorder, early),
                'unfinished': recorder.pending(),
                'examples': recorder.examples,
            }
            for url, recorder in recorders.items()
        ],
    }


def _count(
    recorder: Recorder, done: Done, zero: int, end: int, early: bool
) -> bool:
    """Count one operation; say whether first bytes are known so far."""
    op, since, now = OPS.index(done.op), done.start - zero, done.end - zero
    if now >= end:
        # it was under way when the window ended
        if since < end and not done.why:
            recorder.under_way(op, end - since)
        return early
    if done.why:
        recorder.error(op, now, done.why)
        return early
    first = done.first - zero if done.first else now
    recorder.done(op, now, since, done.size, first)
    return early and (bool(done.first) or done.op != 'get')


def _urls(job: WarpTrial, load: Load) -> Dict[int, str]:
    """Return the endpoint of each number that rows have."""
    known = [endpoint.url() for endpoint in job.endpoints]
    named = dict(enumerate(load.endpoints))
    if len(known) == 1:
        return {-1: known[0], **dict.fromkeys(named, known[0])}
    strange = [url for url in named.values() if url not in known]
    if strange or not named:
        raise Failure(
            'load',
            'warp does not say to which endpoint an operation went'
            + (f', but to {strange[0][:100]!r}' if strange else ''),
        )
    return named


def _intervals(recorder: Recorder, early: bool) -> List[Dict[str, object]]:
    if not early:
        for interval in recorder.intervals:
            interval['ops'].pop(FIRST_BYTE, None)
    return recorder.intervals
