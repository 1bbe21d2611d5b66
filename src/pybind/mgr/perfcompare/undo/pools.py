"""Remove pools, also where the mons forbid it and the operator consented.

`mon_allow_pool_delete` is set only after a mon refused, journaled before,
and restored when the pools are gone.
"""

from typing import Any, Optional, Protocol

import errno
import logging
import threading

from ..common.errors import CommandFailed, NotPermitted, PerfcompareError
from ..common.printable import some
from ..ports.clock import Clock
from ..ports.config import ConfigReads, ConfigWrites
from ..ports.health import HealthReads
from ..ports.osd_map import OsdMapReads
from ..ports.pools import PoolReads, PoolWrites
from ..ports.rules import RuleWrites
from .config import restore
from .entries import Entry, EntryStore, Kind

log = logging.getLogger(__name__)

OPTION = 'mon_allow_pool_delete'
WHO = 'mon'
CONSENT = 'pool_delete'  # name of the journal entry of the consent
TRUTHS = ('true', '1', 'yes', 'on')
PATIENCE = 5.0  # seconds for mons to follow their new configuration


class Needs(
    ConfigReads,
    ConfigWrites,
    HealthReads,
    OsdMapReads,
    PoolReads,
    PoolWrites,
    RuleWrites,
    Protocol,
):
    """Name what is asked of a cluster here."""


class PoolDeletion:
    """Be the context in which pools of a run are removed."""

    def __init__(
        self,
        cluster: Needs,
        journal: EntryStore,
        run: str,
        consent: bool,
        clock: Clock,
    ) -> None:
        self._cluster = cluster
        self._journal = journal
        self._run = run
        self._consent = consent
        self._clock = clock
        self._lock = threading.Lock()
        self._entry: Optional[Entry] = None

    def __enter__(self) -> 'PoolDeletion':
        return self

    def __exit__(self, *_: Any) -> None:
        entry, self._entry = self._entry, None
        if entry is None:
            return
        try:
            restore(self._cluster, entry, self._clock)
            self._journal.forget(entry)
        except PerfcompareError as error:  # the journal restores it later
            log.warning('%s is not restored yet: %s', OPTION, error.message)

    def remove(self, pool: str) -> None:
        """Remove a pool of the run; fine when it is absent.

        Raises CommandFailed EPERM when the mons forbid it and there is no
        consent; NotPermitted when a mon has the option from its own file or
        section, where consent does not reach.
        """
        deadline: Optional[float] = None
        while True:
            try:
                self._cluster.pool_remove(pool)
                return
            except CommandFailed as error:
                if error.errno != errno.EPERM or OPTION not in error.message:
                    raise
                if not self._consent:
                    raise
                now = self._clock.monotonic()
                deadline = deadline or now + PATIENCE
                if now >= deadline:
                    raise
            self._allow()
            self._clock.wait(0.2)

    def _allow(self) -> None:
        """Let the mons delete pools, unless this was done already."""
        with self._lock:
            if self._entry is not None:
                return
            quorum = self._cluster.mon_state().quorum
            for mon in quorum:
                if self._cluster.mon_config_pinned(mon, OPTION):
                    raise NotPermitted(
                        f'{OPTION} is false in the configuration file of '
                        f'mon.{mon}; set it there and restart the Monitor, or '
                        f'`ceph tell mon.{mon} config set {OPTION} true`'
                    )
            own = self._cluster.mon_config_sections(quorum, OPTION)
            for mon, (section, value) in sorted(own.items()):
                if value.lower() not in TRUTHS:
                    raise NotPermitted(
                        f'{OPTION} is {value} for mon.{mon} in section '
                        f'{section} of the central configuration, which '
                        f'goes before `{WHO}`; `ceph config rm {section} '
                        f'{OPTION}`'
                    )
            previous = self._cluster.config_get(WHO, OPTION)
            self._entry = self._journal.intend(
                self._run,
                Kind.CONFIG,
                OPTION,
                {'who': WHO},
                value='true',
                previous=previous,
                was_set=previous is not None,
            )
            self._cluster.config_set(WHO, OPTION, 'true')


def remove_rule(cluster: Needs, name: str) -> None:
    """Remove a CRUSH rule; EBUSY names the pools that use it."""
    try:
        cluster.rule_remove(name)
    except PerfcompareError as error:
        rule = cluster.topology().rules.get(name)
        if error.errno != errno.EBUSY or rule is None:
            raise
        users = [p.name for p in cluster.pools() if p.crush_rule == rule.id]
        if not users:
            raise
        raise PerfcompareError(
            f'pools use it: {some(sorted(users))}; give them another one, '
            f'e.g. `ceph osd pool set {min(users)} crush_rule '
            'replicated_rule`',
            errno.EBUSY,
        ) from None
