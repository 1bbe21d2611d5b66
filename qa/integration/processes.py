"""Processes that a run may have on this machine, by /proc alone."""

from typing import Dict, Iterator, List, Tuple

import os
import pathlib

from .live import LiveCluster


def _read(pid: str, name: str) -> bytes:
    try:
        return pathlib.Path('/proc', pid, name).read_bytes()
    except OSError:
        return b''


def command_lines() -> Iterator[Tuple[int, List[str]]]:
    """Yield pid and command line of every process on the machine."""
    for pid in filter(str.isdigit, os.listdir('/proc')):
        text = _read(pid, 'cmdline').decode('utf-8', 'replace')
        if text:
            yield int(pid), text.rstrip('\0').split('\0')


def _zombie(pid: int) -> bool:
    fields = _read(str(pid), 'stat').decode('utf-8', 'replace')
    return fields.rpartition(')')[2].split()[:1] in (['Z'], ['X'], [])


def of_runs(cluster: LiveCluster) -> Dict[int, str]:
    """Return workers and load clients of one cluster: pid -> command line."""
    found = {}
    for pid, words in command_lines():
        name = os.path.basename(words[0])
        worker = words[-2:] == ['-m', 'worker']
        probe = any(w.endswith('/probe_client.py') for w in words)
        load = (name in ('rados', 'rbd') or probe) and any(
            'client.perfcompare' in w for w in words
        )
        # its job file, beside which it runs, names the client
        load = load or (name == 'fio' and words[-1].endswith('.fio'))
        if (worker or load) and cluster.owns(pid) and not _zombie(pid):
            found[pid] = ' '.join(words)
    return found


def gateways_of(cluster: LiveCluster) -> Dict[int, List[str]]:
    """Return the gateways that runs started in one cluster, by pid."""
    return {
        pid: words
        for pid, words in command_lines()
        if os.path.basename(words[0]) == 'radosgw'
        and any(w.startswith('client.perfcompare.') for w in words)
        and cluster.owns(pid)
        and not _zombie(pid)
    }


def load_of(cluster: LiveCluster) -> List[int]:
    """Return the pids of `rados bench`, `rbd bench` and fio of a cluster."""
    return [
        pid
        for pid, line in of_runs(cluster).items()
        if ' bench ' in line or line.endswith('.fio')
    ]
