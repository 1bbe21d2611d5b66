"""Independent accounts of hosts: what their cgroups say, by the clock.

A host's exporter reads files that are written about once a second, later
on a busy machine. What it shows at a moment is as old as its file, so the
account notes when each file was written, and is taken at these moments.
"""

from typing import Dict, List, Optional, Sequence, Tuple

import bisect
import contextlib
import threading
import time

from cluster import cgroups, exporters
from cluster.state import Cluster

from .live import LiveCluster

STEP = 0.2  # seconds

Account = List[Tuple[float, float]]  # Unix time, CPU seconds since the start


class CpuAccounts:
    """Note the CPU seconds of each host's cgroup while a block runs."""

    def __init__(self, cluster: LiveCluster, hosts: Sequence[str]) -> None:
        self._token = Cluster(cluster.dir).token()
        found = Cluster(cluster.dir)
        self._files = {
            exporter.name: exporter.proc_folder(found) / 'stat'
            for exporter in exporters.exporters_of(found.settings)
            if exporter.name in hosts
        }
        self._seen: Dict[str, Account] = {host: [] for host in hosts}
        self._written: Dict[str, List[float]] = {host: [] for host in hosts}
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._note, daemon=True)

    def __enter__(self) -> 'CpuAccounts':
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _note(self) -> None:
        while not self._stop.wait(STEP):
            for host, account in self._seen.items():
                used = cgroups.cpu_seconds(self._token, host)
                account.append((time.time(), sum(used.values())))
                with contextlib.suppress(FileNotFoundError):  # first write
                    written = self._files[host].stat().st_mtime
                    if written not in self._written[host][-1:]:
                        self._written[host].append(written)

    def cores(self, host: str, start: float, end: float) -> Optional[float]:
        """Return the cores that a host used, as its exporter could know.

        Between the last writes of its file before two Unix times; None
        when there was no write in between.
        """
        first, last = (self.shown(host, at) for at in (start, end))
        if last <= first:
            return None
        account = self._seen[host]
        return (_at(account, last) - _at(account, first)) / (last - first)

    def shown(self, host: str, moment: float) -> float:
        """Return when the file was written that is read at a moment."""
        written = self._written[host]
        index = bisect.bisect(written, moment)
        assert index, 'the moment lies before the account'
        return written[index - 1]


def _at(account: Account, moment: float) -> float:
    """Return the CPU seconds at a moment between two notes."""
    index = bisect.bisect(account, (moment, 0.0))
    assert 0 < index < len(account), 'the moment lies outside the account'
    (t0, v0), (t1, v1) = account[index - 1 : index + 1]
    return v0 + (v1 - v0) * (moment - t0) / (t1 - t0)
