"""The write-ahead list of everything that a run makes in the cluster.

Each entry stands in the mon store before the change is made, so a new mgr
can undo what the former one left; the database could hang with the very
OSDs under test. What undoing means is in undo/engine.py.
"""

from typing import Dict, List, Mapping, Optional

import dataclasses
import enum
import json
import logging
import re
import secrets
import threading

from ..common.codec import from_data, to_data
from ..common.errors import InvalidArgument
from ..ports.keys import KeyValueStore

log = logging.getLogger(__name__)

PREFIX = 'journal/'
# kinds that former versions knew: a folder or a process of one machine, which
# the Manager there removes when it starts, or which ends with its lease
RETIRED = ('files', 'process')
# journal/<run>/<number>, of former versions, and <number>-<random>
_KEY = re.compile(
    re.escape(PREFIX) + r'([0-9a-f]{8})/([0-9]{6,12})(?:-([0-9a-f]{8}))?\Z',
    re.ASCII,
)


class Kind(str, enum.Enum):
    """Name what a journal entry is about."""

    SERVICE = 'service'  # of gateways, at the orchestrator
    BUCKET = 'bucket'  # in gateways of others (detail 'gateways')
    POOL = 'pool'
    RULE = 'rule'
    EC_PROFILE = 'ec_profile'
    # of a host (name) to a root (detail 'root'); detail 'parents': of others
    LINK = 'link'
    ROOT = 'root'
    KEY = 'key'
    CONFIG = 'config'  # an option (name) of a section (detail 'who')
    BLOCKLIST = 'blocklist'
    # of recovery tests; the name is the OSD's number, or the host's name
    OSD_STOP = 'osd_stop'  # detail 'by': orchestrator or operator
    OSD_DOWN = 'osd_down'  # marked so while it ran; detail 'weight'
    OSD_OUT = 'osd_out'  # detail 'weight': the override weight before
    UPMAPS = 'upmaps'  # of others' PGs, before OSDs went out; a part of them
    # of one host, by the id of its detail 'bucket'; was_set when it had the
    # flag before
    NOOUT = 'noout'
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
    # of the key: two mgrs that think they are active count alike; entries
    # of former versions have none
    suffix: str = ''

    @property
    def key(self) -> str:
        """Return the key of the entry in the mon store."""
        tail = f'-{self.suffix}' if self.suffix else ''
        return f'{PREFIX}{self.run}/{self.seq:06d}{tail}'

    def __str__(self) -> str:
        at = self.detail.get('root') or self.detail.get('who')
        return f'{self.kind.value} {self.name}' + (f' ({at})' if at else '')


_FIELDS = frozenset(field.name for field in dataclasses.fields(Entry))


class EntryStore:
    """Write, find and forget entries; safe for threads."""

    def __init__(self, cluster: KeyValueStore) -> None:
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
            suffix=secrets.token_hex(4),
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

    def all_entries(self) -> List[Entry]:
        """Return the entries of all runs."""
        return [e for run in self.runs() for e in self.entries(run)]

    def unreadable(self, run: str) -> List[str]:
        """Return the keys of entries that another version may have made."""
        return [k for k, e in self._read_all(run).items() if e is None]

    def forget_retired(self, run: str) -> None:
        """Remove entries of former versions that need no undoing."""
        for key, text in self._cluster.kv_list(f'{PREFIX}{run}/').items():
            if _retired(text):
                log.info('journal entry %s is of a retired kind', key)
                self._cluster.kv_remove(key)

    def _read_all(self, run: str) -> Dict[str, Optional[Entry]]:
        of_run = f'{PREFIX}{run}'
        stored = self._cluster.kv_list(of_run)
        return {
            key: _read(key, text)
            for key, text in sorted(stored.items())
            if key == of_run or key.startswith(f'{of_run}/')
            if not _retired(text)
        }

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
                keys = self._cluster.kv_list(f'{PREFIX}{run}/')
                found = [_KEY.match(key) for key in keys]
                self._last[run] = max(
                    (int(match.group(2)) for match in found if match),
                    default=0,
                )
            self._last[run] += 1
            return self._last[run]

    def _store(self, entry: Entry) -> None:
        data = to_data(entry)
        del data['suffix']  # the key has it
        if not data['detail']:
            del data['detail']
        text = json.dumps(data)
        self._cluster.kv_set(entry.key, text)


def _retired(text: str) -> bool:
    try:
        return json.loads(text)['kind'] in RETIRED
    except (ValueError, KeyError, TypeError, RecursionError):
        return False


def _read(key: str, text: str) -> Optional[Entry]:
    """Return an entry, None when it is not one as this version writes it."""
    try:
        match = _KEY.match(key)
        if match is None:
            raise InvalidArgument('its key is none of an entry')
        run, seq, suffix = match.groups()
        data = json.loads(text)
        if isinstance(data, dict):
            # what a later version adds is about what is known here
            data = {k: v for k, v in data.items() if k in _FIELDS}
        entry = from_data(Entry, data, key)
        if (entry.run, entry.seq) != (run, int(seq)):
            # to forget it would remove the entry of something else
            raise InvalidArgument('it says that it is another entry')
        return dataclasses.replace(entry, suffix=suffix or '')
    # whatever another version, or damage, makes of it
    except Exception as error:
        log.warning('journal entry %s cannot be read: %s', key, error)
        return None
