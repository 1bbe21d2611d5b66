"""The use cases of stored recoveries: list, show, remove, export, import."""

from typing import Any, Callable, Dict, List, Optional, Protocol, Tuple, Union

import dataclasses
import threading

from ..common.errors import InvalidArgument
from ..common.settings import Settings
from ..groups.repository import GroupRepository
from ..interop.reader import ProcessReader
from ..model.recovery import Episode, RecoveryTest, TestState
from ..model.series import Table
from ..ports.config import ConfigReads
from ..ports.identity import Identity
from ..ports.keys import KeyValueStore
from ..ports.osd_map import OsdMapReads
from ..ports.recovery_reads import RecoveryReads
from ..recovery.observe.episodes import ObserverStatus
from ..recovery.observe.interrupted_step import InterruptedStep
from ..recovery.observe.mapwatch import EpochClock
from ..recovery.observe.observer import Observer
from ..recovery.observe.pgbook import Scope
from ..recovery.observe.scopes import group_scopes
from ..recovery.store import archive
from ..recovery.store import recoveries as store
from ..recovery.store.briefs import (
    EPISODE,
    TEST,
    Item,
    RecoveryInfo,
    brief,
    kind_of,
)
from ..store import retention
from ..store.results import Store
from ..store.thread import DbThread
from .imports import Imports
from .removal import PATIENCE, removing
from .requests import page_of

KINDS = (EPISODE, TEST)


class Needs(
    ConfigReads, Identity, KeyValueStore, OsdMapReads, RecoveryReads, Protocol
):
    """Name what is asked of a cluster here."""


@dataclasses.dataclass(frozen=True)
class RecoveryList:
    """Hold a page of recoveries, and what the observer does now.

    ``current`` is the one under way, on the first page where it is of the
    kind asked for; it is none of ``items`` nor of ``total``.
    """

    observer: ObserverStatus
    current: Optional[RecoveryInfo]
    items: Tuple[RecoveryInfo, ...]
    total: int
    offset: int


@dataclasses.dataclass(frozen=True)
class RecoveryDetail:
    """Hold one recovery and the names of its series."""

    kind: str
    item: Item
    series: Tuple[str, ...]


