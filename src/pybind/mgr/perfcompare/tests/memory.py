"""Memory that some files took, whatever other threads allocate meanwhile."""

from typing import Callable, Iterator

import contextlib
import tracemalloc


@contextlib.contextmanager
def traced(*files: str) -> Iterator[Callable[[], int]]:
    """Yield what tells the bytes that lines of these files hold.

    Files may be patterns of `fnmatch`. Only what is allocated within counts.
    """
    here = [tracemalloc.Filter(True, file) for file in files]

    def held() -> int:
        traces = tracemalloc.take_snapshot().filter_traces(here).traces
        return sum(trace.size for trace in traces)

    tracemalloc.start()
    try:
        yield held
    finally:
        tracemalloc.stop()
