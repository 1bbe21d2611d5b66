"""What the machine and the mgr's process are at: lateness, CPU, memory."""

from typing import Any, Callable, Dict, List

import os
import pathlib
import threading
import time

from integration import processes

NICE = -15


class Lateness:
    """See how late this machine wakes who sleeps: others use it as well."""

    NAP = 0.01

    def __init__(self) -> None:
        self.most = 0.0
        self._ending = threading.Event()
        self._thread = threading.Thread(target=self._main, daemon=True)

    def _main(self) -> None:
        while not self._ending.is_set():
            began = time.monotonic()
            time.sleep(self.NAP)
            self.most = max(self.most, time.monotonic() - began - self.NAP)

    def __enter__(self) -> 'Lateness':
        self._thread.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._ending.set()
        self._thread.join()


def lateness() -> Callable[[], float]:
    """Begin to watch; return what ends it and tells the worst."""
    watched = Lateness()
    watched.__enter__()

    def end() -> float:
        watched.__exit__()
        return watched.most

    return end


def load_of(run: str) -> List[int]:
    """Return the load processes of a run."""
    return [
        pid
        for pid, words in processes.command_lines()
        if any(f'client.perfcompare.{run}' in w for w in words)
    ]


def by_thread(pid: int) -> Dict[str, float]:
    """Return the CPU seconds of the threads of a process, by name."""
    found: Dict[str, float] = {}
    for task in pathlib.Path(f'/proc/{pid}/task').iterdir():
        text = (task / 'stat').read_text(encoding='ascii')
        name = text[text.index('(') + 1 : text.rindex(')')]
        fields = text.rsplit(')', 1)[1].split()
        ticks = int(fields[11]) + int(fields[12])
        found[name] = found.get(name, 0.0) + ticks / 100.0
    return found


def prefer(pid: int) -> None:
    """Give a process its processors before others; what it starts, too.

    What is measured then is what it does, not how long others kept it.
    """
    for task in pathlib.Path(f'/proc/{pid}/task').iterdir():
        os.setpriority(os.PRIO_PROCESS, int(task.name), NICE)
    # where sessions share alike, that counts within its own alone
    session = pathlib.Path(f'/proc/{pid}/autogroup')
    if session.exists():
        session.write_text(f'{NICE}\n', encoding='ascii')


def memory(pid: int) -> int:
    """Return the resident bytes of a process."""
    text = pathlib.Path(f'/proc/{pid}/status').read_text(encoding='ascii')
    fields = dict(line.split(':', 1) for line in text.splitlines())
    return int(fields['VmRSS'].split()[0]) * 1024
