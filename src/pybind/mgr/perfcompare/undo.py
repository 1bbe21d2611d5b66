"""Undo a run by its journal, and look whether nothing of it is left.

What is undone needs two proofs: a journal entry and a name with the run's
random id, and pools their application metadata as well. Every step may be
repeated, and copes with changes that were never made.
"""

from typing import Callable, Dict, List, Optional, Sequence

import errno
import logging
import time

from . import inventory, localundo, undo_faults, undo_services
from .cluster import Cluster
from .configundo import restore
from .errors import NotPermitted, PerfcompareError, TryAgain
from .journal_entries import Entry, EntryStore, Kind
from .ownership import APPLICATION, run_of
from .parallel import together
from .pooldelete import CONSENT, PoolDeletion
from .undo_report import Kept, Leftover, UndoReport

log = logging.getLogger(__name__)

# load first, then what uses, before what is used
ORDER: Sequence[Kind] = (
    Kind.PROCESS,
    # OSDs first: data of others may wait for them
    Kind.OSD_STOP,
    Kind.OSD_OUT,
    Kind.NOOUT,
    Kind.BUCKET,  # while its gateways have their OSDs
    Kind.SERVICE,  # a gateway makes pools anew that it misses
    Kind.POOL,
    Kind.RULE,
    Kind.EC_PROFILE,
    Kind.LINK,
    Kind.ROOT,
    Kind.KEY,
    Kind.FILES,
    Kind.CONFIG,
    Kind.BLOCKLIST,
    Kind.CONSENT,
)
# what pools stand on
UNDER_POOLS = (Kind.RULE, Kind.EC_PROFILE, Kind.LINK, Kind.ROOT)
POOL_LEFT = 'a pool of the run that could not be removed needs it'
ATTEMPTS = 3
PASSING = (errno.EAGAIN, errno.EBUSY, errno.ENOTEMPTY, errno.ETIMEDOUT)

Handler = Callable[[Entry], str]  # returns why something is kept, or ''


