"""What a load host says of itself."""

from typing import Dict, List, Optional, Set, Tuple

import importlib.util
import ipaddress
import os
import platform
import shutil
import subprocess

from ..runtime import cgroups, procstat
from ..wire.agents import TEXT_MAX, HostFacts


def host_facts() -> HostFacts:
    """Describe this host."""
    facts = procstat.facts()
    memory = facts['memory_bytes']
    return HostFacts(
        hostname=platform.node()[:TEXT_MAX],
        arch=platform.machine(),
        kernel=platform.release()[:TEXT_MAX],
        cpu=str(facts['cpu'])[:TEXT_MAX],
        cores=procstat.cores(),
        memory_bytes=memory if isinstance(memory, int) else None,
        memory_free=_free(),
        addresses=tuple(_addresses()),
        python=platform.python_version(),
        numpy=importlib.util.find_spec('numpy') is not None,
        rados=_rados(),
        programs=_programs(),
    )


def _free() -> Optional[int]:
    """Return the bytes that a process may still take, by host and cgroup."""
    rooms = []
    try:
        with open('/proc/meminfo', encoding='ascii') as file:
            for line in file:
                if line.startswith('MemAvailable:'):
                    rooms.append(int(line.split()[1]) * 1024)
    except (OSError, ValueError, IndexError):
        pass
    room = cgroups.memory_room()
    if room is not None:
        rooms.append(room)
    return min(rooms, default=None)


def _addresses() -> List[str]:
    """Return the addresses of this host, but for loopback ones."""
    found = set()
    last = ''
    try:
        with open('/proc/net/fib_trie', encoding='ascii') as file:
            for line in file:
                words = line.split()
                if len(words) == 2 and words[0] == '|--':
                    last = words[1]
                elif words[:3] == ['/32', 'host', 'LOCAL']:
                    found.add(last)
        with open('/proc/net/if_inet6', encoding='ascii') as file:
            for line in file:
                number = int(line.split()[0], 16)
                found.add(str(ipaddress.IPv6Address(number)))
    except (OSError, ValueError, IndexError):
        pass
    return sorted(a for a in found if not a.startswith(('127.', '::1')))[:64]


State = Tuple[str, int, int]  # of a program: another one has another


def _state(name: str) -> Optional[State]:
    path = shutil.which(name)
    if path is None:
        return None
    info = os.stat(path)
    return path, info.st_mtime_ns, info.st_ino


def _said(program: str, option: str) -> str:
    """Return what a program prints; '' where it does not work."""
    try:
        done = subprocess.run(
            [program, option],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            timeout=10,
        )
    except (OSError, subprocess.SubprocessError):
        return ''
    if done.returncode:
        return ''
    return done.stdout.decode('utf-8', 'replace')


# What was said once is not asked again: facts are told under load, too, and
# whoever is silent for long loses it. A program that says nothing may work
# later, when its libraries are there.
_versions: Dict[State, str] = {}


def _version(state: State) -> str:
    if state not in _versions:
        said = _said(state[0], '--version')
        if not said.strip():
            return ''
        _versions[state] = said
    return _versions[state]


# What a program prints by an option where it can be used: fio's engine may be
# a package of its own.
_USABLE = {
    'fio': ('--enghelp=rbd', 'rbdname'),
    'warp': ('--version', 'version'),
    'zstd': ('--version', 'Zstandard'),
}
_could: Set[State] = set()  # those that could


def _rados() -> str:
    """Return the version of `rados`; '' where there is none."""
    state = _state('rados')
    words = _version(state).split() if state else []
    return words[2][:TEXT_MAX] if len(words) > 2 else ''


def _programs() -> Dict[str, str]:
    """Return the versions of other programs that can be used."""
    found = {}
    for name, (option, word) in _USABLE.items():
        state = _state(name)
        if state is None:
            continue
        if state not in _could:
            said = _said(state[0], option)
            if word not in said:
                continue
            _could.add(state)
        lines = _version(state).split('\n')
        found[name] = ''.join(filter(str.isprintable, lines[0]))[:TEXT_MAX]
    return found
