"""One cell: a run is brought to a state, meets a fault, and is judged."""

from typing import Any, Dict, Iterator, List, Optional, Tuple

import contextlib
import errno
import re
import time

from integration.waiting import wait_for

from .fault import Fault, Scene
from .lab import Lab, Refused
from .observe import Observer, sort
from .results import FAILED, MISSED, Result
from .states import TEST, State, cancel, command, matches, passed

ENDED = re.compile(r'perfcompare run ([0-9a-f]{8}) ends: (\w+)(?: \((.*)\))?')
LIMIT = 300.0  # seconds until a run has ended, whatever befell it
QUICK = 0.05  # seconds between looks for a state
TRIES = 5  # to see a short state


class Missed(Exception):
    """The state was over before it was seen."""


@contextlib.contextmanager
def timed(steps: Dict[str, float], name: str) -> Iterator[None]:
    """Note how many seconds a step takes, also when it fails."""
    began = time.monotonic()
    try:
        yield
    finally:
        steps[name] = round(time.monotonic() - began, 1)


def length(state: State, fault: Fault) -> float:
    """Return the seconds of a trial: long where a rule has to notice."""
    return Fault.seconds if state.late else fault.seconds


# a Manager that was just started has no statistics of OSDs
NOT_YET = 'the fill of the remaining OSDs is not known'


def start(lab: Lab, state: State, seconds: float) -> str:
    """Start a run; a cluster that was just put right may refuse at first."""
    deadline = time.monotonic() + 120.0
    fields = command(state, seconds)
    prefix = str(fields.pop('prefix'))
    while True:
        try:
            return str(lab.ask(prefix, **fields)['run'])
        except Refused as error:
            if time.monotonic() > deadline:
                raise
            if error.code == errno.EINVAL and NOT_YET not in str(error):
                raise
            time.sleep(2.0)


def reach(lab: Lab, state: State, run: str) -> None:
    """Wait until a run is in a state; Missed when it has passed."""
    deadline = time.monotonic() + LIMIT
    while True:
        found = lab.status()
        progress = found and found['progress']
        if found and not progress:
            raise Missed()
        if progress and progress['run'] == run and matches(state, progress):
            break
        over = progress and progress['run'] == run and passed(state, progress)
        if over or time.monotonic() > deadline:
            raise Missed()
        time.sleep(QUICK)
    if state.then == 'cancel':
        wait_for(
            lambda: lab.ask(**cancel(state, run))['noted'],
            30, 'it is written that it was cancelled', step=0.1,
        )  # fmt: skip
    elif state.then == 'fail':
        lab.fail_mgr()
        wait_for(lambda: _recovering(lab), 60, 'a mgr recovers', step=0.1)


def _recovering(lab: Lab) -> bool:
    found = lab.status()
    if not found:
        return False
    progress = found['progress']
    return bool(found['warnings']) or bool(
        progress and progress['state'] == 'resuming'
    )


def told(lab: Lab, run: str) -> Optional[Tuple[str, str]]:
    """Return state and reason that the cluster log tells of a run's end."""
    lines = lab.see('log last', num=500, level='info', channel='cluster')
    for line in reversed(lines):
        match = ENDED.search(line['message'])
        if match and match.group(1) == run:
            return match.group(2), match.group(3) or ''
    return None


def stored(lab: Lab, state: State, run: str) -> Optional[Tuple[str, str]]:
    """Return state and reason that the database has of an ended run."""
    try:
        if state.kind == TEST:
            found = lab.ask('perfcompare recovery show', recovery=run)['item']
        else:
            found = lab.ask('perfcompare show', run=run)['run']
    except Refused:
        return None
    if not found['ended']:
        return None
    return found['state'], found['reason']


def stored_as(state: State, ended: str) -> str:
    """Return how an end is stored: tests know fewer of them than runs."""
    early = ('aborted', 'cancelled', 'interrupted')
    return 'stopped' if state.kind == TEST and ended in early else ended


def wait_over(lab: Lab) -> None:
    """Wait until nothing is active."""

    def over() -> bool:
        found = lab.status()
        return bool(
            found
            and not found['progress']
            and not any('former' in w for w in found['warnings'])
        )

    wait_for(over, LIMIT, 'the run has ended', step=0.5)


def wait_end(lab: Lab, run: str) -> Optional[Tuple[str, str]]:
    """Wait until nothing is active; return what was told of the end."""
    wait_over(lab)
    try:
        return wait_for(lambda: told(lab, run), 15, 'its end is told')
    except AssertionError:
        return None


