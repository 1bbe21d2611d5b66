"""What the machine says of itself: memory, cgroup limits, its addresses.

Everything is read from /proc and the cgroup file systems of version 1 and
2; a ``root`` other than '/' serves tests. None means "not available".
"""

from typing import Dict, List, NamedTuple, Optional, Set, Tuple

import ipaddress
import os
import socket

# version 1 writes this (rounded to pages) where there is no limit
_UNLIMITED = 1 << 60


class MemoryRoom(NamedTuple):
    """Hold how many bytes a new process may take, and what bounds it."""

    available: int
    bound: str  # 'MemAvailable' or the cgroup file that bounds it


def meminfo(root: str = '/') -> Dict[str, int]:
    """Return /proc/meminfo in bytes by name, empty when not readable."""
    found = {}
    for line in _read(os.path.join(root, 'proc/meminfo')).splitlines():
        name, _, rest = line.partition(':')
        words = rest.split()
        if words and words[0].isdigit():
            unit = 1024 if len(words) > 1 and words[1] == 'kB' else 1
            found[name] = int(words[0]) * unit
    return found


def memory_room(root: str = '/') -> Optional[MemoryRoom]:
    """Return the smaller of MemAvailable and what the cgroups leave."""
    rooms = []
    available = meminfo(root).get('MemAvailable')
    if available is not None:
        rooms.append(MemoryRoom(available, 'MemAvailable'))
    rooms += cgroup_memory(root)
    return min(rooms) if rooms else None


def cgroup_memory(root: str = '/') -> List[MemoryRoom]:
    """Return what each limited memory cgroup of this process leaves.

    Reclaimable file cache (inactive_file) counts as free. Limits of all
    ancestors hold as well, so each is in the list that has one.
    """
    mounts = _cgroup_mounts(root)
    rooms = []
    for line in _read(os.path.join(root, 'proc/self/cgroup')).splitlines():
        hierarchy, controllers, path = (line.split(':', 2) + ['', ''])[:3]
        if hierarchy == '0' and not controllers:
            kind, names = 'cgroup2', _V2
        elif 'memory' in controllers.split(','):
            kind, names = 'cgroup', _V1
        else:
            continue
        if kind not in mounts:
            continue
        inner, folder = mounts[kind]
        for candidate in _ancestors(folder, _inside(path, inner)):
            room = _room(root, candidate, names)
            if room:
                rooms.append(room)
    return rooms


# files of limit and usage, and the name of reclaimable cache in memory.stat
_V1 = (
    'memory.limit_in_bytes',
    'memory.usage_in_bytes',
    'total_inactive_file',
)
_V2 = ('memory.max', 'memory.current', 'inactive_file')


def _room(
    root: str, folder: str, names: Tuple[str, str, str]
) -> Optional[MemoryRoom]:
    place = os.path.join(root, folder.lstrip('/'))
    limit = _read(os.path.join(place, names[0])).strip()
    usage = _read(os.path.join(place, names[1])).strip()
    if not limit.isdigit() or not usage.isdigit():
        return None  # 'max', or no such file at the root
    if int(limit) >= _UNLIMITED:
        return None
    cache = 0
    for line in _read(os.path.join(place, 'memory.stat')).splitlines():
        name, _, value = line.partition(' ')
        if name == names[2] and value.strip().isdigit():
            cache = int(value)
    used = max(0, int(usage) - cache)
    return MemoryRoom(
        max(0, int(limit) - used), os.path.join(folder, names[0])
    )


def _cgroup_mounts(root: str) -> Dict[str, Tuple[str, str]]:
    """Return (path inside the hierarchy, mount point) by kind."""
    found: Dict[str, Tuple[str, str]] = {}
    text = _read(os.path.join(root, 'proc/self/mountinfo'))
    for line in text.splitlines():
        left, separator, right = line.partition(' - ')
        fields, tail = left.split(), right.split()
        if not separator or len(fields) < 5 or len(tail) < 3:
            continue
        kind = tail[0]
        if kind == 'cgroup2' or (
            kind == 'cgroup' and 'memory' in tail[2].split(',')
        ):
            found.setdefault(kind, (fields[3], fields[4]))
    return found


def _inside(path: str, inner: str) -> str:
    """Return ``path`` relative to a mount that shows only ``inner``."""
    if inner != '/' and (path == inner or path.startswith(inner + '/')):
        return path[len(inner) :] or '/'
    if '..' in path.split('/'):
        return '/'  # outside of our cgroup namespace: only the mount counts
    return path


def _ancestors(folder: str, path: str) -> List[str]:
    """Return the folder of ``path`` and of each ancestor, deepest first."""
    parts = [part for part in path.split('/') if part]
    return [
        os.path.join(folder, *parts[:count])
        for count in range(len(parts), -1, -1)
    ]


def _read(path: str) -> str:
    try:
        with open(path, encoding='utf-8', errors='replace') as source:
            return source.read()
    except OSError:
        return ''


def hostname() -> str:
    """Return this machine's name as Ceph's metadata would have it."""
    return socket.gethostname()


def short_name(host: str) -> str:
    """Return the first label of a host name in lower case."""
    return host.split('.', 1)[0].lower()


def is_loopback(address: str) -> bool:
    """Say whether an IP address never leaves its machine."""
    return address.startswith('127.') or address == '::1'


def local_addresses(root: str = '/') -> Set[str]:
    """Return the IP addresses that this network namespace owns.

    Read from the kernel's own tables; loopback networks are left out, see
    is_loopback().
    """
    found = set()
    last = ''
    text = _read(os.path.join(root, 'proc/net/fib_trie'))
    for line in text.splitlines():
        words = line.split()
        if len(words) == 2 and words[0] == '|--':
            last = words[1]
        elif words[:3] == ['/32', 'host', 'LOCAL']:
            found.add(last)
    for line in _read(os.path.join(root, 'proc/net/if_inet6')).splitlines():
        words = line.split()
        if words:
            found.add(str(ipaddress.IPv6Address(int(words[0], 16))))
    return {address for address in found if not is_loopback(address)}
