"""Watch the hosts of a trial: a worker scrapes them beside the load."""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    Optional,
    Sequence,
    Tuple,
)

import functools

from ..common.clock import SYSTEM
from ..common.errors import PerfcompareError
from ..common.settings import Settings
from ..model.manifest import varied
from ..model.outcome import Outcome
from ..model.topology import ExporterPlace, Topology
from ..planning.estimate import trial_deadline
from ..ports.clock import Clock
from ..ports.trial_watch import Evidence, TrialContext, window_of
from ..worker.wire.protocol import Started
from ..worker.wire.scrape_jobs import Past, Scrape, Target
from ..workers.lease import Lease
from ..workers.outcomes import WorkerFailed
from ..workers.worker import Launcher, Worker
from . import access, tables
from .exporters import Needs
from .finding import CLIENT, HostPlace, Machine, addresses_of, places
from .gateway_hosts import GatewayHosts
from .links import links

STARTUP = 1.0  # seconds from the first scrape to load, before one was seen
START = 15.0  # seconds that a trial waits for the first scrape, at most
END = 12.0  # seconds that it waits for the figures, at most
# Of a Prometheus server, so many seconds more for each host and second of the
# trial, and so many at most. With 128 CPUs, a scrape every 15 s and all that
# is made of it, it takes a third of that.
QUERIED = 0.001
QUERIED_MOST = 60.0
SPARE = 600.0  # seconds beyond the deadline of the load
SAMPLES = 10  # that a trial should have of each host
SHORTEST = 1.0  # seconds between two scrapes of a host
SHOWN = 4  # hosts that a note names


def no_gateways(context: TrialContext) -> Sequence[Machine]:
    """Say that no gateway is on a host of its own."""
    return ()


