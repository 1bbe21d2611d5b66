"""Bursts of deletes: only they are measured, what they take is not."""

from typing import Any, Callable, Dict, List, Optional

import pytest

from perfcompare.tests.data.s3_loads import trial
from perfcompare.tests.fakes.clock import FakeClock
from perfcompare.worker.loads.s3 import bursts
from perfcompare.worker.loads.s3 import progress as s3_progress
from perfcompare.worker.loads.s3.outcome import client_of, result
from perfcompare.worker.loads.s3.progress import Progress
from perfcompare.worker.loads.s3.results import Window
from perfcompare.worker.loads.s3.shared_state import State
from perfcompare.worker.runtime import procstat
from perfcompare.worker.wire.protocol import Live
from perfcompare.worker.wire.s3_jobs import S3Trial
from perfcompare.worker.wire.s3_spec import OPS, Details

CORES = 4.0
COUNTS = (
    'cpu', 'backed_off', 'corrupt', 'substituted', 'created', 'rewritten',
    'abandoned', 'reconnects', 'retried', 'compared', 'late', 'lag', 'cut',
    'connected', 'missing',
)  # fmt: skip


class Gateway:
    """Write and delete in a time of its own; be fleet and context too."""

    processes, dropped = 1, 0
    pids: Dict[int, int] = {}

    def __init__(self, written: float, deleted: float) -> None:
        self.clock = FakeClock()
        self.start = (5000.0, self.clock.monotonic())
        self.outbox = self
        self.told: List[Live] = []
        self._rates = {'fill': written, 'load': deleted}
        self._count = 0
        self._busy = self._sent = 0.0

    # the host

    def usage(self) -> procstat.HostUsage:
        """Return what it did: writing takes all cores and the network."""
        now = self.clock.monotonic()
        nics = {'eth0': (0, int(self._sent))}
        return procstat.HostUsage(now, self._busy, CORES * now, nics)

    def _pass(self, phase: str, seconds: float) -> None:
        self.clock.wait(seconds)
        self._busy += seconds * (CORES if phase == 'fill' else CORES / 4)
        self._sent += seconds * (1e9 if phase == 'fill' else 1e6)

    # the context

    def emit(self, live: Live) -> None:
        self.told.append(live)

    def wall(self, mono: float) -> float:
        return self.start[0] + mono - self.start[1]

    # the fleet

    def turns(self, count: int) -> Any:
        return [(0, 1, count)]

    def slices(self) -> Any:
        return ()

    def run(
        self,
        phases: Any,
        seconds: float,
        watch: Callable[[List[State]], None],
        at: Optional[float] = None,
        pause: float = 0.2,
    ) -> List[Dict[str, Any]]:
        """Do a phase, looked at each ``pause``."""
        (phase,) = phases
        if phase.create:
            self._count = phase.create[2]
        if at is not None:
            self.clock.wait(at - self.clock.monotonic())
        begin = self.clock.monotonic()
        left = self._count / self._rates[phase.name]
        while left > 0:
            done = int((self.clock.monotonic() - begin) * 100)
            watch([State(2, 1, done, 0, 0, 0, 4)])
            step = min(pause, left)
            self._pass(phase.name, step)
            left -= step
        end = self.clock.monotonic()
        ops = {} if phase.create else {'delete': self._row()}
        interval = {
            'from': int(begin * 1e9),
            'to': int(end * 1e9),
            'ops': ops,
            'errors': {},
        }
        return [
            {
                **dict.fromkeys(COUNTS, 0),
                'start': int(begin * 1e9),
                'begin': int(begin * 1e9),
                'end': int(end * 1e9),
                'seconds': end - begin,
                'exhausted': False,
                'run_queue': None,
                'refused': '',
                'endpoints': [
                    {'url': 'u', 'intervals': [interval], 'examples': []}
                ],
            }
        ]

    def _row(self) -> Dict[str, Any]:
        return {'histogram': {'5': self._count}, 'max': 5, 'bytes': 0}


def job(**changes: Any) -> S3Trial:
    mix = tuple(float(op == 'delete') for op in OPS)
    values = {'mix': mix, 'own': True, 'objects': 400, 'warmup': 0.0}
    return trial(**{**values, 'concurrency': 4, 'duration': 7.5, **changes})


