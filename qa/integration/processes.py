"""Processes that a run may have on this machine, by /proc alone."""

from typing import Dict, Iterator, List, Tuple

import os
import pathlib

from .live import LiveCluster

# of the module itself: the latency probe, the S3 generator
SCRIPTS = ('/probe_client.py', '/s3/generator.py')


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


def is_worker(words: List[str]) -> bool:
    """Say whether a command line is that of a worker."""
    return words[-2:] == ['-m', 'worker']


def makes_load(words: List[str]) -> bool:
    """Say whether a command line is that of what a worker has make load."""
    name = os.path.basename(words[0])
    if name == 'warp' or any(word.endswith(SCRIPTS) for word in words):
        return True
    if name == 'fio':
        # its job file, beside which it runs, names the client
        return words[-1].endswith('.fio')
    return name in ('rados', 'rbd') and any(
        'client.perfcompare' in word for word in words
    )


def of_runs(cluster: LiveCluster) -> Dict[int, str]:
    """Return workers and load clients of one cluster: pid -> command line.

    Not those on hosts that have a network, and so mounts, of their own.
    """
    return {
        pid: ' '.join(words)
        for pid, words in command_lines()
        if (is_worker(words) or makes_load(words))
        and cluster.owns(pid)
        and not _zombie(pid)
    }


def making_load(cluster: LiveCluster) -> List[int]:
    """Return the load clients among `of_runs`, without the workers."""
    return [
        pid
        for pid, line in of_runs(cluster).items()
        if not is_worker(line.split())
    ]


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


def probes_of(cluster: LiveCluster) -> List[int]:
    """Return the pids of the latency probes of a cluster."""
    return [
        pid for pid, line in of_runs(cluster).items() if SCRIPTS[0] in line
    ]


def load_of(cluster: LiveCluster) -> List[int]:
    """Return the pids of `rados bench`, `rbd bench` and fio of a cluster."""
    return [
        pid
        for pid, line in of_runs(cluster).items()
        if ' bench ' in line or line.endswith('.fio')
    ]
