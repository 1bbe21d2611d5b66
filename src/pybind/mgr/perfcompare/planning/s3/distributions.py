"""Which objects are used how often, when operations begin, how large they are.

Words of options and profiles, read and written in one way each.
"""

from typing import Any, List, Sequence, Tuple

import math
import re
import statistics

from ...common import units
from ...common.errors import InvalidArgument
from ...common.printable import shown
from ...model.workload import WeightedSize
from ...worker.wire.s3_spec import (
    CHECKSUMS,
    ENCRYPTIONS,
    THINK_LEAST,
    THINK_MAX,
    VERSIONINGS,
)

EXP = 'exp:'  # exponential
_PAUSE = re.compile(r'([0-9]{1,6}(?:\.[0-9]{1,6})?)\s*(ms|s)', re.ASCII)
UNIFORM, ZIPF, HOT = 'uniform', 'zipf', 'hot'
CONSTANT, POISSON = 'constant', 'poisson'
NONE = 'none'
EXPONENT = 0.99  # as in YCSB
STEPS = 64  # sizes that stand for a distribution


def keys(value: Any, where: str) -> str:
    """Return 'uniform', 'zipf:0.99' or 'hot:20:80'.

    Raises InvalidArgument naming ``where``.
    """
    kind, *rest = str(value).strip().split(':')
    numbers = [_number(text) for text in rest]
    if kind == UNIFORM and not rest:
        return UNIFORM
    if kind == ZIPF and len(rest) <= 1:
        exponent = numbers[0] if rest else EXPONENT
        if 0.01 <= exponent <= 5:
            return f'{ZIPF}:{exponent:g}'
    if kind == HOT and len(rest) == 2:
        if all(0 < number < 100 for number in numbers):
            return f'{HOT}:{numbers[0]:g}:{numbers[1]:g}'
    raise InvalidArgument(
        f'{where}: {shown(value)} is not a distribution of keys; give '
        'uniform, zipf, zipf:<exponent from 0.01 to 5>, or hot:<percent of '
        'objects>:<percent of operations>'
    )


def checksum(value: Any, where: str) -> str:
    """Return 'none', 'crc32' or 'crc64nvme'; InvalidArgument."""
    return _one_of(value, where, 'checksum', CHECKSUMS)


def encryption(value: Any, where: str) -> str:
    """Return 'none', 'sse-c' or 'sse-s3'; InvalidArgument."""
    return _one_of(value, where, 'encryption', ENCRYPTIONS)


def versioning(value: Any, where: str) -> str:
    """Return 'none' or 'enabled'; InvalidArgument."""
    return _one_of(value, where, 'versioning', VERSIONINGS)


def _one_of(value: Any, where: str, what: str, known: Sequence[str]) -> str:
    found = str(value).strip()
    if found not in (NONE, *known):
        raise InvalidArgument(
            f'{where}: {shown(value)} is not a valid {what}; give '
            + ', '.join((NONE, *known))
        )
    return found


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        return -1.0
    return value if math.isfinite(value) else -1.0


def parts(text: str) -> Tuple[float, float, float]:
    """Return exponent, share of hot objects, and that of their uses."""
    kind, *rest = text.split(':')
    if kind == ZIPF:
        return float(rest[0]), 0.0, 0.0
    if kind == HOT:
        return 0.0, float(rest[0]) / 100, float(rest[1]) / 100
    return 0.0, 0.0, 0.0


def arrivals(value: Any, where: str) -> str:
    """Return 'poisson', or 'constant': at equal distances.

    Raises InvalidArgument for anything else.
    """
    text = str(value).strip()
    if text not in (CONSTANT, POISSON):
        raise InvalidArgument(
            f'{where}: {shown(value)} is not one of {CONSTANT}, {POISSON}'
        )
    return text


def think_time(value: Any, where: str) -> str:
    """Return 'none', '10ms' or 'exp:10ms': so long, or on average.

    Raises InvalidArgument naming ``where``.
    """
    text = str(value).strip()
    if text == NONE:
        return NONE
    kind = EXP if text.startswith(EXP) else ''
    match = _PAUSE.fullmatch(text[len(kind) :].strip())
    if match:
        seconds = float(match.group(1)) / (1000 if match[2] == 'ms' else 1)
        if THINK_LEAST <= seconds <= THINK_MAX:
            # one way to write each
            return f'{kind}{seconds * 1000:g}ms'
    raise InvalidArgument(
        f'{where}: {shown(value)} is not a time between operations; give '
        'none, a time from 1ms to 60s, or exp:<time>: so long on average'
    )


def think(text: str) -> Tuple[float, bool]:
    """Return the seconds of 'exp:10ms', and whether these are a mean."""
    if not text:
        return 0.0, False
    exponential = text.startswith(EXP)
    number = text[len(EXP) :] if exponential else text
    return float(number[: -len('ms')]) / 1000, exponential


def sizes(text: str) -> List[WeightedSize]:
    """Return sizes of 'uniform:4K:1M' or 'lognormal:64K:1.5'.

    The distribution is cut in STEPS parts of equal share, and each has the
    size in its middle: that of its middle quantile. Of 'lognormal' these are
    the median and the standard deviation of the logarithm. Returns nothing
    for another text; raises InvalidArgument for wrong values.
    """
    kind, *rest = text.strip().split(':')
    if kind not in (UNIFORM, 'lognormal'):
        return []
    found: List[int] = []
    places = [(step + 0.5) / STEPS for step in range(STEPS)]
    if kind == UNIFORM and len(rest) == 2:
        low, high = (units.parse_size(word) for word in rest)
        if low < high:
            found = [round(low + (high - low) * at) for at in places]
    elif kind == 'lognormal' and len(rest) == 2:
        median, sigma = units.parse_size(rest[0]), _number(rest[1])
        if 0 < sigma <= 4:
            normal = statistics.NormalDist(math.log(median), sigma)
            found = [
                max(1, round(math.exp(normal.inv_cdf(at)))) for at in places
            ]
    if not found:
        raise InvalidArgument(
            f'{shown(text)} is not a distribution of sizes; give '
            'uniform:<least>:<most>, or lognormal:<median>:<deviation of '
            'the logarithm, up to 4>'
        )
    number = {size: found.count(size) for size in found}
    return [WeightedSize(size, float(n)) for size, n in number.items()]
