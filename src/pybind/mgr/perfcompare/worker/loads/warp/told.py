"""What a host tells of a load by warp: counts as ours are.

Warp begins when it is ready to, each of several at another moment, and ends
later than is measured. It keeps every operation with its times, so that fixed
seconds can be counted, the same ones by all hosts.
"""

from typing import Dict, List

import dataclasses

from ...interop.warp_rows import Done, Load
from ...runtime.failure import Failure
from ...wire.s3_spec import OPS, Phase
from ...wire.warp_jobs import WarpTrial
from ..s3 import checked
from ..s3.fleet import begun
from ..s3.join import SHARE
from ..s3.recorder import Recorder
from ..s3.results import FIRST_BYTE, Result

# of these warp says nothing
UNKNOWN = frozenset(checked.COUNTS) - {'connected', 'created'}
# of the evidence of a load of ours, likewise
NOT_TOLD = UNKNOWN | {
    'attempts',
    'backed_off',
    'clients',
    'examples',
    'lag',
    'refused',
    'run_queue',
    'wanted',
}
# some releases end so what is under way when their time is over
CUT_OFF = ('context deadline exceeded', 'context canceled')
DRAIN = 1_000_000  # ns: the least of what follows the window


def process(job: WarpTrial, load: Load, zero: int) -> Result:
    """Return a load as a process of ours tells it, without its CPU.

    ``zero`` is the Unix time (ns) at which all hosts were to begin, for one
    host that at which its load did, and the times of the result are from
    there on. Raises Failure where too little of the window was measured.
    """
    # the threads of one warp begin together
    busy = load.active()[0] if job.hosts > 1 else zero
    phase, begin = begun(
        Phase('load', job.mix, job.warmup, job.duration),
        0.0,
        max(0.0, (busy - zero) / 1e9),
    )
    start = int(begin * 1e9)
    phase = _ended(job, phase, (load.ended - zero) / 1e9 - begin)
    urls = _urls(job, load)
    recorders = {
        url: Recorder(start, phase.warmup, phase.duration)
        for url in dict.fromkeys(urls.values())
    }
    end = next(iter(recorders.values())).end
    early = True  # each read says when its first byte was there
    for done in load.operations():
        if done.end - zero >= start:
            early = _count(
                recorders[urls[done.place]], done, zero, end, early
            )
    last = max(load.ended - zero, end + DRAIN)
    for recorder in recorders.values():
        # what was under way at the end has failed later
        recorder.finish(last if recorder.edge > end else end)
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


def _ended(job: WarpTrial, phase: Phase, seconds: float) -> Phase:
    """Return a phase as far as warp went on, for ``seconds``."""
    lacks = phase.warmup + phase.duration - seconds
    if lacks <= 0:
        return phase
    if job.hosts > 1:
        raise Failure('short', f'warp ended {lacks:.1f} s before its time')
    measured = max(0.0, phase.duration - lacks)
    if measured < SHARE * job.duration:
        raise Failure(
            'short',
            f'only {measured:.1f} s of {job.duration:g} s could be measured: '
            'warp ended before its time',
        )
    return dataclasses.replace(phase, duration=measured)


def _count(
    recorder: Recorder, done: Done, zero: int, end: int, early: bool
) -> bool:
    """Count one operation; say whether first bytes are known so far."""
    op, since, now = OPS.index(done.op), done.start - zero, done.end - zero
    if now >= end:
        # it was under way when the window ended
        if since < end:
            recorder.under_way(op, end - since)
            if done.why and done.why not in CUT_OFF:
                recorder.error(op, now, done.why)
        return early
    if done.why:
        recorder.error(op, now, done.why)
        return early
    first = done.first - zero if done.first else now
    recorder.done(op, now, since, done.size, first)
    return early and (bool(done.first) or done.op != 'get')


def _urls(job: WarpTrial, load: Load) -> Dict[int, str]:
    """Return the endpoint of each number that rows have."""
    known = {}
    for endpoint in job.endpoints:
        scheme = 'https' if endpoint.tls else 'http'
        # it is told without the port that the scheme has
        for name in (endpoint.url(), f'{scheme}://{endpoint.authority()}'):
            known[name] = endpoint.url()
    named = dict(enumerate(load.endpoints))
    if len(job.endpoints) == 1:
        (url,) = set(known.values())
        return {-1: url, **dict.fromkeys(named, url)}
    strange = [name for name in named.values() if name not in known]
    if strange or not named:
        raise Failure(
            'load',
            'warp does not say to which endpoint an operation went'
            + (f', but to {strange[0][:100]!r}' if strange else ''),
        )
    return {number: known[name] for number, name in named.items()}


def _intervals(recorder: Recorder, early: bool) -> List[Dict[str, object]]:
    if not early:
        for interval in recorder.intervals:
            interval['ops'].pop(FIRST_BYTE, None)
    return recorder.intervals
