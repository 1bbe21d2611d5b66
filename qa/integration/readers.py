"""Ask for answers all the time, as many dashboards and scripts would."""

from typing import Any, List, Optional, Sequence, Tuple

import pathlib
import threading
import types

from cluster.admin import Admin, Request
from cluster.state import Cluster

Question = Tuple[str, Any]


class Readers:
    """Give commands of the module in a loop, in threads, until the end."""

    def __init__(
        self,
        directory: pathlib.Path,
        questions: Sequence[Question],
        threads: int = 3,
    ) -> None:
        self._dir = directory
        self._requests = [
            Request('mgr', dict(args, prefix='perfcompare ' + prefix))
            for prefix, args in questions
        ]
        self._ending = threading.Event()
        self._threads = [
            threading.Thread(target=self._main, daemon=True)
            for _ in range(threads)
        ]
        self.codes: List[int] = []  # of all answers

    def _main(self) -> None:
        with Admin(Cluster(self._dir)) as agent:
            while not self._ending.is_set():
                self.codes += [a['rc'] for a in agent.ask(self._requests)]

    def __enter__(self) -> 'Readers':
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(
        self,
        kind: Any,
        error: Any,
        trace: Optional[types.TracebackType],
    ) -> None:
        self._ending.set()
        for thread in self._threads:
            thread.join(30)
