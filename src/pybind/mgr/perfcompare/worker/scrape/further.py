"""A host's further exporter, which tells its power, often slowly.

That of IPMI starts programs for each request, which ask the board: they
may need many seconds, and do not end where a request is given up. So it is
asked apart from node_exporter, patiently, when what it tells is of use, and
rests for most of the time; one that hangs is left alone.
"""

from typing import Dict, Iterable, List, Optional, Tuple

import dataclasses
import math
import ssl
import time

from ..wire.scrape_jobs import Past
from .exposition import Sample, parse
from .fetch import FetchError, NoAnswer, Page
from .node import COUNTED, IPMI, WANTED

TIMEOUT = 30.0  # seconds
SHARE = 0.1  # of the time, that it is busy with us at most
REST = 60.0  # seconds that it rests at most
CARRIED = 120.0  # seconds for which what it told holds
# requests in a row without an answer: it is asked no more; trials for which
# its answers came too late: it is asked by longer ones only
TRIES = 3
# a window must last for so many times of what an answer takes: what it tells
# is known from then on, and no power of a window of which less is known
TIMES = 2.0

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
        past: Past = Past(),
        lasts: float = math.inf,
    ) -> None:
        """``past`` is of the trials before; a window ``lasts`` so long (s)."""
        self.url = url
        self.due = 0.0
        self.pause = 0.0
        self._past = past
        self._lasts = lasts
        self._page = Page(url, tls, credentials)
        self._told: Tuple[float, List[Sample]] = 0.0, []
        self._sent: Optional[float] = None  # of a request under way
        self._asked = self._tells = False
        self._quickest = math.inf  # answer, in seconds
        self._problem = ''

    def begin(self, at: float) -> None:
        """Ask from monotonic time ``at`` on, or never: where it is no use.

        What it told before a window began is not of it.
        """
        self.due = math.inf if self._gave_up or self._too_slow else at

    @property
    def _gave_up(self) -> bool:
        return self._past.unanswered >= TRIES

    @property
    def _too_slow(self) -> bool:
        past = self._past
        slow = TIMES * (past.took or past.waited) > self._lasts
        return slow and past.late >= TRIES

    @property
    def past(self) -> Past:
        """Return what the next trial is to know, where this one ends now."""
        past, sent = self._past, self._sent
        if sent is not None:  # of a request that is given up
            waited = time.monotonic() - sent
            if past.took:
                hangs = waited >= TIMES * past.took
                past = dataclasses.replace(
                    past, unanswered=past.unanswered + hangs
                )
            else:
                past = dataclasses.replace(
                    past, waited=max(past.waited, waited)
                )
        late = self._asked and TIMES * self._quickest > self._lasts
        return dataclasses.replace(past, late=past.late + late)

    @property
    def silent(self) -> str:
        """Say why it never told anything; '' where it did."""
        if self._tells:
            return ''
        if self._gave_up:
            return (
                f'{TRIES} requests in a row had no answer: it is asked no '
                'more in this run'
            )
        if self._problem:
            return self._problem
        sent = self._sent
        if sent is not None:
            return f'no answer within {time.monotonic() - sent:.1f} s'
        if self._too_slow:
            took, waited = self._past.took, self._past.waited
            what = f'answers take {took:.1f} s'
            if not took:
                what = f'it had not answered after {waited:.1f} s'
            return (
                f'{what}, more than half of the {self._lasts:g} s that are '
                'measured: it is asked by longer trials only'
            )
        return 'it was not asked'

    def told(self, at: float) -> List[Told]:
        """Return what holds at monotonic time ``at``."""
        then, samples = self._told
        return [(then, s) for s in samples] if at - then <= CARRIED else []

    def poll(self, timeout: float) -> None:
        """Ask it once, within ``timeout`` s; never raise.

        Where that fails, what it told before holds no longer.
        """
        sent = self._sent = time.monotonic()
        self._asked = answered = True
        samples: List[Sample] = []
        try:
            samples = self._read(timeout)
            self._tells = True
        except Exception as error:  # whatever it said, it rests
            self._problem = str(error) or type(error).__name__
            answered = not isinstance(error, NoAnswer)
        now = time.monotonic()
        past = self._past
        if answered:
            past = dataclasses.replace(past, unanswered=0)
        else:
            past = dataclasses.replace(past, unanswered=past.unanswered + 1)
        if samples:
            self._quickest = min(self._quickest, now - sent)
            took = min(past.took or math.inf, now - sent)
            past = dataclasses.replace(past, took=took)
        self._past = past
        # the board was asked somewhere in between
        self._told, self._sent = ((sent + now) / 2, samples), None
        rest = min(REST, (now - sent) / SHARE)
        self.pause = 0.0 if samples else rest
        self.due = math.inf if self._gave_up else now + rest

    def _read(self, timeout: float) -> List[Sample]:
        text = self._page.get(timeout).decode('utf-8', 'replace')
        # a counter that is carried would stand still
        samples = parse(text, WANTED.difference(COUNTED)).samples
        if not samples:
            raise FetchError('it shows nothing that is read')
        return samples
