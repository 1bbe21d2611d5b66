"""What a probe asked, reduced to percentiles; and a probe that fails."""

import json

import pytest

from perfcompare.worker.loads.rados import latency_probe
from perfcompare.worker.loads.rados.latency_probe import (
    BUSY,
    FEW,
    LatencyProbe,
    reduce,
)
from perfcompare.worker.wire.jobs import Access, Trial, probe_of
from perfcompare.worker.wire.strict import Malformed

MS = 1_000_000
ACCESS = Access('/c/ceph.conf', '/c/keyring', 'client.perfcompare.x', 'pool')


def trial(**given):
    values = dict(
        access=ACCESS, concurrency=4, deadline=60.0, op='write', size=4096,
        duration=10.0, warmup=1.0, run_name='r', max_objects=100,
        probe_rate=100.0, probe_seed=1, probe_objects=16,
    )  # fmt: skip
    return Trial(**{**values, **given})


def asked(number=2000, late=MS // 100):
    """Return operations of 1 to 100 ms, one in 10 ms, from 0 s on."""
    return [(i / 100, late, (1 + i % 100) * MS) for i in range(number)]


def test_only_what_was_due_in_the_window_counts():
    found = reduce(asked(), 20.0, [(5.0, 10.0), (12.0, 17.0)], 99000)
    assert found['ops'] == 1000
    assert found['ops_per_s'] == pytest.approx(100)
    assert found['share'] == pytest.approx(0.01)
    stated = found['percentiles']
    assert stated['p50'] == pytest.approx(0.050, rel=0.01)
    assert stated['p95'] == pytest.approx(0.095, rel=0.01)
    assert stated['p99'] == pytest.approx(0.099, rel=0.01)
    assert found['mean'] == pytest.approx(0.0505, rel=0.01)
    assert found['missing'] == {}
    assert sum(n for _, n in found['histogram']) == 1000


def test_a_percentile_needs_ten_operations_beyond_it():
    found = reduce(asked(), 20.0, [(0.0, 9.0)], 10000)
    assert found['missing'] == {'p99': FEW}
    assert 'p95' in found['percentiles']


def test_lateness_that_is_not_small_makes_a_percentile_none():
    # 15 ms late: much of the median, little of p95
    found = reduce(asked(late=15 * MS), 20.0, [(0.0, 20.0)], 10000)
    assert found['missing'] == {'p50': BUSY}
    assert 'p50' not in found['percentiles']
    assert found['percentiles']['p95'] > 0
    assert found['late']['p50'] == pytest.approx(0.015, rel=0.01)


def test_what_did_not_end_counts_with_its_age():
    rows = asked(1000)
    rows[500:520] = [(5.0 + i / 100, 0, -1) for i in range(20)]
    found = reduce(rows, 12.0, [(0.0, 10.0)], 10000)
    assert found['unfinished'] == 20
    assert found['ops'] == 1000
    assert found['percentiles']['p99'] > 6.0


def test_what_failed_is_counted_and_has_no_latency():
    rows = asked(1000)
    rows[3] = (0.03, 0, -2)
    found = reduce(rows, 12.0, [(0.0, 10.0)], 10000)
    assert (found['failed'], found['ops']) == (1, 999)


class Child:
    def __init__(self, code, out='', err=''):
        self._all = code, out, err

    def poll(self):
        return self._all[0]

    def output(self):
        return self._all[1]

    def errors(self):
        return self._all[2]


class Context:
    """Start a child that is given, or fail."""

    def __init__(self, child):
        self.children = self
        self._child = child

    def start(self, label, argv, nice=0):
        self.spec = json.loads(argv[-1])
        if isinstance(self._child, OSError):
            raise self._child
        return self._child


def told(child, **given):
    probe = LatencyProbe(trial(**given), Context(child))
    probe.prepare()
    probe.start(12)
    return probe.result([(0.0, 20.0)], 10000)


def printed(rows, errors=None):
    return json.dumps(
        {
            'began': 0.0, 'ended': 20.0, 'cpu': 0.4,
            'due': [int(due * 1e9) for due, _, _ in rows],
            'late': [late for _, late, _ in rows],
            'took': [took for _, _, took in rows],
            'errors': errors or {},
        }
    )  # fmt: skip


def test_a_probe_that_worked_has_percentiles():
    found = told(Child(0, printed(asked())))
    assert found['reason'] == ''
    assert set(found['percentiles']) >= {'p50', 'p95', 'p99'}
    assert found['cpu'] == pytest.approx(0.02)
    assert found['rate'] == 100.0


@pytest.mark.parametrize(
    'child, why',
    (
        (Child(-9), 'by signal 9'),
        (Child(1, '', 'it broke'), 'code 1: it broke'),
        (Child(0, 'nothing'), 'cannot be read'),
        (Child(0, '{"due": 1}'), 'cannot be read'),
        (Child(0, '{"problem": "python3-rados is gone"}'), 'is gone'),
        (OSError(12, 'no memory'), 'cannot start: no memory'),
    ),
)
def test_a_probe_that_fails_says_why(child, why):
    found = told(child)
    assert found['percentiles'] == {}
    assert why in found['reason']


def test_a_probe_whose_operations_fail_says_which():
    rows = asked()
    rows[:50] = [(due, late, -2) for due, late, _ in rows[:50]]
    found = told(Child(0, printed(rows, {'ENOSPC': 50})))
    assert found['percentiles'] == {}
    assert found['reason'].startswith('50 of 2000') and (
        'ENOSPC' in found['reason']
    )


def test_without_a_rate_there_is_none_and_it_says_why():
    found = told(None, probe_rate=0.0, probe_off='switched off')
    assert found == {'rate': 0.0, 'percentiles': {}, 'reason': 'switched off'}


def test_reads_are_of_the_objects_of_the_load(monkeypatch):
    class Metadata:
        objects = 77

        def object_name(self, index):
            return f'benchmark_data_host_5_object{index}'

    monkeypatch.setattr(latency_probe, 'metadata', lambda *_: Metadata())
    context = Context(Child(0, printed(asked())))
    populations = (latency_probe_population(),)
    probe = LatencyProbe(
        trial(op='rand', populations=populations, run_name=''), context
    )
    probe.prepare()
    probe.start(5)
    assert context.spec['prefix'] == 'benchmark_data_host_5_object'
    assert context.spec['objects'] == 77
    assert context.spec['op'] == 'read'


def latency_probe_population():
    from perfcompare.worker.wire.jobs import Population

    return Population('p', 77, 4096)


def test_a_gentle_start_has_no_probe_and_rates_are_bounded():
    assert probe_of(trial()).probe_rate == 0.0
    trial().check()
    for bad in ({'probe_rate': 2000.0}, {'probe_objects': 0}):
        with pytest.raises(Malformed):
            trial(**bad).check()
