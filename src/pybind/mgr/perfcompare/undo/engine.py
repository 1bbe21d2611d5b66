"""Undo a run by its journal, and look whether nothing of it is left.

What is undone needs two proofs: a journal entry and a name with the run's
random id, and pools their application metadata as well. Every step may be
repeated, and copes with changes that were never made.
"""

from typing import Callable, Dict, List, Optional, Protocol, Sequence

import errno
import logging

from ..common.errors import PerfcompareError, TryAgain
from ..common.parallel import THREADS, run_concurrently
from ..model.ownership import run_of
from ..ports import orchestration
from ..ports.clock import Clock
from ..ports.rules import RuleReads
from . import inventory, primaries
from .config import newest_first
from .entries import Entry, EntryStore, Kind
from .handlers import Handler
from .handlers import Needs as HandlerNeeds
from .handlers import handlers, remove_pool
from .pools import CONSENT, PoolDeletion
from .report import Kept, Leftover, UndoReport

log = logging.getLogger(__name__)

# what uses, before what is used
ORDER: Sequence[Kind] = (
    # OSDs first: data of others may wait for them
    Kind.OSD_STOP,
    Kind.OSD_DOWN,
    Kind.OSD_OUT,
    Kind.UPMAPS,  # while an OSD is out they would be dropped again
    Kind.NOOUT,
    Kind.BUCKET,  # while its gateways have their OSDs
    Kind.SERVICE,  # a gateway makes pools anew that it misses
    Kind.POOL,
    Kind.RULE,
    Kind.EC_PROFILE,
    Kind.LINK,
    Kind.ROOT,
    Kind.KEY,
    Kind.CONFIG,
    Kind.BLOCKLIST,
    Kind.CONSENT,
)
# what pools stand on
UNDER_POOLS = (Kind.RULE, Kind.EC_PROFILE, Kind.LINK, Kind.ROOT)
POOL_LEFT = 'a pool of the run, or its rule, that is left needs it'
OSDS_DOWN = 'OSDs that the run stopped are down, or may yet go down'
OSDS_OUT = 'OSDs that the run took out are not in again'
UPMAPS_LEFT = 'upmaps of others are not set again, which see'
TAKEN = (Kind.OSD_STOP, Kind.OSD_OUT)
ATTEMPTS = 3
PASSING = (errno.EAGAIN, errno.EBUSY, errno.ENOTEMPTY, errno.ETIMEDOUT)


class Needs(HandlerNeeds, RuleReads, Protocol):
    """Name what is asked of a cluster here."""


