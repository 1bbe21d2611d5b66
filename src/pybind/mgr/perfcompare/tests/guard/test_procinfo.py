"""Memory limits and addresses, on made-up /proc and cgroup trees."""

from typing import Dict

import pathlib

import pytest

from ...guard.collect.procinfo import (
    MemoryRoom,
    cgroup_memory,
    is_loopback,
    local_addresses,
    meminfo,
    memory_room,
    short_name,
)

MEMINFO = 'MemTotal:  16384 kB\nMemAvailable:  8192 kB\nHugePages_Total: 3\n'
V2_MOUNT = '31 23 0:28 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n'
V1_MOUNT = (
    '30 23 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu\n'
    '35 31 0:32 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n'
)


def _tree(root: pathlib.Path, files: Dict[str, str]) -> str:
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content)
    return str(root)


def test_meminfo_in_bytes(tmp_path: pathlib.Path) -> None:
    found = meminfo(_tree(tmp_path, {'proc/meminfo': MEMINFO}))
    assert found['MemAvailable'] == 8 << 20
    assert found['HugePages_Total'] == 3


def test_nothing_readable_is_not_available(tmp_path: pathlib.Path) -> None:
    assert memory_room(str(tmp_path)) is None


def test_without_limits_memory_of_the_machine_counts(
    tmp_path: pathlib.Path,
) -> None:
    root = _tree(
        tmp_path,
        {
            'proc/meminfo': MEMINFO,
            'proc/self/cgroup': '0::/\n',
            'proc/self/mountinfo': V2_MOUNT,
        },
    )
    assert memory_room(root) == MemoryRoom(8 << 20, 'MemAvailable')


def test_cgroup_v2_ancestors_limit_too(tmp_path: pathlib.Path) -> None:
    root = _tree(
        tmp_path,
        {
            'proc/meminfo': MEMINFO,
            'proc/self/cgroup': '0::/ceph.slice/mgr.service\n',
            'proc/self/mountinfo': V2_MOUNT,
            'sys/fs/cgroup/ceph.slice/memory.max': '5242880\n',
            'sys/fs/cgroup/ceph.slice/memory.current': '3145728\n',
            'sys/fs/cgroup/ceph.slice/memory.stat': (
                'anon 5\ninactive_file 1048576\n'
            ),
            'sys/fs/cgroup/ceph.slice/mgr.service/memory.max': 'max\n',
            'sys/fs/cgroup/ceph.slice/mgr.service/memory.current': '9\n',
        },
    )
    assert memory_room(root) == MemoryRoom(
        3 << 20, '/sys/fs/cgroup/ceph.slice/memory.max'
    )


def test_cgroup_v1(tmp_path: pathlib.Path) -> None:
    folder = 'sys/fs/cgroup/memory/docker/abc'
    root = _tree(
        tmp_path,
        {
            'proc/self/cgroup': '5:cpu:/docker/abc\n4:memory:/docker/abc\n',
            'proc/self/mountinfo': V1_MOUNT,
            f'{folder}/memory.limit_in_bytes': '4194304\n',
            f'{folder}/memory.usage_in_bytes': '4194304\n',
            f'{folder}/memory.stat': 'total_inactive_file 1024\n',
            'sys/fs/cgroup/memory/memory.limit_in_bytes': (
                '9223372036854771712\n'
            ),
            'sys/fs/cgroup/memory/memory.usage_in_bytes': '1\n',
        },
    )
    assert cgroup_memory(root) == [
        MemoryRoom(1024, f'/{folder}/memory.limit_in_bytes')
    ]


def test_a_container_sees_its_own_cgroup_as_the_mount(
    tmp_path: pathlib.Path,
) -> None:
    mount = (
        '35 31 0:32 /docker/abc /sys/fs/cgroup/memory rw '
        '- cgroup cgroup rw,memory\n'
    )
    root = _tree(
        tmp_path,
        {
            'proc/self/cgroup': '4:memory:/docker/abc\n',
            'proc/self/mountinfo': mount,
            'sys/fs/cgroup/memory/memory.limit_in_bytes': '4096\n',
            'sys/fs/cgroup/memory/memory.usage_in_bytes': '1024\n',
        },
    )
    assert cgroup_memory(root) == [
        MemoryRoom(3072, '/sys/fs/cgroup/memory/memory.limit_in_bytes')
    ]


def test_a_usage_over_the_limit_leaves_nothing(
    tmp_path: pathlib.Path,
) -> None:
    root = _tree(
        tmp_path,
        {
            'proc/self/cgroup': '0::/\n',
            'proc/self/mountinfo': V2_MOUNT,
            'sys/fs/cgroup/memory.max': '10\n',
            'sys/fs/cgroup/memory.current': '11\n',
        },
    )
    assert cgroup_memory(root)[0].available == 0


def test_this_machine_has_memory() -> None:
    room = memory_room()
    assert room is not None
    assert room.available > 0


def test_own_addresses_without_loopback(tmp_path: pathlib.Path) -> None:
    root = _tree(
        tmp_path,
        {
            'proc/net/fib_trie': (
                'Main:\n'
                '  +-- 0.0.0.0/0 3 0 5\n'
                '     |-- 127.0.0.1\n'
                '        /32 host LOCAL\n'
                '        |-- 192.0.2.0\n'
                '           /24 link UNICAST\n'
                '        |-- 192.0.2.2\n'
                '           /32 host LOCAL\n'
            ),
            'proc/net/if_inet6': (
                '00000000000000000000000000000001 01 80 10 80 lo\n'
                'fd000000000000000000000000000002 04 40 00 82 eth0\n'
            ),
        },
    )
    assert local_addresses(root) == {'192.0.2.2', 'fd00::2'}


@pytest.mark.parametrize(
    'address, expected',
    [('127.7.1.1', True), ('::1', True), ('10.0.0.1', False)],
)
def test_loopback(address: str, expected: bool) -> None:
    assert is_loopback(address) is expected


def test_short_names() -> None:
    assert short_name('Node-7.example.org') == 'node-7'
