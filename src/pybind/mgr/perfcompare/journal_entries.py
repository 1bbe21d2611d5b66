"""The write-ahead list of everything that a run makes in the cluster.

Each entry stands in the mon store before the change is made, so a new mgr
can undo what the former one left; the database could hang with the very
OSDs under test. What undoing means is in undo.py.
"""

from typing import Any, Dict, List, Mapping, Optional

import dataclasses
import enum
import json
import logging
import threading

from .cluster import ClusterVoice
from .codec import from_data, to_data
from .errors import InvalidArgument

log = logging.getLogger(__name__)

PREFIX = 'journal/'


class Kind(str, enum.Enum):
    """Name what a journal entry is about."""

    SERVICE = 'service'  # of gateways, at the orchestrator
    BUCKET = 'bucket'  # in gateways of others (detail 'gateways')
    POOL = 'pool'
    RULE = 'rule'
    EC_PROFILE = 'ec_profile'
    LINK = 'link'  # of a host (name) to a root (detail 'root')
    ROOT = 'root'
    KEY = 'key'
    CONFIG = 'config'  # an option (name) of a section (detail 'who')
    BLOCKLIST = 'blocklist'
    FILES = 'files'  # a private folder (name) on a machine (detail 'host')
    PROCESS = 'process'  # a process group (name) on a machine
    # of recovery tests; the name is the OSD's number, or the host's name
    OSD_STOP = 'osd_stop'  # detail 'by': orchestrator or operator
    OSD_OUT = 'osd_out'  # detail 'weight': the override weight before
    NOOUT = 'noout'  # of one host; was_set when it had the flag before
    CONSENT = 'consent'  # what the operator allowed for this run


class Step(str, enum.Enum):
    """Say how far the change of an entry is known to have come."""

    INTENT = 'intent'  # made or not: look
    DONE = 'done'


@dataclasses.dataclass(frozen=True)
class Entry:
    """Record one thing that a run makes, changes, or may do."""

    run: str
    seq: int
    kind: Kind
    name: str
    step: Step = Step.INTENT
    detail: Dict[str, str] = dataclasses.field(default_factory=dict)
    # for changes of what was there before: what we set, and what stood
    # there, with the fact whether anything did
    value: Optional[str] = None
    previous: Optional[str] = None
    was_set: bool = False

    @property
    def key(self) -> str:
        """Return the key of the entry in the mon store."""
        return f'{PREFIX}{self.run}/{self.seq:06d}'

    def __str__(self) -> str:
        at = self.detail.get('root') or self.detail.get('who')
        return f'{self.kind.value} {self.name}' + (f' ({at})' if at else '')


class EntryStore:
    """Write, find and forget entries; safe for threads."""

    def __init__(self, cluster: ClusterVoice) -> None:
        self._cluster = cluster
        self._lock = threading.Lock()
        self._last: Dict[str, int] = {}  # run -> last sequence number

    def intend(
        self,
        run: str,
        kind: Kind,
        name: str,
        detail: Optional[Mapping[str, str]] = None,
        value: Optional[str] = None,
        previous: Optional[str] = None,
        was_set: bool = False,
    ) -> Entry:
        """Store what is about to be made or changed; then do it.

        Raises whatever the mon store raises: without an entry, no change.
        """
        entry = Entry(
            run=run,
            seq=self._next(run),
            kind=kind,
            name=name,
            detail=dict(detail or {}),
            value=value,
            previous=previous,
            was_set=was_set,
        )
        self._store(entry)
        return entry

    def done(self, entry: Entry) -> Entry:
        """Note that the change was made."""
        entry = dataclasses.replace(entry, step=Step.DONE)
        self._store(entry)
        return entry

    def forget(self, entry: Entry) -> None:
        """Remove an entry whose change was undone, or never made."""
        self._cluster.kv_remove(entry.key)

    def entries(self, run: str) -> List[Entry]:
        """Return the entries of a run in the order they were made.

        Those that cannot be read are left out; see ``unreadable``.
        """
        return [e for e in self._read_all(run).values() if e is not None]

    def unreadable(self, run: str) -> List[str]:
        """Return the keys of entries that another version may have made."""
        return [k for k, e in self._read_all(run).items() if e is None]

    def _read_all(self, run: str) -> Dict[str, Optional[Entry]]:
        stored = self._cluster.kv_list(f'{PREFIX}{run}/')
        return {key: _read(key, text) for key, text in sorted(stored.items())}

    def find(self, run: str, kind: Kind, name: str) -> Optional[Entry]:
        """Return the entry about one thing of a run, if there is one."""
        for entry in self.entries(run):
            if (entry.kind, entry.name) == (kind, name):
                return entry
        return None

    def runs(self) -> List[str]:
        """Return the ids of the runs that have entries."""
        keys = self._cluster.kv_list(PREFIX)
        return sorted({key[len(PREFIX) :].split('/')[0] for key in keys})

    def _next(self, run: str) -> int:
        with self._lock:
            if run not in self._last:
                keys = sorted(self._cluster.kv_list(f'{PREFIX}{run}/'))
                last = keys[-1].rsplit('/', 1)[1] if keys else '0'
                self._last[run] = int(last) if last.isdigit() else 0
            self._last[run] += 1
            return self._last[run]

    def _store(self, entry: Entry) -> None:
        data = to_data(entry)
        text = json.dumps(
            {k: v for k, v in data.items() if v not in ('', {})}
        )
        self._cluster.kv_set(entry.key, text)


def _read(key: str, text: str) -> Optional[Entry]:
    try:
        data: Any = json.loads(text)
        return from_data(Entry, data, key)
    except (ValueError, InvalidArgument) as error:
        log.warning('journal entry %s cannot be read: %s', key, error)
        return None
