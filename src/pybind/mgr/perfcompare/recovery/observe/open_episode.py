"""The episode that is open: watched, saved for the next mgr, stored."""

from typing import Callable, Dict, NamedTuple, Protocol, Sequence

import dataclasses
import secrets

from ...common.version import VERSION
from ...model.group import emulated_label
from ...model.recovery import Episode, State
from ...model.series import Table
from ...ports.config import ConfigReads
from ...ports.identity import Identity
from ...ports.osd_map import OsdMapReads
from ...ports.recovery_reads import MapFacts, RecoveryReads
from .budget import Budget
from .episodes import described, period
from .handover import Handover, Left
from .mapwatch import EpochClock
from .pgbook import Scope
from .watch import RecoveryWatch

WHOLE = '(cluster)'
QUIET = 10.0  # an episode closes only so long after the last change
CHECKPOINT = 60.0
SAVE = 600.0  # seconds between writes of an open episode's series

Put = Callable[[Episode, Dict[str, Table]], None]


class Needs(ConfigReads, Identity, OsdMapReads, RecoveryReads, Protocol):
    """Name what is asked of a cluster here."""


class EpisodeParts(NamedTuple):
    """Hold what every episode is watched and kept with."""

    cluster: Needs
    clock: EpochClock
    scopes: Callable[[], Sequence[Scope]]
    put: Put
    now: Callable[[], float]  # Unix time
    monotonic: Callable[[], float]
    budget: Budget
    handover: Handover


class OpenEpisode:
    """Keep one episode from its first change to its end."""

    def __init__(
        self,
        parts: EpisodeParts,
        episode: Episode,
        baseline: MapFacts,
        epoch: int,
        part: int = 0,
    ) -> None:
        """Watch an episode whose first epoch is ``epoch``.

        What it has by now is of a former mgr. Each mgr has its own ``part``
        of the series of one episode.
        """
        self._parts = parts
        self._epoch = epoch
        self._part = part
        self._known = bool(self._part)  # the mon store knows of the episode
        self._saved = self._stored = parts.monotonic()
        self.episode = episode
        scopes = list(parts.scopes())
        self._emulated = {s.name for s in scopes if s.emulated}
        self.watch = RecoveryWatch(
            parts.cluster,
            parts.clock,
            [Scope(WHOLE)] + scopes,
            period(parts.cluster),
            baseline,
            epoch,
            episode.began,
            prior=episode.timelines,
            now=parts.now,
            before=episode.causes,
            budget=parts.budget,
            monotonic=parts.monotonic,
            resumed=bool(self._part),
        )

    @classmethod
    def begun(
        cls, parts: EpisodeParts, before: MapFacts, epoch: int, began: float
    ) -> 'OpenEpisode':
        """Open an episode that began (Unix time) with an epoch."""
        episode = Episode(
            id=secrets.token_hex(4),
            state=State.OPEN,
            began=began,
            fsid=parts.cluster.fsid(),
            ceph_version=parts.cluster.ceph_version(),
            module_version=VERSION,
        )
        return cls(parts, episode, before, epoch)

    @classmethod
    def resumed(
        cls, parts: EpisodeParts, left: Left, facts: MapFacts
    ) -> 'OpenEpisode':
        """Take up what a former mgr left."""
        episode = dataclasses.replace(
            left.episode,
            handovers=left.episode.handovers + (parts.now(),),
            fsid=parts.cluster.fsid(),
            ceph_version=parts.cluster.ceph_version(),
            module_version=VERSION,
        )
        return cls(parts, episode, facts, left.epoch, left.part + 1)

    def over(self) -> bool:
        """Say whether it has settled, and nothing changed for a while."""
        return self.watch.settled and self.watch.quiet >= QUIET

    def checkpoint(self) -> None:
        """Save it, and less often store it, when that is due."""
        now = self._parts.monotonic()
        if not self.watch.affected:
            return
        if self._known and now - self._saved < CHECKPOINT:
            return
        self.save()
        if now - self._stored >= SAVE:
            self._stored = now
            self.store(State.OPEN)

    def save(self) -> None:
        """Let the next mgr know, should this one go."""
        self._saved = self._parts.monotonic()
        found = self.described(State.OPEN)
        found = dataclasses.replace(
            found, timelines=self.watch.lasting(found.timelines)
        )
        self._parts.handover.save(
            Left(found, self._epoch, self.watch.osdmap.epoch, part=self._part)
        )
        self._known = True

    def store(self, state: State, why: str = '') -> None:
        """Hand it to the database, with its series."""
        found = self.described(state)
        if why:
            notes = found.notes + (f'the end was not seen: {why}',)
            found = dataclasses.replace(found, notes=notes)
        suffix = f'#{self._part}' if self._part else ''
        tables = {n + suffix: t for n, t in self.watch.tables().items()}
        self._parts.put(found, tables)

    def close(self, state: State, why: str) -> bool:
        """Store it at its end; say whether it was worth that."""
        if not (self.watch.affected or self.episode.handovers):
            return False
        self.store(state, why)
        return True

    def described(self, state: State) -> Episode:
        """Return the episode with all that its watch knows."""
        now = self._parts.now()
        found = described(self.episode, self.watch, state, now)
        slow = [
            emulated_label(g) for g in found.groups if g in self._emulated
        ]
        # a former mgr may have said it
        notes = tuple(dict.fromkeys((*found.notes, *slow)))
        return dataclasses.replace(found, notes=notes)
