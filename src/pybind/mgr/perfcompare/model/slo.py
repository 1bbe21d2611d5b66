"""A limit of latency that a response curve is read at, as 'p99=10ms'."""

import dataclasses
import re

from ..common.errors import InvalidArgument
from ..common.printable import shown

PERCENTILES = ('p50', 'p95', 'p99', 'p99.9')
LEAST, MOST = 1e-5, 60.0  # seconds
_TEXT = re.compile(r'(p[0-9.]{1,5})\s*(?:<=|=)\s*([0-9.]{1,9})\s*(us|ms|s)')
_UNITS = {'us': 1e-6, 'ms': 1e-3, 's': 1.0}


@dataclasses.dataclass(frozen=True)
class Slo:
    """Hold a percentile and the latency (seconds) that it may have."""

    percentile: str
    seconds: float

    @classmethod
    def parse(cls, text: str) -> 'Slo':
        """Return the limit of 'p99=10ms'.

        Raises InvalidArgument for anything else, or out of 10us…60s.
        """
        match = _TEXT.fullmatch(text.strip())
        if match and match.group(1) in PERCENTILES:
            try:
                seconds = float(match.group(2)) * _UNITS[match.group(3)]
            except ValueError:
                seconds = 0.0
            if LEAST <= seconds <= MOST:
                return cls(match.group(1), seconds)
        raise InvalidArgument(
            f'--slo {shown(text)} is not a limit of latency; give one of '
            f'{", ".join(PERCENTILES)} and a time from 10us to 60s, '
            'as p99=10ms, or none for the peak of curves'
        )

    def __str__(self) -> str:
        for unit, scale in (('s', 1.0), ('ms', 1e-3), ('us', 1e-6)):
            if self.seconds >= scale * (1.0 - 1e-9):
                break
        return f'{self.percentile} ≤ {self.seconds / scale:.6g} {unit}'
