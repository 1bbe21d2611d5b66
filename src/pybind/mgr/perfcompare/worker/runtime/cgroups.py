"""What control groups leave a process, of version 1 and 2.

A process has the least that its own cgroup and those above it allow.
"""

from typing import Dict, Iterator, List, Optional, Tuple

import math
import os

MEMBERSHIP = '/proc/self/cgroup'  # or /proc/<pid>/cgroup of another one
ROOT = '/sys/fs/cgroup'
# version 1 writes this (rounded to pages) where there is no limit
_UNLIMITED = 1 << 60
# limit, usage, and what of it is reclaimable cache, by memory.stat
_MEMORY = (
    ('memory.max', 'memory.current', 'inactive_file'),
    (
        'memory.limit_in_bytes',
        'memory.usage_in_bytes',
        'total_inactive_file',
    ),
)


def folders(
    controller: str, membership: str = MEMBERSHIP, root: str = ROOT
) -> List[str]:
    """Return the folders of the cgroups that may limit a process."""
    found: List[str] = []
    try:
        lines = text(membership).splitlines()
    except OSError:
        return []
    for line in lines:
        number, controllers, path = (line.split(':', 2) + ['', ''])[:3]
        if number == '0':
            tops = [root, f'{root}/unified']
        elif controller in controllers.split(','):
            tops = [f'{root}/{controller}', f'{root}/{controllers}']
        else:
            continue
        if '..' in path.split('/'):
            path = '/'  # outside of our namespace: only the mount counts
        # seen from inside a container a path may not exist: its root does
        while True:
            found += [os.path.normpath(top + path) for top in tops]
            if path in ('/', ''):
                break
            path = os.path.dirname(path)
    return [
        folder for folder in dict.fromkeys(found) if os.path.isdir(folder)
    ]


def quota(membership: str = MEMBERSHIP, root: str = ROOT) -> Optional[float]:
    """Return the CPU limit of a process in cores, None where there is none."""
    found = []
    for folder in folders('cpu', membership, root):
        for limit, period in _cpu_limits(folder):
            if limit > 0 and period > 0 and math.isfinite(limit):
                found.append(limit / period)
    return min(found, default=None)


def _cpu_limits(folder: str) -> Iterator[Tuple[float, float]]:
    for names in (
        ('cpu.max',),
        ('cpu.cfs_quota_us', 'cpu.cfs_period_us'),
    ):
        try:
            words = [
                word
                for name in names
                for word in text(os.path.join(folder, name)).split()
            ]
            limit, period = (float(word) for word in words)
        except (OSError, ValueError):
            continue  # 'max', or of the other version
        yield limit, period


def memory_room(
    membership: str = MEMBERSHIP, root: str = ROOT
) -> Optional[int]:
    """Return the bytes that a process may still take; None: no limit.

    Cache that the kernel takes back (inactive_file) counts as free.
    """
    found = []
    for folder in folders('memory', membership, root):
        for limit, usage, cache in _MEMORY:
            try:
                most = int(text(os.path.join(folder, limit)))
                used = int(text(os.path.join(folder, usage)))
            except (OSError, ValueError):
                continue  # 'max', or of the other version
            if most < _UNLIMITED:
                used -= _stat(folder).get(cache, 0)
                found.append(max(0, most - max(0, used)))
    return min(found, default=None)


def _stat(folder: str) -> Dict[str, int]:
    found = {}
    try:
        for line in text(os.path.join(folder, 'memory.stat')).splitlines():
            name, _, value = line.partition(' ')
            found[name] = int(value)
    except (OSError, ValueError):
        pass
    return found


def text(path: str) -> str:
    """Return what a file of the kernel says; OSError where it is not."""
    with open(path, encoding='ascii') as file:
        return file.read().strip()
