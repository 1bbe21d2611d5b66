"""What a load host says of itself."""

from typing import Dict, List, Optional, Set, Tuple

import importlib.util
import ipaddress
import os
import platform
import shutil
import signal
import subprocess
import time

from ..runtime import cgroups, procstat
from ..wire.agents import TEXT_MAX, HostFacts

# Seconds for all programs together that are asked. A host is away that says
# nothing for 25, and a load ends that is not led for 15.
IDLE_ROOM, LOADED_ROOM = 15.0, 3.0
SHARE = 1 / 3  # of them at most for one: others are to be asked as well


def host_facts(loaded: bool = False) -> HostFacts:
    """Describe this host.

    One that is ``loaded`` asks no program that hung when it was asked last.
    """
    asking = _Asking(loaded)
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
        rados=_rados(asking),
        programs=_programs(asking),
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


_hung: Set[State] = set()  # those that did not answer in time


class _Asking:
    """Ask programs what they say of themselves, for so long in all."""

    def __init__(self, loaded: bool) -> None:
        self._loaded = loaded
        room = LOADED_ROOM if loaded else IDLE_ROOM
        self._each = room * SHARE
        self._end = time.monotonic() + room

    def said(self, program: State, option: str) -> str:
        """Return what a program prints; '' where it does not work."""
        left = min(self._each, self._end - time.monotonic())
        if left <= 0 or (self._loaded and program in _hung):
            return ''
        try:
            process = subprocess.Popen(
                [program[0], option],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        except OSError:
            return ''
        try:
            text, _ = process.communicate(timeout=left)
        except subprocess.TimeoutExpired:
            _hung.add(program)
            _end(process)
            return ''
        _hung.discard(program)
        if process.returncode:
            return ''
        return text.decode('utf-8', 'replace')


def _end(process: 'subprocess.Popen[bytes]') -> None:
    """Kill a program; one that waits in the kernel is not waited for."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(0.1)
    except (OSError, subprocess.TimeoutExpired):
        pass
    if process.stdout is not None:
        process.stdout.close()


# What was said once is not asked again: facts are told under load, too, and
# whoever is silent for long loses it. A program that says nothing may work
# later, when its libraries are there.
_versions: Dict[State, str] = {}


def _version(asking: _Asking, state: State) -> str:
    if state not in _versions:
        said = asking.said(state, '--version')
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


def _rados(asking: _Asking) -> str:
    """Return the version of `rados`; '' where there is none."""
    state = _state('rados')
    words = _version(asking, state).split() if state else []
    return words[2][:TEXT_MAX] if len(words) > 2 else ''


def _programs(asking: _Asking) -> Dict[str, str]:
    """Return the versions of other programs that can be used."""
    found = {}
    for name, (option, word) in _USABLE.items():
        state = _state(name)
        if state is None:
            continue
        if state not in _could:
            said = asking.said(state, option)
            if word not in said:
                continue
            _could.add(state)
        lines = _version(asking, state).split('\n')
        found[name] = ''.join(filter(str.isprintable, lines[0]))[:TEXT_MAX]
    return found
