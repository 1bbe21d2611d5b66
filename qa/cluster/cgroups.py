"""One cgroup per host: CPU accounting, and a list of who belongs to it.

The version 2 hierarchy counts CPU time without any controller, and is
there on hybrid machines too. Where there is none, cpuacct of version 1
serves; without either, the mini cluster works but accounts for nothing.
"""

from typing import Dict, List, Optional, Sequence

import contextlib
import os
import pathlib
import re
import time

ROOT = pathlib.Path('/sys/fs/cgroup')


def hierarchy(root: pathlib.Path = ROOT) -> Optional[pathlib.Path]:
    """Return the hierarchy to use, None when there is none to write to."""
    for name in ('.', 'unified', 'cpuacct'):
        folder = root / name
        if os.access(str(folder / 'cgroup.procs'), os.W_OK):
            return folder
    return None


def folder_of(token: str) -> Optional[pathlib.Path]:
    """Return the cluster's cgroup, existing or not."""
    top = hierarchy()
    return top / ('perfcompare-' + token[:12]) if top and token else None


def enter(token: str, name: str) -> None:
    """Move this process into a group of the cluster, made if need be."""
    folder = folder_of(token)
    if folder:
        with contextlib.suppress(OSError):
            (folder / name).mkdir(parents=True, exist_ok=True)
            procs = folder / name / 'cgroup.procs'
            procs.write_text(str(os.getpid()), encoding='utf-8')


def pids(token: str, name: str = '*') -> List[int]:
    """Return the pids in one or all groups of the cluster."""
    folder = folder_of(token)
    found: List[int] = []
    if folder and folder.is_dir():
        for path in folder.glob(name + '/cgroup.procs'):
            with contextlib.suppress(OSError):
                found += map(int, path.read_text(encoding='utf-8').split())
    return found


def cpu_seconds(token: str, name: str) -> Dict[str, float]:
    """Return the user and system CPU seconds of a group since its start."""
    folder = folder_of(token)
    if folder is None:
        return {'user': 0.0, 'system': 0.0}
    return read_cpu(folder / name)


def read_cpu(folder: pathlib.Path) -> Dict[str, float]:
    """Read a cgroup's CPU seconds, of either version."""
    try:
        text = (folder / 'cpu.stat').read_text(encoding='utf-8')
        micro = dict(re.findall(r'^(user|system)_usec (\d+)', text, re.M))
        return {kind: int(value) / 1e6 for kind, value in micro.items()}
    except FileNotFoundError:
        pass
    found = {}
    for kind, name in (('user', 'user'), ('system', 'sys')):
        path = folder / ('cpuacct.usage_' + name)
        try:
            found[kind] = int(path.read_text(encoding='utf-8')) / 1e9
        except FileNotFoundError:
            found[kind] = 0.0
    return found


def cpu_limit(
    pids: Sequence[int], root: pathlib.Path = ROOT
) -> Optional[float]:
    """Return the cores that quotas leave to processes, all together.

    Of cgroups of version 1, which take processes out one by one; None
    where any process is free, or there is none.
    """
    limits: Dict[str, float] = {}
    for pid in pids:
        try:
            text = pathlib.Path('/proc/%d/cgroup' % pid).read_text()
        except OSError:
            continue
        match = re.search(
            r'^\d+:(?:[^:]*,)?cpu(?:,[^:]*)?:(/.+)$', text, re.M
        )
        quota = _quota(root / 'cpu' / match.group(1)[1:]) if match else None
        if match is None or quota is None:
            return None
        limits[match.group(1)] = quota
    return sum(limits.values()) if limits else None


def _quota(folder: pathlib.Path) -> Optional[float]:
    try:
        quota, period = (
            int((folder / ('cpu.cfs_%s_us' % name)).read_text())
            for name in ('quota', 'period')
        )
    except (OSError, ValueError):
        return None
    return quota / period if quota > 0 else None


def pressure(token: str, name: str) -> Dict[str, str]:
    """Return a group's pressure stall texts by kind; empty without PSI."""
    folder = folder_of(token)
    found = {}
    for kind in ('cpu', 'io', 'memory') if folder else ():
        path = folder / name / (kind + '.pressure')  # type: ignore[operator]
        with contextlib.suppress(OSError):
            found[kind] = path.read_text(encoding='utf-8')
    return found


def remove(token: str, patience: float = 10.0) -> List[pathlib.Path]:
    """Remove the cluster's groups; return those that would not go.

    A group stays busy until the last killed process is reaped.
    """
    folder = folder_of(token)
    deadline = time.monotonic() + patience
    while folder is not None and folder.is_dir():
        below = [path for path in folder.rglob('*') if path.is_dir()]
        stuck = []
        for path in sorted(below, reverse=True) + [folder]:
            try:
                path.rmdir()
            except OSError:
                stuck.append(path)
        if not stuck or time.monotonic() > deadline:
            return stuck
        time.sleep(0.05)
    return []
