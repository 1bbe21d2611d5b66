"""Power meters of boards are added up only where none is within another."""

import time

import pytest

from perfcompare.worker.scrape.exposition import parse
from perfcompare.worker.scrape.node import WANTED, reading


def page(*meters):
    """Return a text with meters: driver, number, label, metric, watts."""
    lines = []
    for at, (driver, number, label, kind, watts) in enumerate(meters):
        where = f'chip="{driver}_{number}",sensor="power{at}"'
        lines += [
            f'node_hwmon_power{kind}_watt{{{where}}} {watts}',
            f'node_hwmon_chip_names{{chip="{driver}_{number}",'
            f'chip_name="{driver}"}} 1',
        ]
        if label:
            lines.append(
                f'node_hwmon_sensor_label{{{where},label="{label}"}} 1'
            )
    return '\n'.join(lines) + '\n'


def watts(*meters):
    samples = parse(page(*meters), WANTED).samples
    return reading(samples, 1.0).gauges.get('hwmon_watts')


def grace(socket, *labels):
    known = {'Module': 300, 'Grace': 250, 'CPU': 200, 'SysIO': 40}
    return [
        (
            'power_meter', f'{socket}{i}',
            f'{label} Power Socket {socket}' if label else '',
            '_average', known.get(label, 100 + i),
        )
        for i, label in enumerate(labels)
    ]  # fmt: skip


def test_of_modules_that_have_all_others_within_only_they_count():
    sockets = [
        *grace(0, 'Module', 'Grace', 'CPU', 'SysIO'),
        *grace(1, 'Module', 'Grace', 'CPU', 'SysIO'),
    ]
    assert watts(*sockets) == 600


def test_of_power_supplies_only_the_inputs_count():
    supplies = [
        ('pmbus', '1', 'pin', '', 210), ('pmbus', '1', 'pout1', '', 200),
        ('pmbus', '2', 'pin', '', 110), ('pmbus', '2', 'pout1', '', 100),
    ]  # fmt: skip
    assert watts(*supplies) == 320


@pytest.mark.parametrize(
    'meters',
    [
        grace(0, '', '', '', ''),
        grace(0, 'CPU', 'SysIO'),
        [('psu', '1', 'pin', '', 210), ('vrm', '2', 'pin1', '', 90)],
    ],
)
def test_what_may_overlap_is_not_added_up(meters):
    assert watts(*meters) is None


def test_a_meter_that_is_alone_is_that_of_the_host():
    assert watts(('power_meter', '0', '', '_average', 180)) == 180
    card = ('amdgpu', '1', 'PPT', '_average', 90)
    assert watts(('power_meter', '0', '', '_average', 180), card) == 180
    assert watts(card) is None


def test_cpu_and_io_of_one_processor_do_not_overlap():
    parts = [
        ('apm_xgene', '0', 'CPU power', '', 60),
        ('apm_xgene', '0', 'IO power', '', 25),
    ]
    assert watts(*parts) == 85
    assert watts(*parts, ('power_meter', '0', '', '_average', 180)) == 180


def test_of_one_meter_the_average_counts_before_the_moment():
    chip = 'chip="c",sensor="power1"'
    text = (
        f'node_hwmon_power_watt{{{chip}}} 90\n'
        f'node_hwmon_power_average_watt{{{chip}}} 80\n'
    )
    samples = parse(text, WANTED).samples
    assert reading(samples, 1.0).gauges['hwmon_watts'] == 80


def test_a_label_that_means_harm_takes_no_time():
    label = 'module ' * 9000 + '\\n'
    began = time.thread_time()
    assert watts(('power_meter', '0', label, '_average', 180)) == 180
    assert time.thread_time() - began < 2.0
