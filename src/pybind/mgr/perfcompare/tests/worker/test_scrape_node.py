"""What node_exporter says becomes rates, shares and figures of a window."""

import dataclasses
import time

import pytest

from perfcompare.worker.scrape.exposition import parse
from perfcompare.worker.scrape.node import WANTED, reading
from perfcompare.worker.scrape.rates import row, unit
from perfcompare.worker.scrape.summary import (
    intervals,
    summarize,
    with_power,
)
from perfcompare.worker.scrape.tables import pack, round_float
from perfcompare.worker.wire.columns import decode


def text(
    seconds: float,
    slow: float = 0.0,
    boot: float = 1e9,
    page: int = 4096,
    machine: str = 'aarch64',
) -> str:
    """Return a host's text: half busy, a disk at 30 %, a NIC at 1 MB/s."""
    lines = [f'node_boot_time_seconds {boot}', 'node_load1 3.5']
    for cpu in range(4):
        for mode, share in (
            ('idle', 0.4),
            ('iowait', 0.1),
            ('user', 0.3),
            ('system', 0.15),
            ('softirq', 0.05),
        ):
            lines.append(
                f'node_cpu_seconds_total{{cpu="{cpu}",mode="{mode}"}} '
                f'{share * seconds}'
            )
    lines += [
        f'node_memory_MemTotal_bytes {page * 15_625_001}',
        f'node_memory_MemAvailable_bytes {page * (7_812_503 - int(seconds))}',
        f'node_memory_MemFree_bytes {page * 1_234_567}',
        f'node_memory_Cached_bytes {page * 98_765}',
        f'node_vmstat_pswpin {2 * seconds}',
        f'node_pressure_cpu_waiting_seconds_total {0.25 * seconds}',
        f'node_pressure_io_waiting_seconds_total {0.5 * seconds}',
        f'node_network_receive_bytes_total{{device="eth0"}} {1e6 * seconds}',
        f'node_network_transmit_bytes_total{{device="eth0"}} {5e5 * seconds}',
        f'node_network_receive_drop_total{{device="eth0"}} {seconds}',
        'node_network_speed_bytes{device="eth0"} 1.25e8',
        'node_network_speed_bytes{device="bond0"} -125000',
        f'node_network_receive_bytes_total{{device="lo"}} {9e9 * seconds}',
        f'node_network_receive_bytes_total{{device="veth1"}} {seconds}',
        f'node_rapl_package_joules_total{{index="0"}} {60 * seconds}',
        f'node_rapl_package_joules_total{{index="1"}} {50 * seconds}',
        f'node_rapl_dram_joules_total{{index="0"}} {10 * seconds}',
        'node_hwmon_chip_names{chip="pci0",chip_name="nvme"} 1',
        'node_hwmon_chip_names{chip="platform_c0",chip_name="coretemp"} 1',
        'node_hwmon_temp_celsius{chip="pci0",sensor="t1"} 90',
        'node_hwmon_temp_celsius{chip="platform_c0",sensor="t1"} 61',
        'node_hwmon_temp_celsius{chip="platform_c0",sensor="t2"} 64',
        f'node_cpu_core_throttles_total{{core="0"}} {slow * seconds}',
        'node_cpu_frequency_max_hertz{cpu="0"} 3.0e9',
        f'node_uname_info{{machine="{machine}",nodename="h",release="6"}} 1',
    ]
    for device in ('sda', 'loop1', 'dm-0'):
        for name, rate in (
            ('io_time_seconds', 0.3),
            ('io_time_weighted_seconds', 1.5),
            ('read_bytes', 0.0),
            ('written_bytes', 4e6),
            ('reads_completed', 0.0),
            ('writes_completed', 100.0),
            ('read_time_seconds', 0.0),
            ('write_time_seconds', 0.5),
        ):
            lines.append(
                f'node_disk_{name}_total{{device="{device}"}} '
                f'{rate * seconds}'
            )
    return '\n'.join(lines) + '\n'


def read(seconds: float, disks=(), **kwargs):
    samples = parse(text(seconds, **kwargs), WANTED).samples
    return reading(samples, seconds, disks)