class Undo:
    """Replay the journal of one run backwards."""

    def __init__(
        self,
        cluster: Cluster,
        journal: EntryStore,
        run: str,
        sleep: Callable[[float], None] = time.sleep,
        remove_bucket: Optional[Handler] = None,
    ) -> None:
        self._cluster = cluster
        self._journal = journal
        self._run = run
        self._sleep = sleep
        self._remove_bucket = remove_bucket
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
            if kind is Kind.POOL and self._left(Kind.SERVICE):
                self._spare(of_kind, 'gateways of the run still use it')
            elif kind in UNDER_POOLS and self._left(Kind.POOL):
                self._spare(of_kind, POOL_LEFT)
            elif kind is Kind.CONSENT and self._failed:
                continue  # the next attempt needs it
            else:
                self._undo_kind(kind, of_kind)
        gone = self._verify()
        together([self._forgetter(entry) for entry in gone])
        for key in self._journal.unreadable(self._run):
            self._failed[key] = Leftover(
                f'journal entry {key}',
                'it cannot be read by this version',
                'undo by name what `ceph perfcompare cleanup` reports',
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

    def _left(self, kind: Kind) -> bool:
        return any(item.kind is kind for item in self._stuck)

    def _spare(self, entries: List[Entry], why: str) -> None:
        """Leave alone what is in use: PGs of a pool would lose OSDs."""
        self._stuck += entries
        for entry in entries:
            self._failed[entry.key] = inventory.leftover(entry, why)

    def _forgetter(self, entry: Entry) -> Callable[[], None]:
        return lambda: self._journal.forget(entry)

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
                self._sleep,
            ) as deletion:
                self._attempt_all(
                    entries, lambda entry: self._pool(entry, deletion)
                )
        else:
            self._attempt_all(entries, self._handler(kind))

    def _attempt_all(self, entries: List[Entry], handler: Handler) -> None:
        """Undo entries of one kind together; repeat what can yet succeed."""
        for attempt in range(ATTEMPTS):
            if attempt:
                self._sleep(1.0)
            results = together(
                [self._attempter(entry, handler) for entry in entries]
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
                self._check_name(entry)
                reason = handler(entry)
            except PerfcompareError as error:
                if error.errno == errno.ENOENT:
                    reason = ''
                else:
                    log.warning('undo of %s: %s', entry, error.message)
                    self._failed[entry.key] = inventory.leftover(
                        entry, error.message
                    )
                    return error.errno in PASSING
            except OSError as error:
                self._failed[entry.key] = inventory.leftover(
                    entry, error.strerror or str(error)
                )
                return False
            self._failed.pop(entry.key, None)
            self._settled.append(entry)
            if reason:
                self._kept.append(Kept(str(entry), reason))
            return None

        return attempt

    def _check_name(self, entry: Entry) -> None:
        """Refuse an entry whose thing has not the name of this run."""
        name = entry.name
        if entry.kind is Kind.LINK:
            name = entry.detail.get('root', '')
        elif entry.kind not in inventory.NAMED:
            return
        if run_of(name) != self._run:
            raise NotPermitted(f'{name!r} has not the name of this run')

    # one handler for each kind

    def _handler(self, kind: Kind) -> Handler:
        handlers: Dict[Kind, Handler] = {
            Kind.PROCESS: self._process,
            Kind.BUCKET: self._bucket,
            Kind.SERVICE: undo_services.Services(self._cluster, self._sleep),
            Kind.RULE: self._rule,
            Kind.EC_PROFILE: self._ec_profile,
            Kind.LINK: self._link,
            Kind.ROOT: self._root,
            Kind.KEY: self._key,
            Kind.FILES: self._files,
            Kind.CONFIG: self._config,
            Kind.BLOCKLIST: self._blocklist,
            Kind.CONSENT: lambda entry: '',
            **undo_faults.handlers(self._cluster, self._sleep),
        }
        return handlers[kind]

    def _pool(self, entry: Entry, deletion: PoolDeletion) -> str:
        pools = {p.name: p for p in self._cluster.pools()}
        pool = pools.get(entry.name)
        if pool is not None:
            mine = pool.application.get(APPLICATION, {})
            if not mine and set(pool.application) <= {APPLICATION}:
                self._claim(entry.name)
        try:
            deletion.remove(entry.name)
        except NotPermitted as error:
            if pool is not None:
                raise
            # younger than the mgr's map: it can be claimed when it shows
            raise TryAgain(error.message)
        if entry.detail.get('erasure'):
            # Ceph removes it with the pool, but only if it lived to be used
            self._cluster.rule_remove(entry.name)
        return ''

    def _claim(self, pool: str) -> None:
        """Mark a pool that was cut off between creation and its mark.

        Only an empty one: whatever holds objects without our mark stays.
        """
        if self._cluster.pool_df(pool)['objects']:
            raise NotPermitted(
                'it holds objects, but no application metadata of the run'
            )
        self._cluster.pool_set_application(
            pool, APPLICATION, 'run', self._run
        )

    def _bucket(self, entry: Entry) -> str:
        if self._remove_bucket is None:
            raise PerfcompareError('there is no access to its gateways here')
        return self._remove_bucket(entry)

    def _rule(self, entry: Entry) -> str:
        self._cluster.rule_remove(entry.name)
        return ''

    def _ec_profile(self, entry: Entry) -> str:
        self._cluster.ec_profile_remove(entry.name)
        return ''

    def _link(self, entry: Entry) -> str:
        self._cluster.crush_unlink_host(entry.name, entry.detail['root'])
        return ''

    def _root(self, entry: Entry) -> str:
        self._cluster.crush_remove_root(entry.name)
        return ''

    def _key(self, entry: Entry) -> str:
        self._cluster.auth_remove(entry.name)
        return ''

    def _config(self, entry: Entry) -> str:
        return restore(self._cluster, entry)

    def _blocklist(self, entry: Entry) -> str:
        if not entry.was_set:
            self._cluster.blocklist_remove(entry.name)
        return ''

    def _files(self, entry: Entry) -> str:
        host = entry.detail.get('host', '')
        if host != localundo.machine():
            return f'it is on {host!r}, whose mgr removes it when it starts'
        localundo.remove_folder(entry.name)
        return ''

    def _process(self, entry: Entry) -> str:
        host = entry.detail.get('host', '')
        if host != localundo.machine():
            return f'it is on {host!r}, and ends with its lease'
        if entry.name.isdigit():
            localundo.kill_group(
                int(entry.name), entry.detail.get('start', '')
            )
        return ''

    # afterwards

    def _verify(self) -> List[Entry]:
        """Return the settled entries whose things are really gone."""
        present = inventory.of_run(self._cluster, self._run)
        settled = {inventory.identity(e) for e in self._settled}
        failed = {item.what for item in self._failed.values()}
        for thing in present:
            if str(thing) in failed:
                continue
            reason = 'it has no journal entry'
            if (thing.kind, thing.name) in settled:
                reason = 'it is still there after its removal'
            self._failed[str(thing)] = Leftover(
                str(thing), reason, inventory.remedy(thing.kind, thing.name)
            )
        there = {(thing.kind, thing.name) for thing in present}
        return [
            e for e in self._settled if inventory.identity(e) not in there
        ]
