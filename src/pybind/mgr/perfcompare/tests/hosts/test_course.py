"""What hosts did in the course of a trial, all of them together."""

from array import array

from ...hosts import course
from ...model.series import Table, column

START = 1000.0


def host(t, wall=START, **columns):
    names = {
        'cpu': 'cpu_busy',
        'sda': 'disk.sda.util',
        'sdb': 'disk.sdb.util',
        'rx': 'nic.eth0.rx_bytes_per_s',
        'tx': 'nic.eth0.tx_bytes_per_s',
        'queue': 'disk.sda.queue',
    }
    return Table(
        wall,
        array('d', t),
        tuple(column(names[n], '', v) for n, v in columns.items()),
    )


def test_the_busiest_host_and_disk_and_all_of_the_network():
    one = host([1, 2], cpu=[0.1, 0.9], sda=[0.2, 0.2], rx=[1, 2], tx=[3, 4])
    two = host([1, 2], cpu=[0.5, 0.5], sda=[0.1, 0.7], rx=[10, 20], tx=[0, 0])
    found = course.of_hosts([one, two], START)
    assert found.t == (1.0, 2.0)
    assert found.lines == {
        'cpu': (0.5, 0.9),
        'disk': (0.2, 0.7),
        'network': (14.0, 26.0),
    }


def test_what_a_bond_carries_is_counted_once():
    """Its ports have carried it; a port alone is no other than before."""
    names = ('eth0', 'eth1', 'bond0', 'bond0.100', 'vmbr0')
    columns = [
        column(f'nic.{name}.{way}_bytes_per_s', '', [rate])
        for name, rate in zip(names, (3.0, 4.0, 7.0, 7.0, 7.0))
        for way in ('rx', 'tx')
    ]
    table = Table(START, array('d', [1]), tuple(columns))
    assert course.of_hosts([table], START).lines['network'] == (14.0,)


def test_time_is_that_of_the_load():
    """A scraper that began 10 s before the load has times below 0."""
    found = course.of_hosts(
        [host([5, 10, 15, 20], wall=START - 10, cpu=[1, 2, 3, 4])], START
    )
    assert found.t == (-5.0, 0.0, 5.0, 10.0)
    assert found.lines['cpu'] == (1, 2, 3, 4)


def test_a_silent_host_leaves_a_gap():
    """What is left of the others is no less network than before."""
    one = host([1, 2, 3], rx=[1, 1, 1], cpu=[0.1, 0.1, 0.1])
    two = host([1, 3], rx=[1, 1], cpu=[0.9, None])
    found = course.of_hosts([one, two], START)
    width = found.t[1] - found.t[0]
    assert width == 2.0  # as far apart as the slowest one's samples
    three = host([1, 2, 3], rx=[1, None, 1], cpu=[0.9, None, 0.9])
    found = course.of_hosts([one, three], START)
    assert found.lines['network'] == (2, None, 2)
    assert found.lines['cpu'] == (0.9, None, 0.9)


def test_a_figure_that_a_host_has_not_at_all_is_not_there():
    one = host([1, 2], cpu=[0.1, 0.2], rx=[1, 1])
    two = host([1, 2], cpu=[0.3, 0.1])
    found = course.of_hosts([one, two], START)
    assert set(found.lines) == {'cpu'}


def test_a_long_trial_has_few_points():
    t = list(range(1, 3601))
    load = Table(START, array('d', t), (column('ops', 'op/s', t),))
    found = course.of_load(load)
    assert len(found.t) <= course.MOST
    assert found.lines['ops'][0] == 6.5  # the mean of 1 … 12
    assert found.t[-1] == 3600.0


def test_nothing_is_nothing():
    assert course.of_hosts([], START) == course.Course()
    empty = Table(START, array('d'), ())
    assert course.of_load(empty) == course.of_hosts([empty], 0.0)
