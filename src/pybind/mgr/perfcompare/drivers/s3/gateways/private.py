"""The private S3 gateways of a run: one worker per group keeps them."""

from typing import Callable, Dict, List, Optional, Protocol, Tuple

import dataclasses
import logging
import os
import threading

from ....common.clock import SYSTEM
from ....common.errors import PerfcompareError
from ....model.plan import GroupPlan, RunOptions
from ....planning.s3 import plan as s3plan
from ....ports.clock import Clock
from ....ports.health import Mons
from ....worker.wire import jobs
from ....worker.wire.gateway_jobs import LONGEST, NAME, Gateway, Target
from ....worker.wire.protocol import Ready
from ....worker.wire.s3_spec import Endpoint
from ....workers.control import Control
from ....workers.outcomes import WorkerFailed
from ....workers.worker import Launcher, Worker

log = logging.getLogger(__name__)

START = 150.0  # seconds
RENEW = 5.0  # seconds between renewals of the leases
LEASE = 30.0  # seconds; gateways make no load, but must not be left behind

Access = Callable[[str], jobs.Access]


@dataclasses.dataclass(frozen=True)
class Service:
    """Say where a group's gateways answer, and what they are."""

    endpoints: Tuple[Endpoint, ...]
    credentials: str  # path of the file with the S3 keys
    host: str
    arch: str
    version: str
    writes: str  # where buckets of write trials go
    reads: str = ''  # where buckets to be read go
    ca_file: str = ''  # of the authority that signed its certificate
    region: str = 'us-east-1'


class GatewaySource(Protocol):
    """Offer the gateways of each group of a run."""

    def of(self, group: GroupPlan) -> Service:
        """Return a group's gateways, ready for requests."""

    def problem(self, group: GroupPlan) -> str:
        """Return why a group's gateways ended, empty while they run."""

    def close(self) -> None:
        """Give back what is held; called once, at the end of the run."""


