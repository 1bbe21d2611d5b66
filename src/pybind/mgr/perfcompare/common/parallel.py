"""Make several changes together: the mon commits what comes in one second.

A change of the OSD map takes about a second, because the mon collects
proposals that long; ten changes one after the other take ten.
"""

from typing import Callable, List, Optional, Sequence, TypeVar

import concurrent.futures

T = TypeVar('T')

THREADS = 16
TURN = 1.0  # seconds between two calls of what is done meanwhile


def run_concurrently(
    calls: Sequence[Callable[[], T]],
    threads: int = THREADS,
    meanwhile: Optional[Callable[[], None]] = None,
) -> List[T]:
    """Run calls in threads; return their results in order.

    All calls end before the first error, in their order, is raised. Who
    waits for them calls ``meanwhile`` every TURN seconds; where that raises,
    no further call is begun.
    """
    if not calls or (len(calls) < 2 and meanwhile is None):
        return [call() for call in calls]
    with concurrent.futures.ThreadPoolExecutor(
        min(threads, len(calls))
    ) as pool:
        futures = [pool.submit(call) for call in calls]
        try:
            while (
                meanwhile is not None
                and concurrent.futures.wait(futures, TURN).not_done
            ):
                meanwhile()
        except BaseException:
            for future in futures:
                future.cancel()
            raise
    return [future.result() for future in futures]
