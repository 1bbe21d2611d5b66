"""One host's exporters, read again and again; a failure is a gap."""

from typing import Callable, List, Optional, Sequence, Tuple

import math
import ssl
import time

from ..wire.scrape_jobs import Target
from .exposition import Sample, parse
from .fetch import FetchError, Page
from .further import Credentials, FurtherExporter, completed
from .kept import Kept
from .node import WANTED, Reading, reading

PAUSE = 60.0  # seconds, the longest one


class HostPoll:
    """Keep the readings of one host, and what went wrong.

    ``poll`` is called by one thread at a time. A host that does not answer
    in time is asked again after a pause, which is twice as long each time:
    it would keep threads from hosts that do.
    """

    def __init__(
        self,
        target: Target,
        url: str,
        tls: Optional[ssl.SSLContext],
        credentials: Credentials,
        wall: Callable[[float], float],
        lasts: float = math.inf,
        columns: Sequence[str] = (),
    ) -> None:
        """Read for a window that ``lasts`` so many seconds.

        Of ``columns`` alone, if any, it keeps what they need.
        """
        self.target = target
        self.url = url
        self.further = [
            FurtherExporter(url, tls, credentials, past, lasts)
            for url, past in target.further
        ]
        self.due = self.pause = 0.0
        self._page = Page(url, tls, credentials)
        self._wall = wall
        self.kept = Kept(columns)
        self.problem = ''  # of the last scrape that failed
        self.failed = 0

    @property
    def readings(self) -> List[Tuple[float, Reading]]:
        """Return what was read so far: Unix time and reading."""
        return self.kept.readings()

    @property
    def silent(self) -> str:
        """Say which further exporter never told anything, and why."""
        told = [f'{f.url}: {f.silent}' for f in self.further if f.silent]
        return told[0] if told else ''

    def poll(self, timeout: float) -> None:
        """Read the host once, within ``timeout`` s; never raise."""
        sent = time.monotonic()
        try:
            samples, at = self._read(timeout)
            told = [one for f in self.further for one in f.told(at)]
            samples, held = completed(samples, told, at)
            found = reading(samples, at, self.target.disks, held)
            if found.empty:
                raise FetchError('it shows no metrics of node_exporter')
        except Exception as error:  # whatever it said, it is a gap
            self.failed += 1
            self.problem = str(error) or type(error).__name__
            self._rest(sent, timeout)
            return
        self.due = self.pause = 0.0
        self.kept.add(self._wall(at), found)

    def _read(self, timeout: float) -> Tuple[List[Sample], float]:
        sent = time.monotonic()
        body = self._page.get(timeout)
        # the exporter read its counters somewhere in between
        at = (sent + time.monotonic()) / 2
        text = body.decode('utf-8', 'replace')
        return parse(text, WANTED).samples, at

    def _rest(self, sent: float, timeout: float) -> None:
        now = time.monotonic()
        # what is refused at once keeps no thread
        slow = now - sent >= timeout / 2
        self.pause = min(PAUSE, max(timeout, 2 * self.pause)) if slow else 0.0
        self.due = now + self.pause
