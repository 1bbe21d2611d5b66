"""The latency probe of a trial: started, awaited, reduced to percentiles."""

from typing import Any, Dict, List, Optional, Sequence, Tuple

import json
import os
import sys
import time

from ...runtime.context import Context
from ...runtime.failure import keyring_secrets, one_line, scrub
from ...runtime.processes import Child
from ...wire import histogram
from ...wire.jobs import Trial
from .rados_bench import metadata
from .windows import Interval

_SCRIPT = os.path.join(
    os.path.dirname(os.path.abspath(__file__)), 'probe_client.py'
)
WAIT = 6.0  # seconds after the end of load, more than its own grace
STATED = ('p50', 'p95', 'p99')
# lateness of more than this share of a percentile makes it none
LATE_SHARE = 0.2
FAILED_SHARE = 0.001
FEW = 'too few operations'
BUSY = 'the client host is too busy'

Evidence = Dict[str, Any]
# of one operation: due (monotonic), late and took in nanoseconds; what did
# not end or failed took less than 0
Asked = Tuple[float, int, int]


class LatencyProbe:
    """Ask beside a trial's load; whatever fails is told, never raised."""

    def __init__(self, job: Trial, context: Context) -> None:
        self._job = job
        self._context = context
        self._child: Optional[Child] = None
        self._names: Tuple[str, int] = ('', 0)
        self._problem = '' if job.probe_rate else job.probe_off

    def prepare(self) -> None:
        """Learn which objects it may read: those of the load."""
        job = self._job
        if not job.probe_rate:
            return
        if job.op == 'write':
            self._names = f'{job.run_name}.probe.', job.probe_objects
            return
        found = metadata(job.access, job.populations[0].run_name)
        if found is not None:
            name = found.object_name(0)
            self._names = name[:-1], found.objects

    def start(self, seconds: float) -> None:
        """Begin; it ends by itself after ``seconds``."""
        job = self._job
        if not job.probe_rate:
            return
        if not self._names[1]:
            self._problem = 'there are no objects that the probe could use'
            return
        spec = {
            'conf': job.access.conf,
            'keyring': job.access.keyring,
            'entity': job.access.entity,
            'pool': job.access.pool,
            'op': 'write' if job.op == 'write' else 'read',
            'size': job.size,
            'rate': job.probe_rate,
            'seed': job.probe_seed,
            'prefix': self._names[0],
            'objects': self._names[1],
            'until': time.monotonic() + seconds,
        }
        argv = [sys.executable, '-I', '-B', _SCRIPT, json.dumps(spec)]
        try:
            self._child = self._context.children.start('latency', argv)
        except OSError as error:
            self._problem = f'the probe cannot start: {error.strerror}'

    def result(self, window: Sequence[Interval], ops: float) -> Evidence:
        """Wait for its end; return what it saw within ``window``.

        ``ops`` are the operations of the load meanwhile.
        """
        found: Evidence = {'rate': self._job.probe_rate, 'percentiles': {}}
        data = self._output() if self._child else {}
        problem = self._problem or data.get('problem', '')
        if problem:
            return {**found, 'reason': problem}
        try:
            found.update(reduce(asked_of(data), data['ended'], window, ops))
            found['errors'] = data['errors']
            found['cpu'] = data['cpu'] / (data['ended'] - data['began'])
        except (LookupError, TypeError, ValueError, ZeroDivisionError):
            return {**found, 'reason': 'what the probe told cannot be read'}
        if found['failed']:
            failed, whole = found['failed'], found['failed'] + found['ops']
            if failed > FAILED_SHARE * whole:
                names = ', '.join(sorted(data['errors']))
                found['reason'] = (
                    f'{failed} of {whole} operations of the probe failed '
                    f'({names})'
                )
                found['percentiles'] = {}
        return found

    def _output(self) -> Dict[str, Any]:
        """Return what it printed; it is killed if it does not end."""
        child = self._child
        assert child is not None
        end = time.monotonic() + WAIT
        while child.poll() is None:
            if time.monotonic() > end:
                child.kill()
                return {'problem': 'the probe did not end'}
            self._context.pause(0.05)
        code = child.poll()
        if code:
            ended = f'by signal {-code}' if code < 0 else f'with code {code}'
            access = self._job.access
            text = scrub(
                one_line(child.errors()), keyring_secrets(access.keyring)
            )[-120:]
            return {'problem': f'the probe ended {ended}: {text or "silent"}'}
        try:
            data = json.loads(child.output())
        except ValueError:
            data = None
        if not isinstance(data, dict):
            return {'problem': 'what the probe told cannot be read'}
        return data


def asked_of(data: Dict[str, Any]) -> List[Asked]:
    """Return the operations that a probe told of."""
    began = float(data['began'])
    return [
        (began + due / 1e9, late, took)
        for due, late, took in zip(data['due'], data['late'], data['took'])
    ]


def reduce(
    asked: Sequence[Asked],
    ended: float,
    window: Sequence[Interval],
    ops: float,
) -> Evidence:
    """Return the figures of what was due within ``window``, as data.

    What did not end counts with the time that it had taken by then.
    """
    inside = [
        one
        for one in asked
        if any(low <= one[0] < high for low, high in window)
    ]
    took: histogram.Sparse = {}
    late: histogram.Sparse = {}
    failed = unfinished = longest = 0
    for due, lateness, value in inside:
        _count(late, lateness)
        if value == -1:
            unfinished += 1
            value = int((ended - due) * 1e9)
        if value < 0:
            failed += 1
            continue
        longest = max(longest, value)
        _count(took, value)
    number = histogram.count(took)
    stated, missing = judge(took, late)
    seconds = sum(high - low for low, high in window)
    return {
        'ops': number,
        'ops_per_s': len(inside) / seconds if seconds > 0 else None,
        'share': len(inside) / (len(inside) + ops) if ops > 0 else None,
        'failed': failed,
        'unfinished': unfinished,
        'mean': histogram.mean(took),
        'max': longest / 1e9 if number else None,
        'late': {
            name: histogram.quantile(late, histogram.NAMES[name])
            for name in histogram.NAMES
        },
        'percentiles': stated,
        'missing': missing,
        'histogram': [[index, took[index]] for index in sorted(took)],
        'reason': '',
    }


def _count(counts: histogram.Sparse, value: int) -> None:
    index = histogram.bucket(value)
    counts[index] = counts.get(index, 0) + 1


def judge(
    took: histogram.Sparse, late: histogram.Sparse
) -> Tuple[Dict[str, float], Dict[str, str]]:
    """Return the percentiles (s) that can be said, and why others cannot.

    The same percentile of the lateness may be a fifth of it at most: what
    the host of the client adds is not what the cluster took.
    """
    stated = histogram.percentiles(took)
    missing = {name: FEW for name in STATED if name not in stated}
    for name in list(stated):
        lateness = histogram.quantile(late, histogram.NAMES[name]) or 0.0
        if lateness > LATE_SHARE * stated[name]:
            missing[name] = BUSY
            del stated[name]
    return stated, missing