def series(*times: float, **kwargs):
    return [(1000.0 + t, read(100.0 + t, **kwargs)) for t in times]


def test_an_answer_that_an_exporter_kept_is_no_reading():
    readings = series(0.0, 1.0, 3.0)
    kept = dataclasses.replace(readings[1][1], at=102.0)
    readings.insert(2, (1002.0, kept))
    found = intervals(readings)
    assert [(i.start, i.end) for i in found] == [(1000, 1001), (1001, 1003)]
    assert [i.row['disk.sda.util'] for i in found] == pytest.approx([0.3] * 2)


def test_cpu_is_told_by_mode_over_all_cores():
    found = summarize(series(0, 5, 10))
    assert found['cores'] == 4
    assert found['cpu_busy'] == pytest.approx(0.5)
    assert found['cpu_iowait'] == pytest.approx(0.1)
    assert found['cpu_user'] == pytest.approx(0.3)
    assert found['cpu_system'] == pytest.approx(0.15)
    assert found['cpu_softirq'] == pytest.approx(0.05)
    assert 'cpu_steal' not in found
    assert found['cpu_busy_max'] == pytest.approx(0.5)


def test_disks_have_utilization_await_and_queue():
    disk = summarize(series(0, 5))['disks']['sda']
    assert disk['util'] == pytest.approx(0.3)
    assert disk['await'] == pytest.approx(0.005)
    assert disk['queue'] == pytest.approx(1.5)
    assert disk['write_bytes_per_s'] == pytest.approx(4e6)


def test_loops_and_layers_count_only_where_osds_use_them():
    assert set(summarize(series(0, 5))['disks']) == {'sda'}
    found = summarize(series(0, 5, disks=('loop1',)))
    assert set(found['disks']) == {'sda', 'loop1'}


def test_a_device_that_means_harm_takes_no_time():
    device = 'dm-' + '1' * 60000 + '\\n'
    line = f'node_disk_reads_completed_total{{device="{device}"}} 1\n'
    samples = parse(line, WANTED).samples
    began = time.thread_time()
    reading(samples, 1.0)
    assert time.thread_time() - began < 2.0


def test_interfaces_have_rates_and_speed_but_not_loopback():
    nics = summarize(series(0, 5))['nics']
    assert set(nics) == {'eth0'}
    assert nics['eth0']['rx_bytes_per_s'] == pytest.approx(1e6)
    assert nics['eth0']['speed_bytes_per_s'] == 1.25e8
    assert nics['eth0']['drops_per_s'] == pytest.approx(1.0)


def test_an_unknown_speed_is_not_available():
    speed = read(1.0).nics['bond0']['speed']
    assert speed < 0
    assert 'bond0' not in summarize(series(0, 5))['nics']


def test_heat_is_that_of_processors_and_power_that_of_rapl():
    found = summarize(series(0, 5))
    assert found['temperature'] == 64.0
    assert found['watts'] == pytest.approx(120.0)
    assert found['watts_source'] == 'rapl'
    assert found['ghz'] == 3.0
    assert found['throttled'] == 0.0
    assert summarize(series(0, 5, slow=2.0))['throttled'] == pytest.approx(2)


def test_ipmi_counts_before_rapl():
    more = 'ipmi_dcmi_power_consumption_watts{id="1"} 410\n'
    found = [
        (t, reading(parse(text(t) + more, WANTED).samples, t))
        for t in (10.0, 15.0)
    ]
    result = summarize(found)
    assert (result['watts'], result['watts_source']) == (410.0, 'ipmi')


def powered(*watts, window=None, boards=()):
    """Summarize readings every 5 s; None is one without IPMI."""
    readings = []
    for i, value in enumerate(watts):
        more = (
            ''
            if value is None
            else f'ipmi_dcmi_power_consumption_watts{{id="1"}} {value}\n'
        )
        if i < len(boards):
            meter = '{chip="power_meter_0",sensor="power1"}'
            more += f'node_hwmon_power_average_watt{meter} {boards[i]}\n'
        samples = parse(text(100.0 + 5 * i) + more, WANTED).samples
        readings.append((5.0 * i, reading(samples, 100.0 + 5 * i)))
    return readings, summarize(readings, window)


