"""What cgroups leave a process, on folders like those of the kernel."""

import pytest

from ...worker.agent import facts
from ...worker.runtime import cgroups, procstat

GIB = 1 << 30
UNIT = '/system.slice/agent@h1.service'


class Tree:
    """A fake /sys/fs/cgroup, and the /proc/<pid>/cgroup of a process."""

    def __init__(self, folder):
        self._root = folder / 'fs'
        self._root.mkdir()
        self._me = folder / 'me'

    def member(self, *lines):
        self._me.write_text('\n'.join(lines) + '\n')

    def has(self, place, **files):
        folder = self._root / place.lstrip('/')
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            controller, _, rest = name.partition('_')
            (folder / f'{controller}.{rest}').write_text(f'{text}\n')

    def quota(self):
        return cgroups.quota(str(self._me), str(self._root))

    def room(self):
        return cgroups.memory_room(str(self._me), str(self._root))


@pytest.fixture
def tree(tmp_path):
    return Tree(tmp_path)


def test_nothing_is_limited_where_nothing_is_said(tree):
    assert tree.quota() is None and tree.room() is None
    tree.member(f'0::{UNIT}')
    tree.has(UNIT, cpu_max='max 100000', memory_max='max', memory_current=1)
    assert tree.quota() is None and tree.room() is None


@pytest.mark.parametrize('top', ['', '/unified'])
def test_limits_of_a_unit_are_those_of_its_own_cgroup(tree, top):
    tree.member(f'0::{UNIT}')
    tree.has(
        top + UNIT,
        cpu_max='250000 100000',
        memory_max=4 * GIB,
        memory_current=3 * GIB,
        memory_stat=f'anon 5\ninactive_file {2 * GIB}',
    )
    assert tree.quota() == 2.5
    # cache that is taken back is not used up
    assert tree.room() == 3 * GIB


def test_those_above_limit_as_well(tree):
    tree.member(f'0::{UNIT}')
    tree.has(
        UNIT, cpu_max='400000 100000', memory_max=9 * GIB, memory_current=0
    )
    tree.has(
        '/system.slice',
        cpu_max='150000 100000',
        memory_max=8 * GIB,
        memory_current=6 * GIB,
    )
    assert tree.quota() == 1.5
    assert tree.room() == 2 * GIB


def test_version_1_has_a_hierarchy_for_each(tree):
    tree.member(f'9:memory:{UNIT}', f'5:cpu,cpuacct:{UNIT}', '1:pids:/x')
    tree.has('/pids/x', memory_limit_in_bytes=1, memory_usage_in_bytes=0)
    tree.has(
        '/cpu,cpuacct' + UNIT,
        cpu_cfs_quota_us=50000,
        cpu_cfs_period_us=100000,
    )
    tree.has('/cpu,cpuacct', cpu_cfs_quota_us=-1, cpu_cfs_period_us=100000)
    tree.has(
        '/memory' + UNIT,
        memory_limit_in_bytes=2 * GIB,
        memory_usage_in_bytes=2 * GIB,
        memory_stat=f'inactive_file 1\ntotal_inactive_file {GIB}',
    )
    tree.has(
        '/memory',
        memory_limit_in_bytes=9223372036854771712,
        memory_usage_in_bytes=7 * GIB,
    )
    assert tree.quota() == 0.5
    assert tree.room() == GIB


@pytest.mark.parametrize('path', ['/docker/0a1b', '/../../elsewhere', '/'])
def test_a_container_sees_its_own_as_the_root(tree, path):
    tree.member(f'0::{path}')
    tree.has(
        '/',
        cpu_max='100000 100000',
        memory_max=GIB,
        memory_current=2 * GIB,
        memory_stat='inactive_file 0',
    )
    assert tree.quota() == 1.0
    assert tree.room() == 0


def test_no_more_cores_count_than_a_unit_has(monkeypatch):
    monkeypatch.setattr(cgroups, 'quota', lambda: 0.5)
    assert procstat.cores() == 0.5
    monkeypatch.setattr(cgroups, 'quota', lambda: None)
    assert procstat.cores() >= 1.0


@pytest.mark.process
def test_a_host_has_no_more_free_than_its_unit(monkeypatch):
    monkeypatch.setattr(cgroups, 'memory_room', lambda: 4096)
    assert facts.host_facts().memory_free == 4096
    monkeypatch.setattr(cgroups, 'memory_room', lambda: None)
    assert facts.host_facts().memory_free > 4096
