"""Undo what the journal names: users before what they use, each verified."""

from typing import (
    Callable,
    Dict,
    List,
    Optional,
    Sequence,
    Set,
    Tuple,
    TypeVar,
)

import concurrent.futures
import time

from . import gateways, osds, placement, primaries, settings, upmaps
from .ceph import Ceph, Failed, told
from .entries import Entry, read_all
from .report import Report
from .verdicts import Do, Left, Settled, Step, Verdict, commands
from .view import View

T = TypeVar('T')
Rule = Callable[[Entry, View], Verdict]
NEEDED = 'the next attempt needs it'
UPMAPS_LEFT = 'upmaps of its run are not set again'
POLL = 1.0  # seconds between two looks
ODD = 'odd'  # kind of an entry that cannot be read
THREADS = 8  # a change of the OSD map takes about a second
# entries of former versions that need no undoing: a folder or a process of
# one host, which its Manager removes, or which ends with its lease
RETIRED = ('files', 'process')


def _consent(entry: Entry, view: View) -> Verdict:
    return Settled()


# in the order in which they are undone
RULES: Dict[str, Rule] = {
    'osd_stop': osds.stopped,  # data of others may wait for them
    'osd_down': osds.marked_down,
    'osd_out': osds.marked_out,
    'upmaps': upmaps.mapped,  # while an OSD is out they are dropped
    'noout': osds.noout,
    'bucket': gateways.bucket,
    'service': gateways.service,  # makes pools anew that it misses
    'pool': placement.pool,
    'rule': placement.crush_rule,
    'ec_profile': placement.ec_profile,
    'link': placement.link,
    'root': placement.root,
    'key': settings.key,
    'config': settings.option,
    'blocklist': settings.blocklisted,
    'consent': _consent,
}


class _Try:
    """Remember the attempts at one entry."""

    def __init__(self) -> None:
        self.times = 0  # in all
        self.began = 0.0
        self.due = 0.0
        self.orders = 0
        self.error = ''
        self._steps: Optional[Sequence[Step]] = None

    def over(self, verdict: Do, now: float) -> bool:
        """Say whether this did not help for too long."""
        if verdict.steps != self._steps:  # the next part of it
            self._steps = verdict.steps
            self.began = self.due = now
            self.orders = 0
        spent = now - self.began
        return spent > verdict.patience and (
            self.orders > 1 or not verdict.steps
        )

    def made(self, verdict: Do, error: str, now: float) -> None:
        """Note that the steps were taken."""
        self.times += 1
        self.orders += 1
        self.error = error
        self.due = now + verdict.again * 2 ** min(self.orders - 1, 3)