class Cells:
    """Try cells one after the other, on one cluster."""

    def __init__(self, lab: Lab, observer: Observer) -> None:
        self._lab = lab
        self._observer = observer

    def begin(self) -> None:
        """Undo what an interrupted piece left, and note what is there."""
        self._stop()
        wait_over(self._lab)
        self._lab.ask('perfcompare cleanup')
        self._lab.wait_well()
        self._observer.remember()

    def _stop(self) -> None:
        found = self._lab.status()
        if found and found['progress']:
            self._lab.ask('perfcompare stop', now=True)

    def run(self, state: State, fault: Fault) -> Result:
        """Return what became of a fault in a state.

        A state that was over before it was seen is gone to again.
        """
        for _ in range(TRIES):
            result = self._once(state, fault)
            if result.verdict != MISSED:
                break
        return result

    def _once(self, state: State, fault: Fault) -> Result:
        began = time.monotonic()
        result = Result(state.name, fault.name)
        scene = Scene(self._lab, state, measured=result.measured)
        done = False
        try:
            try:
                with timed(result.steps, 'ready'):
                    fault.ready(scene)
                with timed(result.steps, 'start'):
                    scene.run = start(self._lab, state, length(state, fault))
                with timed(result.steps, 'reach'):
                    reach(self._lab, state, scene.run)
                with timed(result.steps, 'inject'):
                    fault.inject(scene)
                done = True
                with timed(result.steps, 'end'):
                    end = wait_end(self._lab, scene.run)
                self._judge(scene, fault, end, result)
                result.problems += fault.verify(scene)
            finally:
                with timed(result.steps, 'repair'):
                    self._put_right(scene, fault, result)
            with timed(result.steps, 'compare'):
                self._compare(scene, fault, result)
        except Missed:
            result.verdict = MISSED
            end = told(self._lab, scene.run)
            result.ended, result.reason = end or ('', '')
        except Exception as error:  # one cell never ends the others
            text = str(error).split('\n')[0]
            result.problems.append('%s: %s' % (type(error).__name__, text))
        if result.verdict != MISSED:
            result.judge()
        if result.verdict == FAILED or not done:
            with timed(result.steps, 'start over'):
                self._start_over(result)
        result.seconds = round(time.monotonic() - began, 1)
        return result

    def _judge(
        self,
        scene: Scene,
        fault: Fault,
        end: Optional[Tuple[str, str]],
        result: Result,
    ) -> None:
        """Compare how the run ended with what is right."""
        if end is None:
            result.problems.append('its end is not in the cluster log')
            return
        result.ended, result.reason = end
        expected = fault.expected(scene.state)
        pattern = expected.get(result.ended)
        if pattern is None:
            result.problems.append(
                'ended %s (%s), not %s'
                % (*end, ' or '.join(sorted(expected)))
            )
        elif 'internal error' in result.reason:
            result.problems.append('the reason is %r' % result.reason)
        elif not re.search(pattern, result.reason):
            result.problems.append(
                'the reason of %s is %r, not like %r' % (*end, pattern)
            )

    def _put_right(self, scene: Scene, fault: Fault, result: Result) -> None:
        """Take the fault back, and wait until the cluster is well."""
        fault.mend(scene)
        self._lab.start_all()
        self._lab.wait_well()
        result.problems += self._observer.module_errors()

    def _compare(self, scene: Scene, fault: Fault, result: Result) -> None:
        """Compare everything with what it was, for a minute at most."""
        lines: List[str] = []

        def same() -> bool:
            lines[:] = self._observer.changes()
            return not lines

        try:
            wait_for(same, 60, 'all is as before', step=1.0)
        except AssertionError:
            result.leftovers, result.foreign = sort(lines)
        result.crashes = [
            crash
            for crash in self._observer.new_crashes()
            if not (fault.kills and re.search(fault.kills, crash))
        ]
        result.memory = self._observer.memory()
        if result.ended:
            self._compare_stored(scene, result)

    def _compare_stored(self, scene: Scene, result: Result) -> None:
        """The database must tell the same as the cluster log."""

        def look() -> Any:
            return stored(self._lab, scene.state, scene.run)

        try:
            kept = wait_for(look, 30, 'the end is stored')
        except AssertionError:
            result.problems.append('its end is not stored')
            return
        if kept[0] != stored_as(scene.state, result.ended):
            result.problems.append(
                'stored as %s (%s), told as %s' % (*kept, result.ended)
            )

    def _start_over(self, result: Result) -> None:
        """Have the next cell begin on a cluster that is well."""
        try:
            self._lab.start_all()
            self._stop()
            self._lab.wait_well()
            wait_over(self._lab)
            if self._observer.changes():
                self._lab.ask('perfcompare cleanup')
                self._lab.arrange()
                self._lab.wait_well()
                self._observer.remember()
        except Exception as error:
            # nothing can be told of a cluster that is not well
            print('a new cluster: %s' % str(error).split('\n')[0], flush=True)
            self._lab.down()
            self._lab.up()
            self._observer.remember()