def fault(error: Exception) -> str:
    """Return in one line what is wrong with an entry, or with us."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    if isinstance(error, PerfcompareError):
        return error.message
    text = ' '.join(str(error).split())[:200]
    return (
        f'its journal entry cannot be used ({type(error).__name__}: {text})'
    )


def _who(entry: Entry) -> str:
    return entry.detail.get('who', '')


class Undo:
    """Replay the journal of one run backwards."""

    def __init__(
        self,
        cluster: Needs,
        journal: EntryStore,
        run: str,
        clock: Clock,
        remove_bucket: Optional[Handler] = None,
    ) -> None:
        self._cluster = cluster
        self._journal = journal
        self._run = run
        self._clock = clock
        self._handlers = handlers(cluster, journal, clock, remove_bucket)
        self._kept: List[Kept] = []
        self._failed: Dict[str, Leftover] = {}
        self._stuck: List[Entry] = []
        self._settled: List[Entry] = []

    def execute(self) -> UndoReport:
        """Undo everything that can be; raise only if the mons are silent.

        Entries are forgotten only when the cluster's own state shows that
        the thing is gone.
        """
        for kind in ORDER:
            # read anew: removing pools can leave an entry about an option
            entries = self._journal.entries(self._run)
            of_kind = [e for e in entries if e.kind is kind]
            try:
                self._turn(kind, of_kind)
                if kind is Kind.SERVICE:
                    self._see_hidden(entries)
            except TryAgain:
                raise
            except Exception as error:  # the other kinds go on
                log.exception('undo of %s', kind.value)
                self._spare(of_kind, fault(error))
        gone = self._verified()
        run_concurrently([self._forgetter(entry) for entry in gone])
        self._journal.forget_retired(self._run)
        for key in self._journal.unreadable(self._run):
            self._failed[key] = Leftover(
                f'journal entry {key}',
                'it cannot be read by this version',
                f'see what it names (`ceph config-key get '
                f'mgr/perfcompare/{key}`), undo that by hand, and then '
                f'`ceph config-key rm mgr/perfcompare/{key}`',
            )
        kept = {k.what for k in self._kept}
        return UndoReport(
            tuple(
                str(e)
                for e in gone
                if e.kind is not Kind.CONSENT and str(e) not in kept
            ),
            tuple(self._kept),
            tuple(self._failed.values()),
        )

    def _turn(self, kind: Kind, entries: List[Entry]) -> None:
        """Undo the entries of one kind, unless others have to go first."""
        if kind is Kind.POOL and self._left(Kind.SERVICE):
            self._spare(entries, 'gateways of the run still use it')
        elif kind in UNDER_POOLS and self._pools_left(entries):
            self._spare(entries, POOL_LEFT)
        elif kind is Kind.UPMAPS and any(map(self._left, TAKEN)):
            self._spare(entries, OSDS_OUT)
        elif kind is Kind.NOOUT and self._left(Kind.OSD_STOP):
            # without it the mons would soon move all of their data
            self._spare(entries, OSDS_DOWN)
        elif kind is Kind.CONSENT and self._failed:
            pass  # the next attempt needs it
        elif kind is Kind.CONFIG:
            used = [e for e in entries if self._service_of(_who(e))]
            for entry in used:
                self._spare_for(entry, self._service_of(_who(entry)))
            self._undo_kind(kind, [e for e in entries if e not in used])
        else:
            self._undo_kind(kind, entries)

    def _service_of(self, name: str) -> str:
        """Return the service that is left to which a section belongs."""
        for item in self._stuck:
            section = orchestration.section(item.name)
            if item.kind is Kind.SERVICE and (
                name == section or name.startswith(f'{section}.')
            ):
                return item.name
        return ''

    def _see_hidden(self, entries: List[Entry]) -> None:
        """Note services of the run whose entries cannot be read.

        Options of their sections and keys that the orchestrator made tell of
        them. Without an entry they are not removed, and what they use stays.
        """
        if not self._journal.unreadable(self._run):
            return
        known = {e.name for e in entries if e.kind is Kind.SERVICE}
        sections = [_who(e) for e in entries if e.kind is Kind.CONFIG]
        names = inventory.services_of(
            self._run, [*sections, *self._cluster.auth_entities()]
        )
        for name in sorted(names - known):
            if not self._served(name):
                continue
            hidden = Entry(self._run, 0, Kind.SERVICE, name)
            self._stuck.append(hidden)
            self._failed[f'service {name}'] = inventory.leftover(
                hidden,
                'its journal entry cannot be read',
                inventory.after_service(name),
            )

    def _served(self, service: str) -> bool:
        """Say whether gateways of a service may be there."""
        try:
            return bool(
                self._cluster.gateways_known(service)
                or self._cluster.gateways_placed(service)
            )
        except PerfcompareError:  # nobody can tell
            return True

    def _spare_for(self, entry: Entry, service: str) -> None:
        self._stuck.append(entry)
        self._failed[entry.key] = inventory.leftover(
            entry,
            inventory.used_by(service),
            inventory.after_service(service),
        )

    def _pools_left(self, entries: List[Entry]) -> bool:
        """Say whether pools stay, also by an entry that cannot be read."""
        if self._left(Kind.POOL):
            return True
        if not entries or not self._journal.unreadable(self._run):
            return False
        return any(run_of(p.name) == self._run for p in self._cluster.pools())

    def _left(self, kind: Kind) -> bool:
        return any(item.kind is kind for item in self._stuck)

    def _spare(self, entries: List[Entry], why: str) -> None:
        """Leave alone what is in use: PGs of a pool would lose OSDs."""
        self._stuck += entries
        for entry in entries:
            self._failed[entry.key] = inventory.leftover(entry, why)

    def _forgetter(self, entry: Entry) -> Callable[[], None]:
        def forget() -> None:
            try:
                self._journal.forget(entry)
            except TryAgain:
                raise
            except PerfcompareError as error:  # undone anew the next time
                self._failed[entry.key] = inventory.leftover(
                    entry, f'its journal entry stays: {error.message}'
                )

        return forget

    def _undo_kind(self, kind: Kind, entries: List[Entry]) -> None:
        if not entries:
            return
        if kind is Kind.POOL:
            consent = self._journal.find(self._run, Kind.CONSENT, CONSENT)
            with PoolDeletion(
                self._cluster,
                self._journal,
                self._run,
                consent is not None,
                self._clock,
            ) as deletion:
                self._attempt_all(
                    entries,
                    lambda entry: remove_pool(
                        self._cluster, self._run, deletion, entry
                    ),
                )
        elif kind is Kind.CONFIG:
            for part in newest_first(entries):
                self._attempt_all(part, self._handlers[kind])
        elif kind is Kind.UPMAPS:
            self._map_again(entries)
        else:
            self._attempt_all(entries, self._handlers[kind])

    def _map_again(self, entries: List[Entry]) -> None:
        """Set upmaps, and then the primaries that have PGs by them.

        One entry after another: each makes as many changes at one time as
        there may be.
        """
        led = [e for e in entries if primaries.KEY in e.detail]
        handler = self._handlers[Kind.UPMAPS]
        mapped = [e for e in entries if e not in led]
        self._attempt_all(mapped, handler, threads=1)
        if self._left(Kind.UPMAPS):
            self._spare(led, UPMAPS_LEFT)
            return
        self._attempt_all(led, handler, threads=1)

    def _attempt_all(
        self,
        entries: List[Entry],
        handler: Handler,
        threads: int = THREADS,
    ) -> None:
        """Undo entries of one kind together; repeat what can yet succeed."""
        for attempt in range(ATTEMPTS):
            if attempt:
                self._clock.wait(1.0)
            results = run_concurrently(
                [self._attempter(entry, handler) for entry in entries],
                threads,
            )
            self._stuck += [
                e for e, again in zip(entries, results) if again is False
            ]
            entries = [e for e, again in zip(entries, results) if again]
            if not entries:
                return
        self._stuck += entries

    def _attempter(
        self, entry: Entry, handler: Handler
    ) -> Callable[[], Optional[bool]]:
        def attempt() -> Optional[bool]:
            """Undo one entry; None if that succeeded, else whether to
            try again."""
            try:
                inventory.check_name(entry)
                reason = handler(entry)
            except PerfcompareError as error:
                if error.errno == errno.ENOENT:
                    reason = ''
                else:
                    log.warning('undo of %s: %s', entry, error.message)
                    self._failed[entry.key] = inventory.leftover(
                        entry,
                        error.message,
                        (
                            inventory.unjournal(entry)
                            if isinstance(error, inventory.Foreign)
                            else ''
                        ),
                    )
                    return error.errno in PASSING
            except Exception as error:
                # what stands in an entry may be of another version, or
                # damaged; the other entries go on
                log.exception('undo of %s', entry)
                self._failed[entry.key] = inventory.leftover(
                    entry, fault(error)
                )
                return False
            self._failed.pop(entry.key, None)
            self._settled.append(entry)
            if reason:
                self._kept.append(Kept(str(entry), reason))
            return None

        return attempt

    # afterwards

    def _verified(self) -> List[Entry]:
        """Return entries to forget: none where nobody can look."""
        try:
            return self._verify()
        except TryAgain:
            raise
        except Exception as error:
            log.exception('what is left of run %s', self._run)
            self._failed[self._run] = Leftover(
                f'run {self._run}',
                f'what is left of it cannot be read: {fault(error)}',
                'try `ceph perfcompare cleanup`',
            )
            return []

    def _verify(self) -> List[Entry]:
        """Return the settled entries whose things are really gone."""
        present = inventory.of_run(self._cluster, self._run)
        settled = {inventory.identity(e) for e in self._settled}
        failed = {item.what for item in self._failed.values()}
        pools = {e.name for e in self._stuck if e.kind is Kind.POOL}
        for thing in present:
            if str(thing) in failed:
                continue
            reason = 'it has no journal entry'
            remedy = inventory.remedy(thing.kind, thing.name)
            service = self._service_of(thing.name)
            if (thing.kind, thing.name) in settled:
                reason = 'it is still there after its removal'
            elif thing.kind is Kind.KEY and service:
                reason = inventory.used_by(service)
                remedy = inventory.after_service(service)
            elif thing.kind is Kind.RULE and thing.name in pools:
                reason = f'it came with pool {thing.name}, which see'
            self._failed[str(thing)] = Leftover(str(thing), reason, remedy)
        there = {(thing.kind, thing.name) for thing in present}
        return [
            e for e in self._settled if inventory.identity(e) not in there
        ]
