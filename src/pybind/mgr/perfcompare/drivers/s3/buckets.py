"""The buckets of a run in gateways of others: journaled, marked, removed."""

from typing import Callable, Dict, List, Protocol, Set, Tuple, Type

import logging
import secrets
import threading

from ...common.clock import SYSTEM
from ...common.errors import NotFound, PerfcompareError
from ...model.outcome import Outcome
from ...model.plan import GroupPlan, RunPlan
from ...planning.s3 import removal
from ...ports.clock import Clock
from ...ports.health import Mons
from ...ports.identity import Identity
from ...undo.entries import Entry, Kind
from ...undo.journal import Journal
from ...worker.wire.jobs import Access
from ...worker.wire.protocol import LEASE_TTL, Ready
from ...worker.wire.s3_jobs import S3Look, S3Remove
from ...workers.load_run import LoadRun
from ...workers.outcomes import WorkerFailed
from ...workers.worker import Launcher, Worker
from ...workers.workspace import Workspace
from .gateways import existing
from .gateways.repository import GatewayRepository

log = logging.getLogger(__name__)

START = 60.0  # seconds
POLL = 0.1

Ask = Callable[[S3Look, Workspace], Outcome]  # have a job done


class Needs(Identity, Mons, Protocol):
    """Name what is asked of a cluster here."""


class BucketRemover:
    """Remove a bucket by its journal entry, in any mgr, at any time.

    It also looks whether gateways would do, before anything is made.
    """

    def __init__(
        self,
        cluster: Needs,
        book: GatewayRepository,
        launcher: Callable[[str], Launcher],
        base: Callable[[], str],
        clock: Clock = SYSTEM,
    ) -> None:
        self._clock = clock
        self._cluster = cluster
        self._book = book
        self._launcher = launcher
        self._base = base
        self._one = threading.Lock()  # undo asks in threads

    def __call__(self, entry: Entry) -> str:
        """Remove the bucket; return why it is kept, '' when it is gone.

        Raises PerfcompareError when that cannot be done now.
        """
        return self.remove(entry, self._run)

    def remove(self, entry: Entry, ask: Ask) -> str:
        """Do as a call does, but have the job done by ``ask``."""
        outcome = self._ask(S3Remove, entry, ask)
        kept = str(outcome.evidence.get('kept', ''))
        log.info(
            'bucket %s: %s objects removed%s',
            entry.name,
            outcome.evidence.get('removed'),
            f', {kept}' if kept else '',
        )
        return kept

    def look(self, entry: Entry) -> None:
        """Raise PerfcompareError where gateways are no use to a run.

        That is where one does not answer, does not know the keys, or has
        the bucket already.
        """
        self._ask(S3Look, entry, self._run)

    def _ask(self, kind: Type[S3Look], entry: Entry, ask: Ask) -> Outcome:
        with self._one:
            # not the folder of the run, which may be in use
            folder = Workspace.create(self._base(), secrets.token_hex(4))
            try:
                return ask(self._job(kind, entry, folder.path), folder)
            finally:
                folder.remove()

    def _job(self, kind: Type[S3Look], entry: Entry, folder: str) -> S3Look:
        group = entry.detail.get('gateways', '')
        try:
            found = self._book.get(group)
            service = existing.service(self._book, found, folder)
        except NotFound as error:
            # which would mean that the bucket is gone
            raise PerfcompareError(error.message)
        return kind(
            access=Access(
                conf=self._cluster.conf_path(),
                keyring=service.credentials,
                entity=f'client.perfcompare.{entry.run}',
                pool='none',
            ),
            concurrency=1,
            # entries of former versions have no objects
            deadline=removal.limit(int(entry.detail.get('objects', '0'))),
            endpoints=existing.addressed(
                service.endpoints, entry.detail.get('domain', '')
            ),
            credentials=service.credentials,
            region=service.region,
            ca_file=service.ca_file,
            bucket=entry.name,
            # entries of former versions are of one
            buckets=int(entry.detail.get('buckets', '1')),
            owner=entry.run,
        )

    def _run(self, job: S3Look, folder: Workspace) -> Outcome:
        worker = self._launcher(folder.path).worker('remove')
        try:
            worker.start(job)
            end = self._clock.monotonic() + START + job.deadline
            due = 0.0
            while not worker.ended:
                for event in worker.poll():
                    if isinstance(event, Ready):
                        worker.go()
                now = self._clock.monotonic()
                if now > end:
                    raise WorkerFailed('deadline', 'buckets: no end')
                if now > due and not worker.ended:
                    due = now + LEASE_TTL / 3
                    self._renew(worker)
                self._clock.wait(POLL)
            return worker.outcome()
        finally:
            worker.kill()
            worker.discard()

    def _renew(self, worker: Worker) -> None:
        try:
            self._cluster.mon_round_trip()
        except PerfcompareError as error:
            log.warning('removal of a bucket not renewed: %s', error.message)
            return
        worker.renew(LEASE_TTL)


