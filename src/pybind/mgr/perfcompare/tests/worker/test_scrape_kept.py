"""Hours of readings of many hosts take little room, and tell the same."""

import pytest

from perfcompare.tests.memory import traced
from perfcompare.worker.scrape.exposition import parse
from perfcompare.worker.scrape.kept import Kept
from perfcompare.worker.scrape.node import CPU, DISKS, NICS, WANTED, reading
from perfcompare.worker.scrape.rates import row
from perfcompare.worker.scrape.summary import intervals
from perfcompare.worker.scrape.tables import pack
from perfcompare.worker.scrape.turns import apart
from perfcompare.worker.wire.scrape_jobs import ALONE, Scrape, Target
from perfcompare.worker.wire.strict import Malformed

HOUR = 3600.0
GAUGES = (
    'node_load1',
    'node_boot_time_seconds',
    'node_memory_MemTotal_bytes',
    'node_pressure_cpu_waiting_seconds_total',
    'node_pressure_io_waiting_seconds_total',
    'node_pressure_memory_waiting_seconds_total',
)


def shown(turn, disks=24):
    """Return a reading of a host, in the given turn."""
    lines = ['node_uname_info{machine="aarch64",release="6.1"} 1']
    for mode in ('idle', 'iowait', 'system', 'user'):
        lines.append(f'{CPU}{{cpu="0",mode="{mode}"}} {1000 + turn}')
    for i in range(disks):
        lines += [f'{n}{{device="sd{i}"}} {turn * i}.5' for n in DISKS]
    lines += [f'{n}{{device="eth0"}} {turn * 10}' for n in NICS]
    lines += [f'{n} {4096 + turn / 8}' for n in GAUGES]
    text = '\n'.join(lines) + '\n'
    return reading(parse(text, WANTED).samples, 5.0 * turn, (), 0.5)


def test_what_is_kept_is_what_was_read():
    kept, told = Kept(), [(10.0 + t, shown(t)) for t in range(3)]
    told.append((20.0, shown(4, disks=2)))  # drives were taken away
    for at, one in told:
        kept.add(at, one)
    assert kept.readings() == told
    assert len(kept) == 4


def test_columns_that_are_had_alone_are_as_with_all_others():
    kept = Kept(ALONE)
    for turn in (1, 3):
        kept.add(float(turn), shown(turn))
    (_, before), (_, after) = kept.readings()
    alone, every = row(before, after), row(shown(1), shown(3))
    assert alone and every and len(alone) < 10 < len(every)
    assert {c: alone[c] for c in ALONE} == {c: every[c] for c in ALONE}
    packed = pack(intervals(kept.readings()), 0.0, ('psi_io', 'cpu_busy'))
    assert {c[0] for c in packed['columns']} == {'psi_io', 'cpu_busy'}


def test_other_columns_are_not_had_alone():
    target = Target('h', 'http://h/')
    Scrape(5.0, (target,), columns=ALONE).check()
    with pytest.raises(Malformed, match='not had alone'):
        Scrape(5.0, (target,), columns=('disk.sda.util',)).check()


def test_a_host_that_was_started_anew_is_told_without_other_columns():
    text = '{c}{{cpu="0",mode="idle"}} {v}\nnode_boot_time_seconds {b}\n'
    kept = Kept(('cpu_busy',))
    for at, boot in ((1.0, 100), (2.0, 900)):
        samples = parse(text.format(c=CPU, v=at, b=boot), WANTED).samples
        kept.add(at, reading(samples, at))
    assert intervals(kept.readings()) == []


@pytest.mark.parametrize('columns, most', [((), 2500), (ALONE, 400)])
def test_a_reading_takes_little_memory(columns, most):
    told = [(float(t), shown(t)) for t in range(50)]
    kept = Kept(columns)
    kept.add(*told[0])
    with traced('*/perfcompare/worker/scrape/*', __file__) as held:
        for at, one in told[1:]:
            kept.add(at, one)
        assert 0 < held() / 49 < most


def turns(hosts, seconds):
    found, now = 0, 0.0
    while now < seconds:
        now += apart(5.0, now, hosts)
        found += 1
    return found


def test_readings_of_a_long_step_are_bounded():
    assert turns(1, HOUR) == 720  # a usual trial has all
    assert turns(20, HOUR) == 720
    assert turns(50, 8 * HOUR) * 50 < 100_000
    assert turns(50, 7 * 24 * HOUR) * 50 < 150_000
    assert turns(1000, 8 * HOUR) * 1000 < 200_000


def test_before_a_window_opens_no_turn_is_left_out():
    assert apart(5.0, -60.0, 1000) == 5.0
    assert apart(5.0, 60.0, 10_000) == 5.0
