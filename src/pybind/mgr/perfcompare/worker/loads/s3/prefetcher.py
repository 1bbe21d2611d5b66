"""Requests that are made before they are needed, several at a time.

Where a gateway keeps its host busy, a process wakes up for one response and
finds what it needs driven out of the caches. To draw and sign a request then
takes several times as long as each of many in a row, and all that time a
connection is idle. So it is done ahead, when nobody waits for it.
"""

from typing import Callable, Deque, List, NamedTuple, Optional, Union

import collections

from .keys import Key
from .mix import Source

AHEAD = 16  # requests of an endpoint
FRESH = 30.0  # seconds that a signature is kept; S3 takes 15 minutes


class Request(NamedTuple):
    """Hold what is sent, and what its end is to be taken for."""

    op: int
    key: Key
    head: bytes
    verify: bool  # compare the content of a read
    # head and content, used up by sending; None: the content as it is
    pieces: Optional[List[Union[bytes, memoryview]]] = None


class RequestPrefetcher:
    """Keep requests by endpoint, drawn from one source.

    ``make`` draws and signs one for an endpoint, None where the source has
    ended; ``sign`` signs one for another endpoint, or anew.
    """

    def __init__(
        self,
        endpoints: int,
        make: Callable[[int], Optional[Request]],
        sign: Callable[[int, Request], Request],
    ) -> None:
        self._make = make
        self._sign = sign
        self._kept: List[Deque[Request]] = [
            collections.deque() for _ in range(endpoints)
        ]
        self._renewed = 0.0  # when all that was kept was signed anew
        self.low = True  # an endpoint has none left

    def take(self, endpoint: int) -> Optional[Request]:
        """Return the next request; None when there will be no more."""
        kept = self._kept[endpoint]
        if kept:
            return kept.popleft()
        self.low = True
        request = self._make(endpoint)
        if request is None:
            for other in self._kept:
                if other:
                    return self._sign(endpoint, other.popleft())
        return request

    def fill(self, source: Source) -> None:
        """Draw ahead for the endpoints that have none left."""
        self.low = False
        for endpoint, kept in enumerate(self._kept):
            if kept:
                continue
            for _ in range(AHEAD):
                request = self._make(endpoint) if source.ahead() else None
                if request is None:
                    return
                kept.append(request)

    def tick(self, wall: float) -> None:
        """Sign anew what was signed long ago."""
        if wall - self._renewed < FRESH:
            return
        self._renewed = wall
        for endpoint, kept in enumerate(self._kept):
            for _ in range(len(kept)):
                kept.append(self._sign(endpoint, kept.popleft()))

    def give_back(self, source: Source) -> None:
        """Return to the source what was never begun."""
        for kept in self._kept:
            while kept:
                request = kept.pop()
                source.take_back(request.op, request.key)