class Bench:
    """Do the bursts of a job."""

    def __init__(
        self, monkeypatch: pytest.MonkeyPatch, gateway: Gateway
    ) -> None:
        monkeypatch.setattr(bursts, 'time', gateway.clock)
        monkeypatch.setattr(s3_progress, 'time', gateway.clock)
        monkeypatch.setattr(procstat, 'host_usage', gateway.usage)
        monkeypatch.setattr(procstat, 'speed', lambda nic: 1e9)
        self.gateway: Any = gateway
        self.progress = Progress(self.gateway, lambda: self.gateway)
        self.notes: List[str] = []

    def deletes(self, given: S3Trial) -> List[Window]:
        windows, self.notes = bursts.deletes(
            self.gateway, self.progress, given
        )
        return windows

    def result(self, given: S3Trial) -> Dict[str, Any]:
        windows = self.deletes(given)
        client = client_of(self.progress.meter, 0)
        start = self.gateway.start
        return result(given, start, windows, client, {}, self.notes)


def test_the_client_is_measured_while_it_deletes(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # 2 s of writing before 1 s of deleting: over all 75 % busy
    bench = Bench(monkeypatch, Gateway(200.0, 400.0))
    found = bench.result(job())
    assert found['summary']['host_busy'] == pytest.approx(0.25)
    assert found['evidence']['nic']['share'] == pytest.approx(1e-3)
    assert 'figures of the hosts and OSDs' in bench.notes[0]


def test_of_one_burst_figures_of_hosts_are_of_it_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(monkeypatch, Gateway(200.0, 400.0))
    found = bench.result(job(duration=0.5))
    assert found['evidence']['between'] == 0.0
    assert bench.notes == [
        '1 burst of 400 deletes: 1.0 s measured, the writes before it are '
        'not'
    ]


def test_each_burst_is_a_piece_of_the_window(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Bench(monkeypatch, Gateway(200.0, 400.0)).result(job())
    pieces = found['evidence']['window']
    assert len(pieces) == 8
    assert [end - begin for begin, end in pieces] == pytest.approx([1.0] * 8)
    # by the wall clock, after 2 s of writing
    assert pieces[0][0] == pytest.approx(5002.3)
    gaps = [b[0] - a[1] for a, b in zip(pieces, pieces[1:])]
    assert gaps == pytest.approx([2.3] * 7)
    assert found['evidence']['between'] == pytest.approx(7 * 2.3)


def test_bursts_shorter_than_a_report_are_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(monkeypatch, Gateway(2000.0, 1600.0))
    assert bench.result(job())['summary']['host_busy'] == pytest.approx(0.25)


def test_a_process_is_judged_by_all_bursts_and_not_by_its_busiest_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(monkeypatch, Gateway(200.0, 400.0))
    windows = bench.deletes(job())
    for number, window in enumerate(windows):
        (first,) = window.results
        # a second process, and each has one burst in which it is busy
        window.results.append({**first, 'cpu': 0.3, 'run_queue': 0.2})
        first['cpu'] = 0.9 if number == 1 else 0.5
        first['run_queue'] = 0.35 if number == 2 else 0.03
    meter = bench.progress.meter
    found = result(
        job(), bench.gateway.start, windows, client_of(meter, 0), {}, []
    )
    assert len(windows) == 8
    summary = found['summary']
    assert summary['client_thread_cores'] == pytest.approx(0.55)
    assert summary['client_cores'] == pytest.approx(0.85)
    assert found['evidence']['run_queue'] == pytest.approx([0.07, 0.2])
    # of one process, not the CPU of one and the waiting of another
    assert found['evidence']['wanted'] == pytest.approx(0.62)
    assert found['evidence']['processes'] == 2


def test_where_the_kernel_tells_no_waiting_nothing_is_wanted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    found = Bench(monkeypatch, Gateway(200.0, 400.0)).result(job())
    assert found['evidence']['wanted'] is None


def test_only_deletes_are_told_as_measured(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = Bench(monkeypatch, Gateway(100.0, 400.0))
    windows = bench.deletes(job())
    pieces = [(w.begin / 1e9, w.end / 1e9) for w in windows]
    told = {
        (live.phase, _inside(live, pieces)) for live in bench.gateway.told
    }
    assert told == {('prefill', False), ('measure', True)}


def _inside(live: Live, pieces: Any) -> bool:
    now = live.wall - 4000.0
    return any(begin <= now <= end for begin, end in pieces)


@pytest.mark.parametrize('op, each', [('delete', 1), ('multidelete', 100)])
def test_versions_of_all_bursts_may_be_there_when_it_is_cut(
    monkeypatch: pytest.MonkeyPatch, op: str, each: int
) -> None:
    bench = Bench(monkeypatch, Gateway(1000.0, 1000.0))
    mix = tuple(float(name == op) for name in OPS)
    given = job(
        mix=mix, objects=4000, versioned=True,
        details=Details(delete_batch=100),
    )  # fmt: skip
    windows = bench.deletes(given)
    most = [live.most for live in bench.gateway.told]
    assert most[0] == 4000 // each
    assert most[-1] == len(windows) * 4000 // each == 8000 // each