class Gateways:
    """Start gateways when they are needed; end all of them at the end."""

    def __init__(
        self,
        mons: Mons,
        launcher: Launcher,
        control: Control,
        access: Access,
        folder: str,
        options: RunOptions = RunOptions(),
        clock: Clock = SYSTEM,
    ) -> None:
        self._clock = clock
        self._mons = mons
        self._launcher = launcher
        self._control = control
        self._access = access
        self._folder = folder
        self._options = options
        self._lock = threading.Lock()
        self._workers: Dict[str, Worker] = {}
        self._services: Dict[str, Service] = {}
        self._serial = 0
        self._closing = threading.Event()
        self._renewer: Optional[threading.Thread] = None

    def of(self, group: GroupPlan) -> Service:
        """Return a group's gateways, started where they do not run.

        Raises WorkerFailed when they cannot be, Stopped on a brake.
        """
        worker = self._workers.get(group.name)
        if worker is not None:
            with self._lock:
                worker.poll()
            if not worker.ended:
                return self._services[group.name]
            log.warning('gateways of %s ended: %s', group.name, _why(worker))
            self._forget(group, worker)
        return self._start(group)

    def _forget(self, group: GroupPlan, worker: Worker) -> None:
        """End a worker: it has no gateway that serves, or never had one."""
        with self._lock:
            self._workers.pop(group.name, None)
            self._services.pop(group.name, None)
            worker.kill()
            worker.discard()

    def problem(self, group: GroupPlan) -> str:
        """Return why a group's gateways ended, empty while they run."""
        worker = self._workers.get(group.name)
        if worker is None:
            return ''
        with self._lock:
            worker.poll()
        return _why(worker) if worker.ended else ''

    def _start(self, group: GroupPlan) -> Service:
        targets = zone_targets(group)
        self._serial += 1
        name = f's3-{self._serial}'
        credentials = os.path.join(self._folder, f'{name}.keys')
        job = Gateway(
            access=self._access(s3plan.pool(group, s3plan.META).name),
            concurrency=1,
            deadline=LONGEST,
            targets=targets,
            credentials=credentials,
            count=self._options.driver('gateways') or 1,
            tls=bool(self._options.driver('s3_tls')),
        )
        worker = self._launcher.worker(f'{name}-gateway')
        try:
            worker.start(job)
            with self._lock:
                self._workers[group.name] = worker
            self._keep_alive()
            ready = self._await(worker)
            with self._lock:
                worker.go()
            service = _service(ready, credentials, writes_location(group))
        except BaseException:
            self._forget(group, worker)
            raise
        self._services[group.name] = service
        return service

    def _await(self, worker: Worker) -> Ready:
        """Return what a worker says once its gateways serve."""
        end = self._control.monotonic() + START
        while True:
            with self._lock:
                events = worker.poll()
            for event in events:
                if isinstance(event, Ready):
                    return event
            if worker.ended:
                worker.outcome()  # says why
                raise WorkerFailed('died', 'the gateway ended at once')
            if self._control.monotonic() > end:
                raise WorkerFailed(
                    'gateway', f'no gateway within {START:.0f} s'
                )
            self._control.wait(0.1)

    def _keep_alive(self) -> None:
        if self._renewer is None or not self._renewer.is_alive():
            self._renewer = threading.Thread(
                target=self._renew, name='perfcompare-gateways', daemon=True
            )
            self._renewer.start()

    def _renew(self) -> None:
        """Renew while the mons answer: a mgr that was cut off keeps none."""
        while not self._closing.wait(RENEW):
            try:
                self._mons.mon_round_trip()
                with self._lock:
                    for worker in self._workers.values():
                        if not worker.ended:
                            worker.renew(LEASE)
            except PerfcompareError as error:
                log.warning('gateways not renewed: %s', error.message)
            except Exception:  # all gateways would end with this thread
                log.exception('gateways not renewed')

    def close(self) -> None:
        """End all gateways: in order, or at once after a brake.

        They must be gone before their pools are.
        """
        patience = 0.0 if self._control.requested else s3plan.STOP
        left: List[Worker] = [
            w for w in self._workers.values() if not w.ended
        ]
        for worker in left:
            with self._lock:
                worker.renew(max(LEASE, 2 * patience))
                worker.stop(patience)
        end = self._clock.monotonic() + patience
        while left and self._clock.monotonic() < end:
            self._clock.wait(0.1)
            with self._lock:
                for worker in left:
                    worker.poll()
            left = [w for w in left if not w.ended]
        self._closing.set()
        for worker in self._workers.values():
            worker.kill()
            worker.discard()
        if self._renewer is not None:
            self._renewer.join(timeout=10.0)
        self._workers.clear()


def _service(ready: Ready, credentials: str, writes: str) -> Service:
    return Service(
        endpoints=tuple(
            _endpoint(str(url)) for url in ready.facts['endpoints']
        ),
        credentials=credentials,
        host=str(ready.facts.get('hostname', '')),
        arch=str(ready.facts.get('arch', '')),
        version=ready.tools.get('radosgw', ''),
        writes=writes,
        ca_file=str(ready.facts.get('ca_file', '')),
    )


def zone_targets(group: GroupPlan) -> Tuple[Target, ...]:
    """Return the placement targets of a group, the default one first."""
    roles = {pool.role: pool.name for pool in group.pools}
    return tuple(
        Target(name, roles[index], roles[data])
        for name, (index, data) in (
            ('reads', s3plan.READ),
            ('writes', s3plan.WRITE),
        )
        if data in roles
    )


def writes_location(group: GroupPlan) -> str:
    """Return where buckets of write trials go: the default if empty."""
    targets = zone_targets(group)
    return f'{NAME}:{targets[1].name}' if len(targets) > 1 else ''


def _endpoint(url: str) -> Endpoint:
    scheme, _, rest = url.partition('://')
    host, _, port = rest.rpartition(':')
    return Endpoint(host.strip('[]'), int(port), scheme == 'https')


def _why(worker: Worker) -> str:
    try:
        worker.outcome()
    except WorkerFailed as error:
        return error.message
    return 'it ended by itself'