class Buckets:
    """Name the buckets of one run, and journal them before they are made.

    ``loads`` remove those of a round: objects go by the million, at gateways
    that serve others, so brakes and abort rules are looked at meanwhile.
    """

    def __init__(
        self,
        plan: RunPlan,
        journal: Journal,
        remover: BucketRemover,
        loads: LoadRun,
        alive: Callable[[], None],
    ) -> None:
        """``alive`` is told often that the run is being driven."""
        self._alive = alive
        self._plan = plan
        self._journal = journal
        self._remover = remover
        self._loads = loads
        self._there: Dict[str, Entry] = {}
        self._looked = False

    def take(
        self, group: GroupPlan, name: str, objects: int, count: int = 1
    ) -> Tuple[str, bool]:
        """Return the name of the first bucket, and whether all must be new.

        ``count`` are journaled as one, with the most ``objects`` in them.
        Raises PerfcompareError where the gateways are no use.
        """
        bucket = self._name(group, name)
        if bucket in self._there:
            return bucket, False
        if not self._looked:
            self._look(name, count)
            self._looked = True
        self._there[bucket] = self._journal.intend(
            self._plan.run,
            Kind.BUCKET,
            bucket,
            _detail(group, count, objects),
        )
        return bucket, True

    def _name(self, group: GroupPlan, name: str) -> str:
        # several groups may have the same gateways
        index = [g.name for g in self._plan.groups].index(group.name)
        return f'perfcompare-{self._plan.run}-g{index}-{name}'

    def _look(self, name: str, count: int) -> None:
        """Look at the gateways of all groups, before one of them is used.

        They are not journaled: such an entry could be undone by nothing.
        """
        seen: Set[str] = set()
        for group in self._plan.groups:
            if group.gateways in seen:
                continue
            seen.add(group.gateways)
            self._remover.look(
                Entry(
                    self._plan.run,
                    0,
                    Kind.BUCKET,
                    self._name(group, name),
                    detail=_detail(group, count, 0),
                )
            )

    def clear(self, keep: str) -> None:
        """Remove all buckets but those whose names end with ``keep``."""
        gone: List[str] = [b for b in self._there if not b.endswith(keep)]
        for bucket in gone:
            entry = self._there[bucket]
            kept = self._remover.remove(
                entry,
                lambda job, folder: self._loads.run(
                    f'remove-{secrets.token_hex(4)}',
                    job,
                    (),
                    on_tick=self._alive,
                ),
            )
            if kept:
                raise PerfcompareError(f'bucket {bucket!r} stays: {kept}')
            self._journal.forget(entry)
            del self._there[bucket]


def _detail(group: GroupPlan, count: int, objects: int) -> Dict[str, str]:
    """Return how ``count`` buckets of a group are reached again."""
    detail = {'gateways': group.gateways}
    if objects:
        detail['objects'] = str(objects)
    if count > 1:
        detail['buckets'] = str(count)
    if group.s3_domain:
        detail['domain'] = group.s3_domain
    return detail
