"""Run steps, some at a time, and say where the time went.

    steps.py --slots 2 --times FILE --failed FILE --last FILE <PLAN

Each line of the plan is `seconds TAB name TAB after TAB command`: about how
long the step takes (the longest begin first, with what waits for them), the
names of steps that must have ended before, separated by commas, and what bash
runs. A step's output
is printed when it has ended, so that steps side by side do not mix theirs; the
last lines of those that failed are also kept, to be seen at the end of all.
"""

from typing import Dict, List, Sequence, TextIO, Tuple

import argparse
import contextlib
import dataclasses
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time

LAST = 30  # lines of a step that failed
PATIENCE = 90.0  # seconds for steps that are ended to take clusters down


@dataclasses.dataclass(frozen=True)
class Step:
    """Say what to run, and after what."""

    seconds: float
    name: str
    after: Tuple[str, ...]
    command: str


class Running:
    """Own a step that is under way."""

    def __init__(self, step: Step, folder: pathlib.Path) -> None:
        self.step = step
        self.log = folder / f'{step.name.replace("/", "-")}.log'
        self.began = time.monotonic()
        with open(self.log, 'wb') as out:
            self.process = subprocess.Popen(
                ['bash', '-euo', 'pipefail', '-c', step.command],
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    @property
    def seconds(self) -> float:
        """Return for how long it has been running."""
        return time.monotonic() - self.began

    def end(self, number: int) -> None:
        """Send a signal to all that it started in its session."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, number)


def parse(lines: Sequence[str]) -> List[Step]:
    """Return the steps of a plan, those that must begin first first."""
    found = []
    for line in lines:
        if line.strip():
            seconds, name, after, command = line.rstrip('\n').split('\t', 3)
            names = tuple(one for one in after.split(',') if one)
            found.append(Step(float(seconds), name, names, command))
    known = {step.name for step in found}
    for step in found:
        assert set(step.after) <= known, f'{step.name}: {step.after}'

    def path(step: Step) -> float:
        after = [path(one) for one in found if step.name in one.after]
        return step.seconds + max(after, default=0.0)

    return sorted(found, key=lambda step: -path(step))


def clock(seconds: float) -> str:
    """Return minutes and seconds."""
    return '%d:%02d' % divmod(round(seconds), 60)


class Pool:
    """Run steps, ``slots`` at a time."""

    def __init__(self, steps: Sequence[Step], slots: int) -> None:
        self._left = list(steps)
        self._slots = slots
        self._running: List[Running] = []
        self._ended: Dict[str, bool] = {}
        self.times: List[Tuple[float, str]] = []
        self.last: List[str] = []  # lines of what failed, under its name

    @property
    def failed(self) -> List[str]:
        """Return the names of steps that failed."""
        return [name for name, good in self._ended.items() if not good]

    def run(self, folder: pathlib.Path, out: TextIO) -> None:
        """Run all; a step that fails keeps no other from running."""
        try:
            while self._left or self._running:
                self._start(folder, out)
                self._wait(out)
        finally:
            self._stop()

    def _start(self, folder: pathlib.Path, out: TextIO) -> None:
        for step in list(self._left):
            if len(self._running) >= self._slots:
                return
            if all(name in self._ended for name in step.after):
                self._left.remove(step)
                self._running.append(Running(step, folder))
                print(f'-- {step.name}: begins', file=out, flush=True)
        assert self._running, 'steps that wait for each other'

    def _wait(self, out: TextIO) -> None:
        while all(one.process.poll() is None for one in self._running):
            time.sleep(0.1)
        for one in list(self._running):
            code = one.process.poll()
            if code is None:
                continue
            self._running.remove(one)
            self._ended[one.step.name] = code == 0
            self.times.append((one.seconds, one.step.name))
            how = 'ended' if code == 0 else f'FAILED ({code})'
            took = clock(one.seconds)
            print(f'== {one.step.name}: {how} after {took}', file=out)
            text = one.log.read_text('utf-8', 'replace')
            print(text, end='', file=out, flush=True)
            if code:
                self.last.append(f'the last lines of {one.step.name}:')
                self.last += text.splitlines()[-LAST:]

    def _stop(self) -> None:
        for one in self._running:
            one.end(signal.SIGTERM)
        deadline = time.monotonic() + PATIENCE
        for one in self._running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                one.process.wait(max(0.0, deadline - time.monotonic()))
            one.end(signal.SIGKILL)


def interrupted(number: int, _: object) -> None:
    """Leave by way of what must be ended."""
    raise SystemExit(128 + number)


def main() -> int:
    """Run the plan of the standard input."""
    parser = argparse.ArgumentParser()
    parser.add_argument('--slots', type=int, default=2)
    parser.add_argument('--times', type=pathlib.Path, required=True)
    parser.add_argument('--failed', type=pathlib.Path, required=True)
    parser.add_argument('--last', type=pathlib.Path, required=True)
    options = parser.parse_args()
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, interrupted)
    pool = Pool(parse(sys.stdin.readlines()), options.slots)
    with tempfile.TemporaryDirectory() as folder:
        pool.run(pathlib.Path(folder), sys.stdout)
    with open(options.times, 'a', encoding='utf-8') as times:
        for seconds, name in pool.times:
            times.write(f'{seconds:.1f}\t{name}\n')
    with open(options.failed, 'a', encoding='utf-8') as failed:
        for name in pool.failed:
            failed.write(f'{name}\n')
    with open(options.last, 'a', encoding='utf-8') as last:
        last.writelines(f'{line}\n' for line in pool.last)
    return 0


if __name__ == '__main__':
    sys.exit(main())
