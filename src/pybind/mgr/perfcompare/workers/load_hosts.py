"""The load hosts that were added, and the links to their agents."""

from typing import Dict, List, Optional, Tuple, TypeVar

import dataclasses
import errno
import json
import logging
import secrets
import threading

from ..common.codec import from_text, to_data
from ..common.errors import (
    InvalidArgument,
    NotFound,
    NotPermitted,
    PerfcompareError,
    TryAgain,
)
from ..guard.checks.client_host import Neighbors
from ..model.load_host import HostState, LoadHost
from ..ports.clock import Clock
from ..ports.keys import KeyValueStore
from ..worker.wire.agents import answer_text, parse_sync, program_digest
from ..worker.wire.strict import Malformed
from .control import retry_until_stopped
from .host_link import SILENT, HostLink

log = logging.getLogger(__name__)
T = TypeVar('T')

PREFIX = 'load-host/'
MOST = 256  # hosts


@dataclasses.dataclass(frozen=True)
class Enrolled:
    """Hold what is kept with the mons of a load host."""

    added: float  # Unix time
    enabled: bool = True


class LoadHosts:
    """Know all load hosts; safe to use from threads.

    `sync` serves agents and asks nobody; all else may wait for the mons.
    """

    def __init__(self, store: KeyValueStore, clock: Clock) -> None:
        self._store = store
        self._clock = clock
        # of what this Manager runs, whatever is put in its place later
        self._program = program_digest()
        self._lock = threading.Lock()
        self._changing = threading.Lock()  # taken first; mons may be slow
        self._enrolled: Dict[str, Enrolled] = {}
        self._links: Dict[str, HostLink] = {}
        # agents of hosts that were removed: connections outlive keys
        self._keyless: Dict[str, Tuple[str, ...]] = {}
        self._loaded = False

    # agents

    def sync(self, host: str, text: Optional[str]) -> str:
        """Exchange with an agent, which ceph-mgr knows to be of ``host``."""
        if not self._loaded:
            raise TryAgain('the Manager is starting: ask again')
        link, kept = self._links.get(host), self._enrolled.get(host)
        if link is None or kept is None:
            raise NotFound(
                f'{host[:80]!r} is no load host: `ceph perfcompare load-host '
                f'add {host[:80]}` makes it one'
            )
        try:
            link.admit()
            said = parse_sync(text or '')
            if not kept.enabled:
                link.turn_away(said.boot)
                # not EPERM: the agent keeps its connection, and is the same
                raise NotPermitted(
                    f'load host {host!r} is disabled: `ceph perfcompare '
                    f'load-host enable {host}`',
                    errno.EHOSTDOWN,
                )
            return answer_text(link.sync(said))
        except Malformed as error:
            link.refuse(f'malformed: {error}')
            raise InvalidArgument(
                f'what load host {host!r} says is malformed: '
                f'{str(error)[:120]}'
            ) from None
        except PerfcompareError as error:
            link.refuse(error.message)
            raise

    # who is enrolled

    def begin(self, stopping: threading.Event) -> None:
        """Read who is, in a thread, as soon as the mons tell."""

        def work() -> None:
            try:
                retry_until_stopped('load hosts', self.load, stopping)
            except Exception:  # a command that needs them reads them
                log.exception('load hosts')

        threading.Thread(
            target=work, name='perfcompare-load-hosts', daemon=True
        ).start()

    def load(self) -> None:
        """Read who is, unless it was read."""
        with self._lock:
            if self._loaded:
                return
            for key, text in self._store.kv_list(PREFIX).items():
                host = key[len(PREFIX) :]
                try:
                    self._know(host, from_text(Enrolled, text))
                except InvalidArgument as error:
                    log.warning('load host %s: %s', host, error.message)
            self._loaded = True

    def _know(self, host: str, kept: Enrolled) -> None:
        self._enrolled = {**self._enrolled, host: kept}
        if host not in self._links:
            link = HostLink(
                host,
                secrets.token_hex(8),
                self._clock,
                self._program,
                self._keyless.pop(host, ()),
            )
            if not kept.enabled:
                link.lose(f'load host {host} is disabled')
            self._links = {**self._links, host: link}

    def add(self, host: str) -> None:
        """Enroll a host; fine when it is. One that was disabled is new."""
        self.load()
        with self._changing:
            known = self._enrolled.get(host)
            if len(self._enrolled) >= MOST and known is None:
                raise InvalidArgument(f'{MOST} load hosts are the most')
            anew = known is not None and not known.enabled
            self._keep(host, Enrolled(self._clock.wall()), anew)

    def enable(self, host: str, enabled: bool) -> None:
        """Let an enrolled host speak, or not."""
        with self._changing:
            kept = self._kept(host)
            self._keep(host, dataclasses.replace(kept, enabled=enabled))
            if enabled:
                self._links[host].open()
            else:
                self._links[host].lose(f'load host {host} was disabled')

    def remove(self, host: str) -> None:
        """Forget a host; fine when it is none."""
        self.load()
        with self._changing:
            self._store.kv_remove(PREFIX + host)
            with self._lock:
                self._enrolled = _without(self._enrolled, host)
                self._unlink(host)

    def _unlink(self, host: str) -> None:
        """Hear the agents that have the former key of a host no more."""
        link = self._links.get(host)
        self._links = _without(self._links, host)
        if link is not None:
            self._keyless[host] = link.agents()
            link.lose(f'load host {host} was removed')

    def _keep(self, host: str, kept: Enrolled, anew: bool = False) -> None:
        """Keep what is known of a host; ``anew`` with other agents."""
        self._store.kv_set(PREFIX + host, json.dumps(to_data(kept)))
        with self._lock:
            if anew:
                self._unlink(host)
            self._know(host, kept)

    def _kept(self, host: str) -> Enrolled:
        self.load()
        kept = self._enrolled.get(host)
        if kept is None:
            raise NotFound(
                f'{host!r} is no load host; see `ceph perfcompare load-host '
                'ls`'
            )
        return kept

    # what is known

    def names(self) -> List[str]:
        """Return all load hosts."""
        self.load()
        return sorted(self._enrolled)

    def enabled(self, host: str) -> bool:
        """Say whether a host may speak."""
        return self._kept(host).enabled

    def link(self, host: str) -> HostLink:
        """Return the link to a host; NotFound where it was not added."""
        self._kept(host)
        return self._links[host]

    def links(self) -> List[HostLink]:
        """Return the links to all hosts that are enabled, by name."""
        self.load()
        with self._lock:
            return [
                self._links[host]
                for host in sorted(self._enrolled)
                if self._enrolled[host].enabled and host in self._links
            ]

    def describe(self, host: str, neighbors: Neighbors) -> LoadHost:
        """Return what is known of a host, and which OSDs run on it."""
        kept = self._kept(host)
        link = self._links[host]
        facts, reading = link.facts, link.reading
        found = LoadHost(
            host=host,
            state=_state(kept, link),
            added=kept.added,
            seen=None if link.seen is None else link.silent(),
            refused=link.refused,
            last_refusal=link.last_refusal,
        )
        if reading is not None:
            found = dataclasses.replace(
                found,
                clock_offset=reading.offset,
                clock_bound=reading.bound,
                clock_steps=reading.steps,
            )
        if facts is None:
            return found
        return dataclasses.replace(
            found,
            hostname=facts.hostname,
            arch=facts.arch,
            cores=facts.cores,
            memory_bytes=facts.memory_bytes,
            memory_free=facts.memory_free,
            kernel=facts.kernel,
            rados=facts.rados,
            programs=facts.programs,
            numpy=facts.numpy,
            addresses=facts.addresses,
            osds=neighbors.of(link.room()).same_host,
        )


def _without(found: Dict[str, T], host: str) -> Dict[str, T]:
    return {name: kept for name, kept in found.items() if name != host}


def _state(kept: Enrolled, link: HostLink) -> HostState:
    if not kept.enabled:
        return HostState.DISABLED
    if link.other_version:
        return HostState.VERSION
    if link.seen is None:
        return HostState.NEVER
    if link.silent() > SILENT:
        return HostState.SILENT
    return HostState.LOADING if link.loading else HostState.READY
