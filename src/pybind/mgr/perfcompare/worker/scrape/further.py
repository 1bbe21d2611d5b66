"""A host's further exporter, which tells its power, often slowly.

That of IPMI starts programs for each request, which ask the board: they
may need many seconds, and do not end where a request is given up. So it is
asked apart from node_exporter, patiently, and rests for most of the time;
one that hangs is left alone.
"""

from typing import Dict, Iterable, List, Optional, Tuple

import math
import ssl
import time

from .exposition import ExpositionError, Sample, parse
from .fetch import FetchError, NoAnswer, Page
from .node import COUNTED, IPMI, WANTED

TIMEOUT = 30.0  # seconds
SHARE = 0.1  # of the time, that it is busy with us at most
REST = 60.0  # seconds that it rests at most
CARRIED = 120.0  # seconds for which what it told holds
TRIES = 3  # requests in a row without an answer; then it is asked no more

Credentials = Dict[str, str]
Told = Tuple[float, Sample]  # when


def completed(
    own: List[Sample], told: Iterable[Told], at: float
) -> Tuple[List[Sample], float]:
    """Return what node_exporter shows, and what it does not from others.

    And for how long power by IPMI is held already, at ``at``.
    """
    names = {sample.name for sample in own}
    others = [one for one in told if one[1].name not in names]
    held = max(
        (at - then for then, sample in others if sample.name == IPMI),
        default=0.0,
    )
    return own + [sample for _, sample in others], held


class FurtherExporter:
    """Keep what one exporter told last, and why it tells nothing.

    ``poll`` is called by one thread at a time, the rest by another one.
    """

    def __init__(
        self,
        url: str,
        tls: Optional[ssl.SSLContext],
        credentials: Credentials,
        unanswered: int = 0,
    ) -> None:
        """``unanswered`` are those of the trials before, in a row."""
        self.url = url
        self.unanswered = unanswered  # that under way as well
        self.due = math.inf if unanswered >= TRIES else 0.0
        self.pause = 0.0
        self._page = Page(url, tls, credentials)
        self._told: Tuple[float, List[Sample]] = 0.0, []
        self._sent: Optional[float] = None  # of a request under way
        self._tells = False
        self._problem = ''

    @property
    def silent(self) -> str:
        """Say why it never told anything; '' where it did."""
        if self._tells:
            return ''
        if self.due == math.inf:
            return (
                f'{TRIES} requests in a row had no answer: it is asked no '
                'more in this run'
            )
        if self._problem:
            return self._problem
        sent = self._sent
        if sent is None:
            return 'it was not asked'
        return f'no answer within {time.monotonic() - sent:.1f} s'

    def told(self, at: float) -> List[Told]:
        """Return what holds at monotonic time ``at``."""
        then, samples = self._told
        return [(then, s) for s in samples] if at - then <= CARRIED else []

    def poll(self, timeout: float) -> None:
        """Ask it once, within ``timeout`` s; never raise.

        Where that fails, what it told before holds no longer.
        """
        sent = self._sent = time.monotonic()
        self.unanswered += 1
        answered = True
        samples: List[Sample] = []
        try:
            samples = self._read(timeout)
            self._tells = True
        except (FetchError, ExpositionError) as error:
            self._problem = str(error)
            answered = not isinstance(error, NoAnswer)
        if answered:
            self.unanswered = 0
        now = time.monotonic()
        # the board was asked somewhere in between
        self._told, self._sent = ((sent + now) / 2, samples), None
        rest = min(REST, (now - sent) / SHARE)
        self.pause = 0.0 if samples else rest
        self.due = math.inf if self.unanswered >= TRIES else now + rest

    def _read(self, timeout: float) -> List[Sample]:
        text = self._page.get(timeout).decode('utf-8', 'replace')
        # a counter that is carried would stand still
        samples = parse(text, WANTED.difference(COUNTED)).samples
        if not samples:
            raise FetchError('it shows nothing that is read')
        return samples
