"""What each ended run came to, in numbers for a list of runs.

A comparison takes up to a second of many runs' lists, so each run is judged
once, by a thread of its own, and what came of it is stored. It is done anew
where the rules of judging have changed since.
"""

from typing import Callable, FrozenSet, Optional, Set, Union

import hashlib
import logging
import threading

from ..analysis.evidence import PACED, Limits
from ..analysis.results import Comparison, Curve, Row
from ..analysis.verdict import Verdict
from ..common.clock import SYSTEM
from ..common.errors import PerfcompareError, TryAgain
from ..common.version import VERSION
from ..ports.clock import Clock
from ..store.damaged import Damaged
from ..store.rows import RunVerdicts
from ..store.thread import DbThread

log = logging.getLogger(__name__)

COUNTING = 3  # since 3 paced rows count by their percentile, if judged
PACED_BY = 'latency-p99'
YIELD = 0.05  # seconds between runs: others need the mgr as well
JUDGED = {
    Verdict.FASTER: 'faster',
    Verdict.SLOWER: 'slower',
    Verdict.NO_DIFFERENCE: 'no_difference',
    Verdict.INCONCLUSIVE: 'inconclusive',
}

Compare = Callable[[str, str, str], Comparison]


def rule_of(limits: Limits) -> str:
    """Name the rules by which a run is judged."""
    text = f'{VERSION} {Comparison.analysis} {COUNTING} {limits!r}'
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def counted(candidate: str, found: Comparison) -> RunVerdicts:
    """Count the verdicts of a comparison's curves, or of its rows."""
    counts = dict.fromkeys(JUDGED.values(), 0)
    open_ = 0
    for judged in found.curves or found.rows:
        verdict = _verdict(judged)
        name = JUDGED.get(verdict) if verdict else ''
        if name:
            counts[name] += 1
        else:
            open_ += 1
    emulated = tuple(
        side.group
        for side in (found.baseline, found.candidate)
        if side.emulated
    )
    return RunVerdicts(candidate, open=open_, emulated=emulated, **counts)


def _verdict(judged: Union[Curve, Row]) -> Optional[Verdict]:
    """Return what a curve or a row came to.

    Groups that keep up with a rate do as much as each other, however long
    their operations take: what tells them apart is the percentile, where it
    is judged. It is not of closed loops, nor of too few operations.
    """
    found = judged.estimate.verdict
    if not isinstance(judged, Row) or judged.label != PACED:
        return found
    if found is not Verdict.NO_DIFFERENCE:
        return found
    by = [m.estimate.verdict for m in judged.metrics if m.id == PACED_BY]
    return next(filter(None, by), found)


class RunJudge:
    """Judge the runs of the database that are not judged yet."""

    def __init__(
        self,
        database: DbThread,
        compare: Compare,
        limits: Callable[[], Limits],
        clock: Clock = SYSTEM,
    ) -> None:
        self._database = database
        self._compare = compare
        self._limits = limits
        self._clock = clock
        self._lock = threading.Lock()
        self._running = False
        self._failed: Set[str] = set()

    def rule(self) -> str:
        """Name the rules that hold now."""
        return rule_of(self._limits())

    def wake(self) -> None:
        """Judge what is not judged, unless that is being done."""
        with self._lock:
            if self._running:
                return
            self._running = True
        threading.Thread(
            target=self._main, name='perfcompare-verdicts', daemon=True
        ).start()

    def _main(self) -> None:
        try:
            while self.judge_one():
                self._clock.wait(YIELD)
        except PerfcompareError as error:
            log.info('verdicts of runs: %s', error)
        except Exception:
            log.exception('verdicts of runs')
        finally:
            with self._lock:
                self._running = False

    def judge_one(self) -> bool:
        """Judge the newest run that is not; False where there is none."""
        rule = self.rule()
        name = self._next(rule, frozenset(self._failed))
        if name is None:
            return False
        self._failed.add(name)  # not again, should it not be stored
        try:
            self._judge(name, rule)
        except TryAgain:
            self._failed.discard(name)
            raise
        except Damaged as error:  # or of another version; there are others
            log.info('verdicts of run %s: %s', name, error)
        except PerfcompareError:
            raise
        except Exception:
            log.exception('verdicts of run %s', name)
        else:
            self._failed.discard(name)
        return True

    def _judge(self, name: str, rule: str) -> None:
        run = self._database.call(lambda store: store.get_run(name))
        names = [group.name for group in run.plan.groups]
        found = []
        try:
            for other in names[1:]:
                compared = self._compare(names[0], other, run.id)
                found.append(counted(other, compared))
                self._clock.wait(0.0)
        except TryAgain:
            raise
        except PerfcompareError as error:
            # nothing of it can be compared: that is what it came to
            log.debug('verdicts of run %s: %s', run.id, error)
        workloads = tuple(w.name for w in run.plan.profile.workloads)
        self._database.call(
            lambda s: s.put_verdicts(run.id, rule, workloads, tuple(found))
        )

    def _next(self, rule: str, skipped: FrozenSet[str]) -> Optional[str]:
        names = self._database.call(lambda store: store.unjudged(rule))
        return next((name for name in names if name not in skipped), None)
