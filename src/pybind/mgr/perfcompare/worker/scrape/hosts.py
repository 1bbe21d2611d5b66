"""One host's exporters, read again and again; a failure is a gap."""

from typing import Callable, Dict, List, Optional, Tuple

import ssl
import time

from ..wire.scrape_jobs import Target
from .exposition import ExpositionError, Sample, parse
from .fetch import FetchError, Page
from .node import WANTED, Reading, reading

Credentials = Dict[str, str]


class HostPoll:
    """Keep the readings of one host, and what went wrong.

    ``poll`` is called by one thread at a time.
    """

    def __init__(
        self,
        target: Target,
        url: str,
        tls: Optional[ssl.SSLContext],
        credentials: Credentials,
        wall: Callable[[float], float],
    ) -> None:
        self.target = target
        self.url = url
        self._pages = [
            Page(u, tls, credentials) for u in (url,) + target.more
        ]
        self._wall = wall
        self._readings: List[Tuple[float, Reading]] = []
        self._silent: Dict[str, str] = {
            page.url: 'it was not asked' for page in self._pages[1:]
        }
        self.problem = ''  # of the last scrape that failed
        self.failed = 0

    @property
    def readings(self) -> List[Tuple[float, Reading]]:
        """Return what was read so far: Unix time and reading."""
        return list(self._readings)

    @property
    def silent(self) -> str:
        """Say which further exporter never told anything, and why."""
        told = [f'{url}: {why}' for url, why in self._silent.items()]
        return told[0] if told else ''

    def poll(self, timeout: float) -> None:
        """Read the host once, within ``timeout`` s; never raise."""
        end = time.monotonic() + timeout
        try:
            samples, at = self._read(self._pages[0], end)
            for page in self._pages[1:]:
                samples += self._further(page, end)
            found = reading(samples, at, self.target.disks)
            if found.empty:
                raise FetchError('it shows no metrics of node_exporter')
        except (FetchError, ExpositionError) as error:
            self.failed += 1
            self.problem = str(error)
            return
        self._readings.append((self._wall(at), found))

    def _further(self, page: Page, end: float) -> List[Sample]:
        """Read a further exporter; what goes wrong is told apart."""
        try:
            samples = self._read(page, end)[0]
            if not samples:
                raise FetchError('it shows nothing that is read')
        except (FetchError, ExpositionError) as error:
            if page.url in self._silent:
                self._silent[page.url] = str(error)
            return []
        self._silent.pop(page.url, None)
        return samples

    def _read(self, page: Page, end: float) -> Tuple[List[Sample], float]:
        sent = time.monotonic()
        body = page.get(max(0.05, end - sent))
        # the exporter read its counters somewhere in between
        at = (sent + time.monotonic()) / 2
        text = body.decode('utf-8', 'replace')
        return parse(text, WANTED).samples, at

    def close(self) -> None:
        """Close the connections."""
        for page in self._pages:
            page.close()