class Undoing:
    """Undo the entries of the journal, kind by kind."""

    def __init__(
        self,
        ceph: Ceph,
        view: View,
        report: Report,
        act: bool,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Only tell what would be done where ``act`` is false."""
        self._ceph = ceph
        self._view = view
        self._report = report
        self._act = act
        self._sleep = sleep
        self._left: Set[Tuple[str, str, str]] = set()  # run, kind, name

    def execute(self) -> None:
        """Undo all that can be. Raises Failed when nothing can be read."""
        self._odd()
        for kind, rule in RULES.items():
            if kind == 'config':
                # removing pools can leave an entry about an option
                self._view.refresh()
            entries, _ = read_all(self._view.journal())
            of_kind = [e for e in entries if e.kind == kind]
            if kind == 'upmaps':
                self._upmaps(of_kind)
            else:
                self._kind(of_kind, rule)
            if kind == 'service':
                self._see_hidden(entries)

    def _see_hidden(self, entries: List[Entry]) -> None:
        """Note services whose entries cannot be read: they use pools."""
        for run in sorted(
            {run for run, kind, _ in self._left if kind == ODD}
        ):
            try:
                names = gateways.hidden(run, entries, self._view)
            except (Failed, KeyError) as error:
                self._left.add((run, 'service', '?'))
                self._report.stays(
                    'pools of run ' + run,
                    'an entry of its journal cannot be read, and nor can '
                    'what gateways it has: %s' % error,
                    'try again',
                )
                continue
            for name in names:
                self._left.add((run, 'service', name))
                self._report.stays(
                    'service ' + name,
                    'its journal entry cannot be read, and its gateways may '
                    'use the pools of their run',
                    told(('orch', 'rm', 'rgw.' + name))
                    + ', and when its gateways are gone, this command again',
                )

    def _upmaps(self, entries: List[Entry]) -> None:
        """Set upmaps, and then the primaries that have PGs by them."""
        led = [e for e in entries if primaries.KEY in e.detail]
        self._kind([e for e in entries if e not in led], upmaps.mapped)
        left = {run for run, kind, _ in self._left if kind == 'upmaps'}
        for entry in led:
            if entry.run in left:
                self._leave(entry, Left(UPMAPS_LEFT))
        self._kind([e for e in led if e.run not in left], primaries.chosen)

    def _odd(self) -> None:
        entries, odd = read_all(self._view.journal())
        for entry in entries:
            if entry.kind in RETIRED:
                self._settle([(entry, Settled(), None)])
            elif entry.kind not in RULES:
                odd.append(
                    (entry.key, 'its kind %r is not known' % entry.kind)
                )
        for key, why in odd:
            self._report.left += 1
            self._report.doubtful(
                'journal entries that cannot be read',
                'journal entry %s: %s' % (key, why),
                'undo by hand what it is about, then '
                + told(('config-key', 'rm', key)),
            )
            # of an unknown run nothing is known to depend on it
            run = key.split('/')[3:4]
            self._left.add((run[0] if run else '', ODD, key))

    def _kind(self, entries: List[Entry], rule: Rule) -> None:
        tries = {e.key: _Try() for e in entries}
        first = True
        while entries:
            if not first:
                self._sleep(POLL)
                self._view.refresh()
            first = False
            going: List[Tuple[Entry, Do]] = []
            settled: List[Tuple[Entry, Settled, Optional[_Try]]] = []
            for entry in entries:
                verdict = self._decide(entry, rule)
                if isinstance(verdict, Settled):
                    settled.append((entry, verdict, tries[entry.key]))
                elif isinstance(verdict, Left):
                    self._leave(entry, verdict)
                elif not self._act:
                    self._foresee(entry, verdict)
                elif tries[entry.key].over(verdict, self._view.now()):
                    self._give_up(entry, verdict, tries[entry.key])
                else:
                    going.append((entry, verdict))
            self._settle(settled)
            self._make(going, tries)
            entries = [entry for entry, _ in going]

    def _decide(self, entry: Entry, rule: Rule) -> Verdict:
        """Return what to do; whatever is wrong concerns this entry only."""
        try:
            return self._dependent(entry) or rule(entry, self._view)
        except Failed as error:
            return Left(str(error), 'try again')
        except KeyError as error:
            return Left('%s is missing' % error, self._by_hand(entry))
        except Exception as error:  # nothing stops the others
            return Left(str(error) or repr(error), self._by_hand(entry))

    def _by_hand(self, entry: Entry) -> str:
        return 'undo it by hand, then ' + told(
            ('config-key', 'rm', entry.key)
        )

    def _dependent(self, entry: Entry) -> Optional[Left]:
        """Return why an entry has to wait for others that are left."""
        services = [
            name
            for run, kind, name in self._left
            if (run, kind) == (entry.run, 'service')
        ]
        why = 'gateways of its run may still use it'
        if entry.kind == 'pool' and services:
            return Left(why)
        if entry.kind == 'config':
            who = entry.detail.get('who')
            if any(gateways.section(name) == who for name in services):
                return Left(why)
        if entry.kind == 'noout':
            if any(
                (run, kind) == (entry.run, 'osd_stop')
                for run, kind, _ in self._left
            ):
                return Left(
                    'OSDs that its run stopped are down, or may go down'
                )
        if entry.kind == 'upmaps':
            if any(
                run == entry.run and kind in ('osd_stop', 'osd_out')
                for run, kind, _ in self._left
            ):
                return Left('OSDs that its run took out are not in again')
        if entry.kind == 'consent':
            if any(run == entry.run for run, _, _ in self._left):
                return Left(NEEDED)
        return None

    # what became of an entry

    def _settle(
        self, settled: List[Tuple[Entry, Settled, Optional[_Try]]]
    ) -> None:
        """Forget what is undone, and tell it where something was done."""
        entries = [entry for entry, _, _ in settled]
        errors = self._together(self._forget, entries) if self._act else []
        if not self._act:
            self._report.found += len(entries)
        for number, (entry, verdict, tried) in enumerate(settled):
            if self._act and errors[number]:
                why = 'undone, but still noted: ' + errors[number]
                self._leave(entry, Left(why, 'try again'))
            elif verdict.kept:
                self._report.kept(str(entry), verdict.kept)
            elif tried is not None and tried.times:
                self._report.undone(str(entry))

    def _forget(self, entry: Entry) -> str:
        return self._steps(Do((('config-key', 'rm', entry.key),)))

    def _leave(self, entry: Entry, verdict: Left) -> None:
        self._left.add((entry.run, entry.kind, entry.name))
        if verdict.why != NEEDED:  # by what is left, which is told
            self._report.stays(str(entry), verdict.why, verdict.remedy)

    def _foresee(self, entry: Entry, verdict: Do) -> None:
        lines = '\n       '.join(told(w) for w in commands(verdict))
        self._report.would(str(entry), lines or '(waits for its end)')
        name = entry.name
        if entry.kind == 'link':
            name += ' ' + entry.detail['root']
        if entry.kind == 'service':
            name = 'rgw.' + name
        self._view.assumed.add((entry.kind, name))

    def _give_up(self, entry: Entry, verdict: Do, tried: _Try) -> None:
        what = '; '.join(told(w) for w in commands(verdict))
        spent = self._view.now() - tried.began
        why = tried.error or (
            f'no effect after {spent:.0f} s, ordered {tried.orders} times'
        )
        self._leave(entry, Left(why, what))

    # changes

    def _make(
        self, going: List[Tuple[Entry, Do]], tries: Dict[str, _Try]
    ) -> None:
        """Make the changes that are due, several at one time."""
        due = [
            (entry, verdict)
            for entry, verdict in going
            if verdict.steps and self._view.now() >= tries[entry.key].due
        ]
        errors = self._together(self._steps, [do for _, do in due])
        for (entry, verdict), error in zip(due, errors):
            tries[entry.key].made(verdict, error, self._view.now())
            self._view.failures[entry.key] = error

    def _together(
        self, work: Callable[[T], str], items: Sequence[T]
    ) -> List[str]:
        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            return list(pool.map(work, items))

    def _steps(self, verdict: Do) -> str:
        """Take steps; return what failed first, '' if nothing did."""
        first = ''
        for step in verdict.steps:
            if isinstance(step, float):
                self._sleep(step)
                continue
            try:
                self._ceph.run(step)
            except Failed as error:
                first = first or str(error)
                if not verdict.apart:
                    break
        return first