@pytest.mark.parametrize('last', [410, None])
def test_power_is_never_a_mean_over_unlike_sensors(last):
    readings, found = powered(400, 400, None, 420, last)
    values = [400, 420] + [410] * (last is not None)
    assert found['watts_source'] == 'ipmi'
    assert found['watts'] == pytest.approx(sum(values) / len(values))
    assert found['watts_max'] == 420
    assert found['watts_covered'] == len(values) / 4
    rows = with_power(intervals(readings), 'ipmi')
    assert [i.row.get('watts') for i in rows] == [400, None, 420, last]


def test_power_of_a_window_is_of_the_sensors_that_told_it_there():
    _, found = powered(400, 400, None, None, window=(5.0, 15.0))
    assert (found['watts_source'], found['watts']) == ('rapl', 120.0)
    assert found['watts_covered'] == 1.0


def test_a_better_sensor_that_told_it_once_is_not_the_power_of_a_window():
    boards = [400] * 7 + [500] * 7
    told = [None] * 7 + [310] + [None] * 6
    _, found = powered(*told, boards=boards)
    assert found['watts_source'] == 'hwmon'
    assert found['watts'] == pytest.approx((6 * 400 + 7 * 500) / 13)
    assert found['watts_covered'] == 1.0


def test_power_that_was_told_before_a_window_is_not_of_it():
    """A slow sensor told it before there was any load, and then rested."""
    readings, _ = powered(*[100] * 14)
    held = [
        (at, dataclasses.replace(one, held=at + 5.0)) for at, one in readings
    ]
    found = summarize(held, (0.0, 65.0))
    assert (found['watts_source'], found['watts']) == ('rapl', 120.0)
    # told again within it, for more than half of it
    for i, (at, one) in enumerate(held):
        if at >= 30.0:
            held[i] = at, dataclasses.replace(one, held=at - 28.0)
            one.gauges['ipmi_watts'] = 300.0
    found = summarize(held, (0.0, 65.0))
    assert (found['watts_source'], found['watts']) == ('ipmi', 300.0)
    assert found['watts_covered'] == pytest.approx(40 / 65)


def test_power_that_was_told_for_less_than_half_of_a_window_is_not_known():
    readings, _ = powered(400, 400, None, None, None)
    for _, one in readings:
        del one.counters['package_joules']
    found = summarize(readings)
    assert found['samples'] == 4
    assert not any(name.startswith('watts') for name in found)


@pytest.mark.parametrize('name', ['package_joules', 'dram_joules'])
def test_power_while_one_of_its_counters_begins_anew_is_left_out(name):
    readings, _ = powered(*[None] * 5)
    for _, one in readings[3:]:
        one.counters[name] -= 65536.0
    found = summarize(readings)
    assert (found['watts_source'], found['watts']) == ('rapl', 120.0)
    assert found['watts_covered'] == 0.75


def test_power_of_a_host_that_tells_nothing_of_its_memory():
    readings, _ = powered(*[None] * 3)
    for _, one in readings:
        del one.counters['dram_joules']
    assert summarize(readings)['watts'] == pytest.approx(110.0)


def test_pressure_and_swap_are_rates():
    found = summarize(series(0, 5))
    assert found['psi_io'] == pytest.approx(0.5)
    assert found['swap_in_bytes_per_s'] == pytest.approx(2 * 4096)
    assert 'psi_memory' not in found


@pytest.mark.parametrize('page', [4096, 16384, 65536])
def test_swap_counts_pages_of_the_size_that_the_kernel_has(page):
    found = summarize(series(0, 5, page=page))
    assert found['swap_in_bytes_per_s'] == pytest.approx(2 * page)


def test_swap_of_an_unknown_page_is_not_available_unless_there_was_none():
    found = summarize(series(0, 5, page=1000))
    assert 'swap_in_bytes_per_s' not in found
    readings = series(0, 5, page=1000)
    for _, one in readings:
        one.counters['swap_in'] = 7.0
    assert summarize(readings)['swap_in_bytes_per_s'] == 0.0


