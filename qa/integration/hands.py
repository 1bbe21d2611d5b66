"""Be the hands of a recovery test: stop and start what it asks for."""

from typing import Any, Dict, List, Optional, Tuple

import json
import pathlib
import re
import threading

from .live import LiveCluster

ASKED = re.compile(r'waiting for (.+?)(?: on \S+)* to be (\w+) by you')


class Hands(threading.Thread):
    """Do what status asks an operator to do, in a thread of its own."""

    def __init__(self, cluster: LiveCluster, kill: bool) -> None:
        super().__init__(daemon=True)
        # a connection of its own: it is used by one thread at a time
        self._cluster = LiveCluster(cluster.dir, cluster.release)
        self._kill = kill
        self._ending = threading.Event()
        self.done: List[Tuple[str, int]] = []

    def run(self) -> None:
        """Look every half second."""
        while not self._ending.wait(0.5):
            self._look()

    def _look(self) -> None:
        found: Optional[Any] = self._cluster.look('perfcompare status', 'mgr')
        progress = found and found['progress']
        asked = ASKED.search(progress['message']) if progress else None
        if asked is None:
            return
        for text in re.findall(r'osd\.(\d+)', asked.group(1)):
            self._act(asked.group(2), int(text))

    def _act(self, word: str, osd: int) -> None:
        running = self._cluster.pid('osd.%d' % osd) is not None
        if running == (word == 'started'):
            return  # the map does not show it yet
        if word == 'started':
            self._cluster.osd_start(osd)
        elif self._kill:
            self._cluster.osd_kill(osd)
        else:
            self._cluster.osd_stop(osd)
        self.done.append((word, osd))

    def __enter__(self) -> 'Hands':
        self.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._ending.set()
        self.join(30)


class Orders(threading.Thread):
    """Carry out the orders of the mini orchestrator."""

    def __init__(self, cluster: LiveCluster) -> None:
        super().__init__(daemon=True)
        self._cluster = cluster
        self.folder = pathlib.Path(cluster.dir) / 'tmp' / 'orders'
        self._ending = threading.Event()
        self.done: List[Tuple[str, str]] = []
        self.refuses = False  # gateways neither come nor go
        self._there: Dict[str, List[Dict[str, Any]]] = {}

    def run(self) -> None:
        """Look often: an orchestrator acts at once."""
        while not self._ending.wait(0.1):
            for path in sorted(self.folder.glob('*.json')):
                order = json.loads(path.read_text(encoding='utf-8'))
                if 'service' in order:
                    self._gateways(order)
                    path.unlink()  # on order until it is done
                    continue
                path.unlink()
                osd = int(order['daemon'].split('.')[1])
                if order['action'] == 'stop':
                    self._cluster.osd_stop(osd)
                else:
                    self._cluster.osd_start(osd)
                self.done.append((order['action'], order['daemon']))

    def _gateways(self, order: Dict[str, Any]) -> None:
        """Place the gateways of a service, or remove them."""
        service = order['service']
        self.done.append((order['action'], service))
        if self.refuses:
            return
        if order['action'] == 'apply':
            self._there[service] = [
                self._place(order, host, i)
                for host in order['hosts']
                for i in range(order['per_host'])
            ]
        else:
            for one in self._there[service]:
                self._tell(one['id'], 'displace')
            del self._there[service]
        self._publish()

    def _place(
        self, order: Dict[str, Any], host: str, number: int
    ) -> Dict[str, Any]:
        ident = '%s.%s.w%d' % (order['service'], host, number)
        port = order['port'] + number
        frontend = ' '.join(order['options'])
        self._tell(
            ident, 'place', '--host', host, '--port', str(port),
            '--frontend', frontend,
        )  # fmt: skip
        return {
            'id': ident,
            'host': host,
            'address': order['hosts'][host],
            'port': port,
            'status': 'running',
        }

    def _tell(self, ident: str, action: str, *words: str) -> None:
        self._cluster.verb('rgw', action, 'client.rgw.' + ident, *words)

    def _publish(self) -> None:
        path = self.folder / 'gateways'
        new = path.with_suffix('.new')
        new.write_text(json.dumps(self._there), encoding='utf-8')
        new.rename(path)

    def __enter__(self) -> 'Orders':
        self.folder.mkdir(mode=0o777, exist_ok=True)
        ceph = self._cluster.ceph
        ceph('mgr', 'module', 'enable', 'test_orchestrator', fmt='')
        self._cluster.wait_active_mgr()
        option = 'mgr/test_orchestrator/spool'
        ceph('config', 'set', 'mgr', option, str(self.folder), fmt='')
        ceph('orch', 'set', 'backend', 'test_orchestrator', fmt='')
        self.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._ending.set()
        self.join(30)
        ceph = self._cluster.ceph
        ceph('orch', 'set', 'backend', '', fmt='')
        ceph('config', 'rm', 'mgr', 'mgr/test_orchestrator/spool', fmt='')
        ceph('mgr', 'module', 'disable', 'test_orchestrator', fmt='')
