"""Make the changes of a recovery test: journaled, made, and verified."""

from typing import Callable, Dict, Protocol, Sequence, Tuple

import concurrent.futures
import dataclasses
import logging

from ...common.errors import PerfcompareError
from ...model.plan import PoolPlan, RunPlan
from ...model.recovery import StepKind
from ...model.recovery_plan import PlannedStep, TestPlan
from ...ports.clock import Clock
from ...ports.faults import (
    DaemonOrders,
    FaultReads,
    FaultWrites,
    daemon,
    named,
)
from ...ports.notices import Notifications
from ...ports.osd_map import OsdMapReads
from ...ports.pgs import PgReads, PgWrites
from ...ports.pools import PoolReads
from ...undo import osds as undo_faults
from ...undo.journal import Entry, Journal, Kind
from .kept_upmaps import KeptUpmaps
from .pg_moves import MAP_POLLS, Change, PgMoves
from .stopping import Stopper

log = logging.getLogger(__name__)

UPMAP_THREADS = 64


class Needs(
    DaemonOrders,
    FaultReads,
    FaultWrites,
    Notifications,
    OsdMapReads,
    PgReads,
    PgWrites,
    PoolReads,
    Protocol,
):
    """Name what is asked of a cluster here."""


class FaultInjector:
    """Make steps, and take them back; used by one thread.

    ``pulse`` waits a moment and raises to leave.
    """

    def __init__(
        self,
        cluster: Needs,
        journal: Journal,
        plan: RunPlan,
        test: TestPlan,
        stopper: Stopper,
        pulse: Callable[[], None],
        clock: Clock,
    ) -> None:
        self._clock = clock
        self._cluster = cluster
        self._journal = journal
        self._plan = plan
        self._test = test
        self._stopper = stopper
        self._pulse = pulse
        self._moves = PgMoves(cluster, plan, self._beside, pulse)
        self._entries: Dict[Tuple[Kind, str], Entry] = {}
        self._upmaps = KeptUpmaps(cluster, journal, plan.run)

    # what a step is

    def prepare(self, step: PlannedStep) -> None:
        """Journal what a step takes away, before its time counts.

        For each OSD that is two commands of the mons: those of a large host
        would be told to be detected later. Raises PerfcompareError where
        there is nothing to take.
        """
        if step.kind not in (StepKind.DOWN, StepKind.OUT, StepKind.STOP):
            return
        known = self._cluster.osd_flagged()
        for osd in step.osds:
            if osd not in known:
                raise PerfcompareError(f'{daemon(osd)} is not in the OSD map')
        weights = {o: repr(known[o].weight) for o in step.osds}
        if step.kind is StepKind.DOWN:
            for osd, weight in weights.items():
                self._intend(Kind.OSD_DOWN, str(osd), weight=weight)
        elif step.kind is StepKind.OUT:
            gone = [o for o in step.osds if not known[o].in_]
            if gone:
                raise PerfcompareError(f'{named(gone)} is out already')
            self._upmaps.keep(step.target, step.osds)
            for osd, weight in weights.items():
                self._intend(Kind.OSD_OUT, str(osd), weight=weight)
        else:
            running = [o for o in step.osds if known[o].up]
            if not running:
                raise PerfcompareError(f'{named(step.osds)} is down already')
            for osd in running:
                self._intend(
                    Kind.OSD_STOP,
                    str(osd),
                    by=self._test.stop_by,
                    weight=weights[osd],
                )
            if self._test.auto_out:
                self._upmaps.keep(step.target, step.osds)

    def make(self, step: PlannedStep, pool: PoolPlan) -> Tuple[str, ...]:
        """Make the change of a step; return notes about it.

        What takes something away was prepared. Returns when the OSD map
        shows it. Raises PerfcompareError when the change did not come about.
        """
        kinds: Dict[StepKind, Callable[[], Tuple[str, ...]]] = {
            StepKind.MOVE: lambda: self._moves.there(pool),
            StepKind.MOVE_BACK: lambda: self._moves.back(pool),
            StepKind.DOWN: lambda: self._down(step),
            StepKind.OUT: lambda: self._out(step),
            StepKind.IN: lambda: self._in(step),
            StepKind.STOP: lambda: self._stop(step),
            StepKind.START: lambda: self._start(step),
        }
        return kinds[step.kind]()

    def _beside(self, changes: Sequence[Change]) -> None:
        """Make changes in threads, while the load goes on.

        Each takes a second or two, and many take longer than a lease. None
        begins any more once the test is to end.
        """
        with concurrent.futures.ThreadPoolExecutor(
            max(1, min(UPMAP_THREADS, len(changes)))
        ) as pool:
            futures = [pool.submit(change) for change in changes]
            try:
                while not all(f.done() for f in futures):
                    self._pulse()
            except BaseException:
                for future in futures:
                    future.cancel()
                raise
        for future in futures:
            future.result()

    # OSDs

    def _down(self, step: PlannedStep) -> Tuple[str, ...]:
        """Mark OSDs down; the undo at the end sees that they are up."""
        self._beside([self._downer(o) for o in step.osds])
        return ()

    def _downer(self, osd: int) -> Change:
        return lambda: self._cluster.osd_down(osd)

    def _intend(self, kind: Kind, name: str, **detail: str) -> None:
        if (kind, name) not in self._entries:
            self._entries[(kind, name)] = self._journal.intend(
                self._plan.run, kind, name, detail
            )

    def _forget(self, kind: Kind, name: str) -> None:
        entry = self._entries.pop((kind, name), None)
        if entry is not None:
            self._journal.forget(entry)

    def _out(self, step: PlannedStep) -> Tuple[str, ...]:
        for osd in step.osds:
            self._cluster.osd_out(osd)
        return ()

    def _map_again(self, step: PlannedStep) -> Tuple[str, ...]:
        """Map PGs of others as before; say of which it was not possible.

        What fails now stays journaled, and the undo at the end does it.
        """
        try:
            return self._upmaps.restore(step.osds, self._beside, self._settle)
        except PerfcompareError as error:
            log.warning('upmaps of others: %s', error.message)
            return (
                'upmaps: not all are set again yet, which is tried anew at '
                f'the end: {error.message}',
            )

    def _settle(self, shown: Callable[[], bool]) -> None:
        for _ in range(MAP_POLLS):
            if shown():
                return
            self._pulse()

    def _in(self, step: PlannedStep) -> Tuple[str, ...]:
        for osd in step.osds:
            self._cluster.osd_in(osd)
        self._wait_in(step.osds)
        for osd in step.osds:
            self._forget(Kind.OSD_OUT, str(osd))
        return self._map_again(step)

    def _wait_in(self, osds: Sequence[int]) -> None:
        for _ in range(MAP_POLLS):
            known = self._cluster.osd_flagged()
            left = [o for o in osds if o in known and not known[o].in_]
            if not left:
                return
            self._pulse()
        raise PerfcompareError(f'{named(left)} did not come in again')

    def protect(self, step: PlannedStep) -> None:
        """Keep the mons from marking the stopped OSDs out, if planned."""
        if self._test.auto_out:
            return
        for host in sorted(set(step.hosts)):
            if (Kind.NOOUT, host) in self._entries:
                continue
            before = 'noout' in self._cluster.node_flags().get(host, ())
            bucket = self._cluster.topology().buckets.get(host)
            if bucket is None:
                raise PerfcompareError(
                    f'host {host!r} is not in the CRUSH map any more: it was '
                    'renamed or removed'
                )
            self._entries[(Kind.NOOUT, host)] = self._journal.intend(
                self._plan.run,
                Kind.NOOUT,
                host,
                {'at': repr(self._clock.wall()), 'bucket': str(bucket.id)},
                was_set=before,
            )
            if not before:
                self._cluster.noout_set(host)

    def _stop(self, step: PlannedStep) -> Tuple[str, ...]:
        notes = self._stopper.stop(step)
        for osd in step.osds:  # undo need not wait for a late stop
            key = (Kind.OSD_STOP, str(osd))
            if key in self._entries:  # it was up
                self._entries[key] = self._journal.done(self._entries[key])
        return notes

    def _start(self, step: PlannedStep) -> Tuple[str, ...]:
        """Start what was stopped; what had been out stays out."""
        stopped = {
            osd: float(entry.detail['weight'])
            for osd in step.osds
            for entry in [self._entries.get((Kind.OSD_STOP, str(osd)))]
            if entry is not None
        }
        told = self._stopper.start(
            dataclasses.replace(step, osds=tuple(stopped))
        )
        known = self._cluster.osd_flagged()
        inside = [o for o, weight in stopped.items() if weight > 0]
        away = [o for o in inside if o in known and not known[o].in_]
        outside = [o for o in away if known[o].auto_out]
        ordered = [o for o in away if o not in outside]
        for osd in outside:
            self._cluster.osd_in(osd)
        self._wait_in([o for o in inside if o not in ordered])
        for osd in stopped:
            self._forget(Kind.OSD_STOP, str(osd))
        notes = [*told, *self._map_again(step)] + [
            note
            for host in sorted(set(step.hosts))
            for note in self.release(host)
        ]
        if outside:
            notes.append(
                f'{named(outside)} had been marked out, and in again'
            )
        if ordered:
            notes.append(
                f'{named(ordered)}: out by an order, not for being down, '
                'and left so'
            )
        return tuple(notes)

    def release(self, host: str) -> Tuple[str, ...]:
        """Take noout from a host, unless others want it; say if it stays.

        The cluster log says so, too: it keeps OSDs in for good.
        """
        entry = self._entries.get((Kind.NOOUT, host))
        if entry is None:
            return ()
        why = undo_faults.release(self._cluster, entry)
        self._forget(Kind.NOOUT, host)
        if not why:
            return ()
        self._cluster.log_warn(f'perfcompare: kept: {entry}: {why}')
        return (f'noout stays: {why}',)