def test_pages_of_x86_are_known_whatever_memory_shows():
    found = summarize(series(0, 5, page=1000, machine='x86_64'))
    assert found['swap_in_bytes_per_s'] == pytest.approx(2 * 4096)


def test_only_the_window_counts():
    calm, busy = read(100.0), read(105.0)
    idle = read(110.0)
    for mode in idle.cpu:  # all idle in the second interval
        idle.cpu[mode] = busy.cpu[mode] + (20.0 if mode == 'idle' else 0.0)
    readings = [(0.0, calm), (5.0, busy), (10.0, idle)]
    assert summarize(readings, (0.0, 5.0))['cpu_busy'] == pytest.approx(0.5)
    assert summarize(readings, (5.0, 10.0))['cpu_busy'] == pytest.approx(0.0)
    both = summarize(readings, (2.5, 10.0))
    assert both['cpu_busy'] == pytest.approx(0.5 / 3)
    assert both['cpu_busy_max'] == pytest.approx(0.5)
    assert both['covered'] == 1.0


def test_a_window_without_samples_has_no_figures():
    assert summarize(series(0, 5), (5000.0, 5010.0)) == {'samples': 0}
    assert summarize([]) == {'samples': 0}
    assert summarize(series(0)) == {'samples': 0}


def test_coverage_tells_of_gaps_at_the_edges():
    assert summarize(series(0, 5), (1000, 1010))['covered'] == 0.5


def test_an_interval_that_is_mostly_outside_tells_nothing_of_a_window():
    """Scraped every 60 s, a trial of 30 s has no figures, or few."""
    before = summarize(series(45, 105), (1100, 1130))
    assert before == {'samples': 0}
    after = summarize(series(0, 60, 120), (1050, 1130))
    assert after['samples'] == 1 and after['covered'] == 0.75


def test_a_failed_scrape_lengthens_an_interval():
    found = summarize(series(0, 5, 15), (1000, 1015))
    assert found['covered'] == 1.0
    assert found['samples'] == 2
    assert found['cpu_busy'] == pytest.approx(0.5)


def test_a_reboot_is_a_gap_not_a_rate():
    before, after = read(100.0, boot=1e9), read(5.0, boot=2e9)
    assert row(before, after) is None
    again = [(100.0, before), (105.0, after), (110.0, read(10.0, boot=2e9))]
    assert len(intervals(again)) == 1


def test_a_counter_that_went_back_has_no_figure():
    before, after = read(100.0), read(105.0)
    after.nics['eth0']['rx'] = 0.0
    found = row(before, after)
    assert 'nic.eth0.rx_bytes_per_s' not in found
    assert 'nic.eth0.tx_bytes_per_s' in found


def test_a_sensor_without_a_value_is_absent():
    samples = parse('node_load1 NaN\nnode_boot_time_seconds 5\n').samples
    assert 'load1' not in reading(samples, 0.0).gauges


def test_packed_columns_come_back_within_their_rounding():
    rows = intervals(series(0, 5.01, 10))
    packed = pack(rows, 1000.0)
    assert list(decode(packed['t'])) == pytest.approx([5.01, 10], abs=0.01)
    columns = {name: (u, decode(v)) for name, u, v in packed['columns']}
    assert columns['disk.sda.util'][0] == '1'
    assert columns['cpu_busy'][1][1] == pytest.approx(0.5, rel=3e-4)
    assert 'disk.sda.read_bytes_per_s' not in columns  # zero throughout


def test_rounding_keeps_twelve_bits():
    for value in (1.0, 0.1, 123456.789, 9.9e-7, -5.5):
        assert round_float(value) == pytest.approx(value, rel=2.0**-12)
    assert round_float(1e300) != round_float(1e300)


@pytest.mark.parametrize(
    'name, text',
    [
        ('cpu_busy', '1'),
        ('nic.eth0.rx_bytes_per_s', 'B/s'),
        ('disk.sda.await', 's'),
        ('disk.sda.util', '1'),
        ('mem_available', 'B'),
        ('watts', 'W'),
    ],
)
def test_units(name, text):
    assert unit(name) == text