class Recoveries:
    """Observe recoveries, and offer what is stored of them."""

    def __init__(
        self,
        cluster: Needs,
        groups: GroupRepository,
        database: DbThread,
        settings: Callable[[], Settings],
        active: Callable[[], str],
        clock: EpochClock,
        ready: Callable[[], bool] = lambda: True,
        cut: Optional[InterruptedStep] = None,
        imports: Optional[Imports] = None,
        resuming: Callable[[], str] = lambda: '',
        refuse_ending: Callable[[str], None] = lambda ident: None,
    ) -> None:
        """``active`` and ``resuming`` name what goes on, '' for nothing."""
        self._cluster = cluster
        self._imports = imports or Imports(database, ProcessReader())
        self._groups = groups
        self._database = database
        self._settings = settings
        self._clock = clock
        self._active = active
        self._resuming = resuming
        self._refuse_ending = refuse_ending
        self._stopping = threading.Event()
        self._renewed = False  # what lists show of former versions' tests
        self.observer = Observer(
            cluster,
            clock,
            self._scopes,
            self._put,
            lambda: bool(active()),
            lambda: settings().observe_recoveries,
            ready,
            cut=cut,
        )

    # life

    def start(self) -> None:
        """Begin to observe, in a thread of its own."""
        self.observer.start(self._stopping)

    def stop(self) -> None:
        """End it; what is open is saved for the next mgr."""
        self._stopping.set()
        self.observer.join(5.0)

    def noted(self, what: str, detail: Any = None) -> None:
        """Take a notification of ceph-mgr; costs next to nothing."""
        if what == 'clog':
            if isinstance(detail, dict):
                self._clock.tell(detail)
        elif what == 'osd_map':
            self._clock.note(self._cluster.osdmap_epoch())
        elif what == 'pg_summary' and self.observer.status().episode:
            self._clock.note()

    def _scopes(self) -> List[Scope]:
        return group_scopes(self._groups, self._cluster.topology())

    def _put(self, episode: Episode, tables: Dict[str, Table]) -> None:
        self._database.submit(
            lambda s: store.put(s, episode, tables),
            f'recovery {episode.id}',
            size=sum(len(t.t) * 8 * len(t.columns) for t in tables.values()),
        )
        self.expire((episode.id,))

    def expire(self, keep: Tuple[str, ...] = (), aged: bool = False) -> None:
        """Queue the removal of what is beyond the retention.

        Its age counts where ``aged``: see store/expiry.py.
        """
        kept = retention.of_recoveries(self._settings(), aged)
        under_way = (*keep, *self._under_way())
        now = self._clock.wall()  # it may be set until the work is done
        self._database.submit(
            lambda s: store.expire(s, now, kept, keep=under_way),
            'the retention of recoveries',
        )

    def _under_way(self) -> Tuple[str, ...]:
        """Return the ids of what nobody may remove now."""
        episode = self.observer.status().episode
        return episode, self._active(), self._resuming()

    # use cases

    def list(
        self,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        kind: Optional[str] = None,
    ) -> RecoveryList:
        """Return a page of recoveries, the newest first."""
        limit, offset = page_of(limit, offset)
        if kind and kind not in KINDS:
            raise InvalidArgument(
                f'--kind {kind!r} is not one of ' + ', '.join(KINDS)
            )
        current = self.observer.current()
        but = current.id if current is not None else ''
        if not self._renewed:
            self._renewed = True
            # not waited for: lists must come where nothing can be written
            self._database.submit(
                store.renew, 'what lists show of tests of former versions'
            )
        page = self._database.call(
            lambda s: store.ls(s, limit, offset, kind or '', but)
        )
        if offset or kind == TEST:
            current = None
        return RecoveryList(
            self.observer.status(),
            brief(current) if current is not None else None,
            tuple(self._told(i) for i in page.items),
            page.total,
            offset,
        )

    def show(self, ident: str) -> RecoveryDetail:
        """Return a recovery; the one under way as far as it is known."""
        current = self.observer.current()
        if current is not None and current.id == ident:
            return RecoveryDetail(EPISODE, current, ())

        def work(s: Store) -> RecoveryDetail:
            item = store.get(s, ident)
            if isinstance(item, RecoveryTest) and self._is_resuming(item):
                item = dataclasses.replace(item, state=TestState.RESUMING)
            return RecoveryDetail(
                kind_of(item), item, store.sources(s, ident)
            )

        return self._database.call(work)

    def _told(self, info: RecoveryInfo) -> RecoveryInfo:
        if not self._is_resuming(info):
            return info
        return dataclasses.replace(info, state=TestState.RESUMING.value)

    def _is_resuming(self, item: Union[RecoveryInfo, RecoveryTest]) -> bool:
        """Say whether a test is stored as under way, and taken over now."""
        running = item.state == TestState.RUNNING.value
        return running and item.id == self._resuming()

    def series(self, ident: str, source: str) -> List[Table]:
        """Return the parts of a series of a recovery, in order."""
        return self._database.call(lambda s: store.series(s, ident, source))

    def remove(self, ident: str) -> None:
        """Remove a recovery; Busy while it is under way, or its end waits."""
        keep = self._under_way()
        self._refuse_ending(ident)
        self._database.call(
            removing(
                lambda s: store.sources(s, ident),
                lambda s: store.rm(s, ident, keep),
            ),
            timeout=PATIENCE,
        )

    def export(self, ident: str) -> str:
        """Return a recovery with all its series as JSON."""
        found, tables = self._database.call(
            lambda s: store.whole(s, ident), timeout=30.0
        )
        return archive.dump(found, tables)

    def import_(self, text: Optional[str]) -> RecoveryInfo:
        """Store the recovery of a file; its id must be free.

        Busy while a run is active, whose host reading would load.
        """
        if not text:
            raise InvalidArgument(
                'no file is given; use: ceph perfcompare recovery import '
                '-i <file>'
            )
        return self._imports.recovery(text)
