"""The CPU that a worker and its host use, and what limits it."""

import subprocess
import sys
import time

import pytest

from perfcompare.worker.runtime.procstat import (
    Meter,
    facts,
    throttling,
    usage,
)


@pytest.mark.process
def test_busy_thread_is_found():
    code = 'import threading,time\nt=threading.Thread(target=lambda:[x for x in iter(int,1)],daemon=True)\nt.start();time.sleep(20)'
    child = subprocess.Popen([sys.executable, '-c', code])
    try:
        time.sleep(0.3)
        meter = Meter()
        for _ in range(3):
            meter.read({child.pid: 0, 999999999: 1})
            time.sleep(0.4)
        meter.read({child.pid: 0})
        (row,) = meter.clients()
        assert row['client'] == 0 and 0.01 < row['cores'] < 1.2
        assert row['thread_cores'] <= row['cores'] + 0.2
        assert 0 < meter.host_busy() <= 1
    finally:
        child.kill()
        child.wait()


@pytest.mark.parametrize(
    'busy,total,share',
    [
        ((13570.44, 13571.04), (27140.9, 27141.5), 1.0),  # of rounding
        ((5.0, 8.0), (10.0, 12.0), 1.0),  # the idle time went back
        ((5.0, 4.0), (10.0, 12.0), 0.0),
        ((5.0, 6.0), (10.0, 12.0), 0.5),
        ((5.0, 6.0), (10.0, 10.0), None),
    ],
)
def test_a_host_is_busy_from_none_to_all(monkeypatch, busy, total, share):
    from perfcompare.worker.runtime import procstat

    readings = [
        procstat.HostUsage(float(at), *pair, {})
        for at, pair in enumerate(zip(busy, total))
    ]
    monkeypatch.setattr(procstat, 'host_usage', lambda: readings.pop(0))
    meter = Meter()
    assert meter.host_busy() is None
    meter.read({})
    meter.read({})
    assert meter.host_busy() == share


def cgroup(folder, periods, stopped):
    folder.mkdir(parents=True, exist_ok=True)
    text = f'nr_periods {periods}\nnr_throttled {stopped}\n'
    (folder / 'cpu.stat').write_text(text)


@pytest.mark.parametrize(
    'line,top',
    [
        ('0::/a/b', ''),
        ('0::/a/b', 'unified'),
        ('5:cpu,cpuacct:/a/b', 'cpu,cpuacct'),
        ('1:cpu:/a/b', 'cpu'),
    ],
)
def test_a_cpu_quota_above_us_is_found(tmp_path, line, top):
    (tmp_path / 'me').write_text('9:memory:/elsewhere\n' + line + '\n')
    me = str(tmp_path / 'me')
    root = tmp_path / 'fs'
    assert throttling(me, str(root)) is None
    cgroup(root / top / 'a' / 'b', 0, 0)
    assert throttling(me, str(root)) is None
    cgroup(root / top / 'a', 100, 90)
    assert throttling(me, str(root)) == (100, 90)
    # in a container the path is not there, its root is
    (tmp_path / 'me').write_text(line.replace('/a/b', '/x') + '\n')
    cgroup(root / top, 10, 3)
    assert throttling(me, str(root)) == (10, 3)


@pytest.mark.process
def test_the_client_that_a_quota_stopped_most_counts(monkeypatch):
    from perfcompare.worker.runtime import procstat

    children = [subprocess.Popen(['sleep', '20']) for _ in range(2)]
    pids = {child.pid: i for i, child in enumerate(children)}
    answers = [(100, 50), None, (200, 140), None, (300, 130), (10, 1)]
    monkeypatch.setattr(
        procstat, 'throttling', lambda membership: answers.pop(0)
    )
    try:
        meter = Meter()
        assert meter.throttled() is None
        meter.read(pids)
        assert meter.throttled() is None
        meter.read(pids)
        assert meter.throttled() == 0.9
        meter.read(pids)
        assert meter.throttled() == 0.4
    finally:
        for child in children:
            child.kill()
            child.wait()


def test_usage_of_a_process_that_is_gone():
    assert usage(999999999) is None


def test_facts_describe_the_host():
    found = facts()
    assert (
        found['cores'] >= 0.1
        and found['arch']
        and found['memory_bytes'] > 1 << 20
    )


def test_what_happens_between_spans_does_not_count(monkeypatch):
    from perfcompare.worker.runtime import procstat

    readings = [
        procstat.HostUsage(at, busy, 4 * at, {'eth0': (0, sent)})
        for at, busy, sent in (
            (0.0, 0.0, 0),
            (1.0, 1.0, 100),
            (9.0, 33.0, 9000),
            (12.0, 36.0, 9500),
        )
    ]
    monkeypatch.setattr(procstat, 'host_usage', lambda: readings.pop(0))
    meter = Meter()
    for _ in range(2):
        meter.read({})
        meter.read({})
        meter.close()
    assert meter.host_busy() == 0.25
    assert meter.busiest_nic()['bytes_per_s'] == 150.0


@pytest.mark.parametrize(
    'speeds, told',
    [
        ({'eth0': 1.0e9, 'eth1': 1000.0}, 'eth1'),  # 2 %, and 90 %
        ({'eth0': 1.0e9, 'eth1': 10000.0}, 'eth0'),  # none is near
        ({'eth1': 10000.0}, 'eth0'),  # what it can do is not known
        ({}, 'eth0'),
    ],
)
def test_the_interface_nearest_to_its_limit_is_told(
    monkeypatch, speeds, told
):
    from perfcompare.worker.runtime import procstat

    readings = [
        procstat.HostUsage(0.0, 0.0, 0.0, {'eth0': (0, 0), 'eth1': (0, 0)}),
        procstat.HostUsage(
            1.0, 1.0, 2.0, {'eth0': (0, 9000), 'eth1': (0, 900)}
        ),
    ]
    monkeypatch.setattr(procstat, 'host_usage', lambda: readings.pop(0))
    monkeypatch.setattr(procstat, 'speed', speeds.get)
    meter = Meter()
    meter.read({})
    meter.read({})
    found = meter.busiest_nic()
    assert found['name'] == told
    assert found['limit_bytes_per_s'] == speeds.get(told)
