"""Independent accounts of hosts: what their cgroups say, by the clock."""

from typing import Dict, List, Sequence, Tuple

import bisect
import threading
import time

from cluster import cgroups
from cluster.state import Cluster

from .live import LiveCluster

STEP = 0.2  # seconds

Account = List[Tuple[float, float]]  # Unix time, CPU seconds since the start


class CpuAccounts:
    """Note the CPU seconds of each host's cgroup while a block runs."""

    def __init__(self, cluster: LiveCluster, hosts: Sequence[str]) -> None:
        self._token = Cluster(cluster.dir).token()
        self._seen: Dict[str, Account] = {host: [] for host in hosts}
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

    def spent(self, host: str, start: float, end: float) -> float:
        """Return the CPU seconds of a host between two Unix times."""
        account = self._seen[host]
        return _at(account, end) - _at(account, start)


def _at(account: Account, moment: float) -> float:
    """Return the CPU seconds at a moment between two notes."""
    index = bisect.bisect(account, (moment, 0.0))
    assert 0 < index < len(account), 'the moment lies outside the account'
    (t0, v0), (t1, v1) = account[index - 1 : index + 1]
    return v0 + (v1 - v0) * (moment - t0) / (t1 - t0)
