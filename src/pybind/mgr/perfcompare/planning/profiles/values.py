"""The values of profiles and of options that replace them, read strictly.

Each function raises InvalidArgument, with the value and what is expected, for
what it cannot read; ``where`` names the place to begin that message with.
"""

from typing import Any, Callable, Dict, List, Optional, Sequence, Tuple

import re

from ...common import units
from ...common.errors import InvalidArgument
from ...common.printable import shown
from ...model import load
from ...model.workload import CacheRegime, Concurrency, Op, Prefill
from .limits import MAX_PREFILL, MAX_RATE

_CONCURRENCY = re.compile(r'^\s*([0-9]{1,9})\s*(/\s*osd)?\s*$', re.I)
_RATE = re.compile(r'^\s*([0-9]{1,9})\s*/\s*s\s*$')
# beyond this, operations wait in the client: a queue is measured, no OSD
MIN_CONCURRENCY = 1
MAX_CONCURRENCY = 4096
BOTH = 'both'  # regimes of a cache


def mapping(data: Any, where: str, known: Sequence[str]) -> Dict[str, Any]:
    """Return a mapping; InvalidArgument for keys that are not ``known``."""
    if not isinstance(data, dict):
        raise InvalidArgument(f'{where}: {shown(data)} is not a mapping')
    unknown = [key for key in data if key not in known]
    if unknown:
        raise InvalidArgument(
            f'{where}: unknown key {shown(unknown[0])}; known are '
            + ', '.join(known)
        )
    return data


def values(
    value: Any, where: str, convert: Callable[[str], Any]
) -> List[Any]:
    """Return one value, or those of a list, converted."""
    items = value if isinstance(value, list) else [value]
    if not items:
        raise InvalidArgument(f'{where}: the list is empty')
    found = []
    for item in items:
        if not isinstance(item, (str, int)) or isinstance(item, bool):
            raise InvalidArgument(
                f'{where}: {shown(item)} is neither a text nor a whole number'
            )
        try:
            found.append(convert(str(item)))
        except InvalidArgument as error:
            raise InvalidArgument(f'{where}: {error.message}')
    return found


def each(
    option: str,
    texts: Optional[Tuple[str, ...]],
    convert: Callable[[str], Any],
) -> List[Any]:
    """Return the distinct values of a repeated (or comma-joined) option."""
    if not texts:
        return []
    words = [w for text in texts for w in text.split(',')]
    return list(dict.fromkeys(values(words, option, convert)))


def concurrency(text: str) -> Concurrency:
    """Return the Concurrency of '16' (in all) or '4/osd' (for each OSD).

    Raises InvalidArgument for anything else, or out of 1..4096.
    """
    match = _CONCURRENCY.match(str(text))
    if not match:
        raise InvalidArgument(
            f'{shown(text)} is not a concurrency; give operations in '
            'flight, e.g. 16, or for each OSD, e.g. 4/osd'
        )
    value = int(match.group(1))
    if not MIN_CONCURRENCY <= value <= MAX_CONCURRENCY:
        raise InvalidArgument(
            f'concurrency {value} is out of range; give '
            f'{MIN_CONCURRENCY} to {MAX_CONCURRENCY}'
        )
    return Concurrency(value, bool(match.group(2)))


def op(text: str) -> Op:
    """Return the operation of a name; InvalidArgument for no driver's."""
    imported = {operation.name for operation in load.IMPORTED}
    known = [name for name in Op.known() if name not in imported]
    if text.strip() not in known:
        names = ', '.join(known)
        raise InvalidArgument(f'{shown(text)} is not one of {names}')
    return Op(text.strip())


def cache(value: Any, where: str) -> Tuple[CacheRegime, ...]:
    """Return where reads are meant to come from; () when not given."""
    if value is None:
        return ()
    if value == BOTH:
        return tuple(CacheRegime)
    try:
        return (CacheRegime(value),)
    except ValueError:
        names = ', '.join([*(c.value for c in CacheRegime), BOTH])
        raise InvalidArgument(
            f'{where}: cache {shown(value)} is not one of {names}'
        )


def rate(value: Any, ops: Sequence[Op], where: str) -> Optional[float]:
    """Return operations begun per second, None for a closed loop.

    Raises InvalidArgument out of 0..MAX_RATE, or for an operation of
    ``ops`` that cannot run as an open loop.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidArgument(f'{where}: rate {shown(value)} is not a number')
    if not 0 < value <= MAX_RATE:
        raise InvalidArgument(
            f'{where}: rate {value:g} is out of range; give above 0, up to '
            f'{MAX_RATE:,} operations per second'
        )
    if not all(o.facts.open_loop for o in ops):
        raise InvalidArgument(
            f'{where}: rate is for {load.kinds(lambda o: o.open_loop)} only'
        )
    return float(value)


def number_of_rate(text: str) -> int:
    """Return the whole number of '400/s', operations begun per second.

    Raises InvalidArgument for anything else, or out of 1..MAX_RATE.
    """
    match = _RATE.match(text)
    if not match:
        raise InvalidArgument(
            f'{shown(text)} is not a rate; give whole operations per second, '
            'e.g. 400/s'
        )
    value = int(match.group(1))
    if not 1 <= value <= MAX_RATE:
        raise InvalidArgument(
            f'rate {value}/s is out of range; give 1/s to {MAX_RATE}/s'
        )
    return value


def prefill(value: Any, ops: Sequence[Op], where: str) -> Optional[Prefill]:
    """Return the objects that are there before a load, None by default.

    A number is that of the objects, one with a unit that of their bytes.
    """
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, str)):
        raise InvalidArgument(
            f'{where}: prefill {shown(value)} is not a number'
        )
    if not any(o.prefilled for o in ops):
        raise InvalidArgument(
            f'{where}: prefill is for '
            + ', '.join(o for o in Op.known() if Op(o).prefilled)
        )
    text = str(value).strip()
    if not text.isascii() or not text.isdigit():
        try:
            return Prefill(bytes=units.parse_size(text))
        except InvalidArgument:
            raise InvalidArgument(
                f'{where}: prefill {shown(value)} is neither a number of '
                'objects nor bytes with a unit; give e.g. 5000 or 10G'
            ) from None
    if len(text) > 12 or not 1 <= int(text) <= MAX_PREFILL:
        raise InvalidArgument(
            f'{where}: prefill {text[:20]} is out of range; give 1 to '
            f'{MAX_PREFILL:,} objects, or bytes with a unit'
        )
    return Prefill(objects=int(text))


def seconds(
    found: Dict[str, Any], key: str, default: float, where: str
) -> float:
    """Return a duration in seconds, given as a number or as a text.

    Raises InvalidArgument when it is neither.
    """
    value = found.get(key, default)
    if isinstance(value, str):
        try:
            return units.parse_duration(value)
        except InvalidArgument as error:
            raise InvalidArgument(f'{where}: {key}: {error.message}')
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidArgument(
            f'{where}: {key} {shown(value)} is not a number of seconds'
        )
    return float(value)
