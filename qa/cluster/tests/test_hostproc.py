"""What the exporters of a mini cluster are shown."""

import os
import pathlib
import re

from .. import cgroups, disks, exporters, hostproc
from . import helpers


def test_cpu_time_is_spread_over_all_cpus_without_loss() -> None:
    cpu = {'user': 12.34, 'system': 5.67}
    text = hostproc.stat_text(cpu, 1000.0, 3, 17)
    lines = {
        line.split()[0]: [int(v) for v in line.split()[1:5]]
        for line in text.splitlines()
        if line.startswith('cpu')
    }
    assert set(lines) == {'cpu', 'cpu0', 'cpu1', 'cpu2'}
    total = lines.pop('cpu')
    assert [sum(v) for v in zip(*lines.values())] == total
    assert sum(total) == 3 * 1000 * hostproc.HERTZ
    assert re.search(r'^btime 17$', text, re.M)


def test_a_quota_leaves_a_host_fewer_cpus() -> None:
    held = hostproc.Withheld()
    assert held.add('a', 100.0, 2, None) == 0.0
    assert held.add('a', 110.0, 2, 0.5) == 15.0
    assert held.add('b', 110.0, 2, 0.5) == 0.0
    assert held.add('a', 120.0, 2, None) == 15.0
    text = hostproc.stat_text(
        {'user': 5.0, 'system': 0.0}, 120.0, 2, 17, withheld=15.0
    )
    fields = [int(v) for v in text.splitlines()[0].split()[1:5]]
    assert fields[3] == (240 - 15 - 5) * hostproc.HERTZ


def test_only_processes_that_are_all_held_have_a_limit(
    tmp_path: pathlib.Path,
) -> None:
    assert cgroups.cpu_limit([], tmp_path) is None
    assert cgroups.cpu_limit([os.getpid()], tmp_path) is None


def test_only_the_lines_of_a_host_are_shown() -> None:
    table = '   7       1 loop1 5 0\n   7      11 loop11 6 0\n'
    assert hostproc.lines_of(table, ['loop1'], 2).split() == (
        ['7', '1', 'loop1', '5', '0']
    )


def test_each_host_and_the_machine_have_an_exporter(
    tmp_path: pathlib.Path,
) -> None:
    cluster = helpers.cluster(tmp_path)
    found = exporters.exporters_of(cluster.settings)
    assert [e.name for e in found] == [
        'x86-1', 'x86-2', 'arm-1', 'arm-2', 'client',
    ]  # fmt: skip
    assert len({e.url for e in found}) == 5


def test_disks_of_a_host_are_those_its_osds_link_to(
    tmp_path: pathlib.Path,
) -> None:
    cluster = helpers.cluster(tmp_path, disks='loop')
    for osd in cluster.settings.osds:
        folder = cluster.dir / 'osd' / str(osd.id)
        folder.mkdir(parents=True)
        (folder / 'block').symlink_to('/dev/loop%d' % (osd.id + 20))
        (folder / 'block.db').symlink_to('/dev/loop%d' % (osd.id + 30))
    assert disks.names(cluster, 'x86-2') == ['loop21']
    cluster.settings.db_size = 1 << 30
    assert disks.names(cluster, 'x86-2') == ['loop21', 'loop31']


def test_disks_that_are_files_show_the_disk_below(
    tmp_path: pathlib.Path,
) -> None:
    cluster = helpers.cluster(tmp_path)
    assert len(disks.names(cluster, 'x86-1')) == 1


def test_only_what_is_new_is_written_and_always_the_cpu_time(
    tmp_path: pathlib.Path,
) -> None:
    files = hostproc.Files()
    loads, stat = tmp_path / 'deep' / 'loadavg', tmp_path / 'stat'

    def write(text: str) -> None:
        files.write(loads, text)
        files.write(stat, text, always=True)

    write('one')
    before = [path.stat().st_ino for path in (loads, stat)]
    write('one')
    same = [path.stat().st_ino for path in (loads, stat)]
    assert [a == b for a, b in zip(before, same)] == [True, False]
    write('two')
    assert loads.read_text(encoding='utf-8') == 'two'
    assert len(list(tmp_path.rglob('*'))) == 3


def test_each_host_has_all_files(tmp_path: pathlib.Path) -> None:
    cluster = helpers.cluster(tmp_path)
    hostproc.Feeder(cluster).update()
    hosts = exporters.exporters_of(cluster.settings)
    for host in hosts:
        folder = host.proc_folder(cluster)
        found = {path.name for path in folder.iterdir()}
        wanted = {'stat', 'meminfo', 'loadavg'}
        assert wanted <= found, host.name
        assert ('diskstats' in found) == (host.host is not None)
    stat = hosts[0].proc_folder(cluster) / 'stat'
    assert 'btime ' in stat.read_text(encoding='utf-8')
