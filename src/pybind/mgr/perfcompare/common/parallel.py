"""Make several changes together: the mon commits what comes in one second.

A change of the OSD map takes about a second, because the mon collects
proposals that long; ten changes one after the other take ten.
"""

from typing import Callable, List, Sequence, TypeVar

import concurrent.futures

T = TypeVar('T')

THREADS = 16


def run_concurrently(
    calls: Sequence[Callable[[], T]], threads: int = THREADS
) -> List[T]:
    """Run calls in threads; return their results in order.

    All calls end before the first error, in their order, is raised.
    """
    if len(calls) < 2:
        return [call() for call in calls]
    with concurrent.futures.ThreadPoolExecutor(
        min(threads, len(calls))
    ) as pool:
        futures = [pool.submit(call) for call in calls]
    return [future.result() for future in futures]