class HostWatch:
    """Give `evidence['hosts']` and series 'host.<name>' of each trial."""

    def __init__(
        self,
        cluster: Needs,
        launcher: Launcher,
        lease: Lease,
        settings: Callable[[], Settings],
        folder: str,
        stopping: Callable[[], bool] = lambda: False,
        gateways: GatewayHosts = no_gateways,
        clock: Clock = SYSTEM,
        clients: Optional[
            Callable[[Sequence[str]], Sequence[Tuple[str, str]]]
        ] = None,
        columns: Sequence[str] = (),
    ) -> None:
        """Watch with workers of ``launcher``; ``folder`` is private.

        ``stopping`` says whether the run was asked to end; ``clients`` are
        names and addresses of the hosts that load comes from, if it does
        not come from the Manager's, found by the addresses of OSDs.
        ``columns`` are those of series that somebody reads, if not all are.
        """
        self._cluster = cluster
        self._clock = clock
        self._launcher = launcher
        self._lease = lease
        self._settings = settings
        self._folder = folder
        self._stopping = stopping
        self._gateways = gateways
        self._clients = clients
        self._columns = tuple(columns)
        self._worker: Optional[Worker] = None
        self._places: List[HostPlace] = []
        self._hosts: Sequence[str] = ()  # of the group
        self._serial = 0
        self._past: Dict[str, Past] = {}  # of further exporters, by URL
        # seconds from the first scrape to load, as last seen, by workload
        self._startup: Dict[str, float] = {}
        self._began = ('', 0.0)  # workload, Unix time of the first scrape
        self._queried = False  # samples, at a Prometheus server
        self._note = ''

    @functools.cached_property
    def _known(self) -> List[ExporterPlace]:
        """Return the orchestrator's exporters, asked once for each run."""
        return self._cluster.node_exporters()

    @functools.cached_property
    def _topology(self) -> Topology:
        """Return hosts and disks; with 10,000 OSDs, not for each trial."""
        return self._cluster.topology()

    @functools.cached_property
    def _near(self) -> Tuple[str, ...]:
        """Return the addresses of OSDs, whose network a client is in."""
        return addresses_of(self._topology.osds.values())

    @functools.cached_property
    def _access(self) -> Tuple[access.ExporterAccess, access.AccessFiles]:
        found = access.load(self._cluster)
        return found, access.write(found, self._folder)

    def begin(self, context: TrialContext) -> None:
        """Start to scrape, and wait a little for the first round."""
        self._note, self._places, self._worker = '', [], None
        settings = self._settings()
        if settings.without_hosts:
            self._note = f'hosts: not available ({settings.without_hosts})'
            return
        try:
            worker = self._start(context, settings)
        except PerfcompareError as error:
            self._note = f'hosts: not available ({error.message})'
            return
        self._worker = worker
        self._lease.join(worker)
        end = self._clock.monotonic() + START
        while not (
            worker.ended or self._stopping() or self._clock.monotonic() > end
        ):
            if any(isinstance(e, Started) for e in worker.poll()):
                break
            self._clock.wait(0.05)
        self._began = context.workload.name, self._clock.wall()

    def _start(self, context: TrialContext, settings: Settings) -> Worker:
        opened, files = self._access
        self._hosts = context.group.hosts
        self._places = places(
            self._topology,
            context.group.hosts,
            [*self._client_hosts(context), *self._gateways(context)],
            self._known,
            settings,
            opened.secure,
        )
        self._queried = settings.host_metrics == 'prometheus'
        self._serial += 1
        worker = self._launcher.worker(f'hosts-{self._serial:04d}')
        worker.start(self._job(context, settings, files))
        worker.go()
        return worker

    def _client_hosts(self, context: TrialContext) -> List[Machine]:
        if self._clients is not None:
            named = self._clients(self._near)
            return [Machine(*one, CLIENT) for one in named]
        own = self._cluster.own_address()
        return [Machine(context.plan.client_host, own, CLIENT)]

    def _job(
        self,
        context: TrialContext,
        settings: Settings,
        files: access.AccessFiles,
    ) -> Scrape:
        workload = context.workload
        period = min(
            float(settings.host_metrics_period),
            max(SHORTEST, workload.duration / SAMPLES),
        )
        return Scrape(
            deadline=trial_deadline(workload) + SPARE,
            targets=tuple(
                Target(
                    host=p.host,
                    url=p.url,
                    more=p.more,
                    past=tuple(self._past.get(url, Past()) for url in p.more),
                    names=p.names,
                    settled=p.settled,
                    disks=tuple(p.disks),
                )
                for p in self._places
            ),
            period=period,
            timeout=max(SHORTEST, min(4.0, period)),
            ca_file=files.ca,
            credentials=files.exporter,
            prometheus=settings.prometheus_url,
            prometheus_credentials=files.prometheus,
            query=self._queried,
            opens=self._startup.get(workload.name, STARTUP) + workload.warmup,
            lasts=workload.duration,
            columns=self._columns,
            port=settings.node_exporter_port,
        )

    def tick(self) -> None:
        """Do nothing: the worker works by itself."""

    def end(self, outcome: Optional[Outcome]) -> Evidence:
        """Stop the worker and return what it saw in the window."""
        found = Evidence(notes=[self._note] if self._note else [])
        worker, self._worker = self._worker, None
        if worker is None:
            return found
        late = ''
        try:
            if outcome is not None:
                name, began = self._began
                self._startup[name] = max(0.0, outcome.started - began)
                patience = self._patience(outcome.ended - began)
                worker.stop(patience, window_of(outcome))
                late = self._wait(worker, patience)
                self._take(worker.outcome(), found)
        except WorkerFailed as error:
            why = late or error.message
            found.notes.append(f'hosts: not available ({why})')
        finally:
            self._release(worker)
        return found

    def _patience(self, lasted: float) -> float:
        """Return for how many seconds the figures of a trial are awaited."""
        if not self._queried:
            return END
        more = QUERIED * len(self._places) * max(0.0, lasted)
        return END + min(QUERIED_MOST, more)

    def _wait(self, worker: Worker, seconds: float) -> str:
        """Wait for its result; say why there is none, '' where it ended.

        A run that is to end waits no longer than for few hosts.
        """
        began = self._clock.monotonic()
        while not worker.ended:
            since = self._clock.monotonic() - began
            if since > 1.0 + (END if self._stopping() else seconds):
                break
            worker.poll()
            self._lease.hold()
            self._clock.wait(0.02)
        waited = self._clock.monotonic() - began
        if worker.ended and waited < seconds:
            return ''
        return f'no result within {waited:.0f} s after the trial'

    def _release(self, worker: Worker) -> None:
        self._lease.leave(worker)
        worker.kill()
        worker.discard()

    def _take(self, outcome: Outcome, found: Evidence) -> None:
        """Sort what the worker gave into evidence, series and one note."""
        by_host = {p.host: p for p in self._places}
        hosts: Dict[str, Any] = outcome.evidence.get('hosts', {})
        figures = {
            host: tables.evidence(hosts[host], by_host[host])
            for host in sorted(hosts)
            if host in by_host
        }
        if figures:
            found.figures['hosts'] = figures
        cores = [figures.get(h, {}).get('cores') for h in self._hosts]
        cores = cores if all(cores) else []  # of each host of the group
        if cores:
            found.manifest['cores'] = sorted({int(c) for c in cores if c})
        network = links([figures.get(h, {}) for h in self._hosts])
        if network:
            found.manifest['network'] = sorted(set(network))
        mixed = varied({'cores': cores, 'network': network})
        if mixed:
            found.manifest['mixed'] = mixed
        packed: Dict[str, Any] = outcome.evidence.get('tables', {})
        for host, columns in packed.items():
            found.series[f'host.{host}'] = tables.table(columns)
        past = outcome.evidence.get('past', {})
        for place in self._places:
            for url, known in zip(place.more, past.get(place.host, ())):
                self._past[url] = Past(**known)
        found.notes += [f'hosts: {n}' for n in outcome.notes]
        problems: Dict[str, str] = outcome.evidence.get('problems', {})
        if problems:
            found.notes.append(note_of(problems, len(by_host)))
        for kind, words in (
            ('gaps', 'gaps in the series of'),
            ('silent', 'nothing from ipmi_exporter_url of'),
        ):
            told: Dict[str, str] = outcome.evidence.get(kind, {})
            told = {h: why for h, why in told.items() if h not in problems}
            if told:
                found.notes.append(f'hosts: {words} {_some(told)}')

    def close(self) -> None:
        """End a worker that is left over."""
        worker, self._worker = self._worker, None
        if worker is not None:
            self._release(worker)


def note_of(problems: Dict[str, str], total: int) -> str:
    """Return one line for all hosts that gave no figures."""
    if len(problems) == total:
        return f'hosts: not available ({problems[min(problems)]})'
    return f'hosts: not available of {_some(problems)}'


def _some(problems: Dict[str, str]) -> str:
    """Return some of the hosts, and what is wrong with the first one."""
    names = sorted(problems)
    shown = ', '.join(names[:SHOWN])
    if len(names) > SHOWN:
        shown += f' and {len(names) - SHOWN} more'
    return f'{shown} ({problems[names[0]]})'
