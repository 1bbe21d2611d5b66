"""Sizes of objects: one size, or weighted ones, apart for reads and writes.

Operations say whether they take weighted sizes. Where one distribution is
given, it is that of reads and writes alike.
"""

from typing import Any, List, NamedTuple, Optional, Sequence, Tuple

import fractions
import hashlib
import math

from ..common import units
from ..common.errors import InvalidArgument
from ..common.printable import shown
from ..model import load
from ..model.workload import Op, Prefill, WeightedSize, Workload
from .s3 import distributions

MOST = 256  # sizes of one distribution
LISTED = 16  # of which each is told
LEAST = 1e-5  # share of one of them

Weighted = Tuple[WeightedSize, ...]


class Sizes(NamedTuple):
    """Hold the sizes of one workload; ``size`` stands for the mean."""

    size: int
    read: Weighted = ()
    write: Weighted = ()


def fixed(size: int) -> Sizes:
    """Return one size for all objects."""
    return Sizes(size)


def parse(text: str) -> Weighted:
    """Return the sizes of '4M:80,2560K:10': size and weight, or size alone.

    Raises InvalidArgument for what is no such list.
    """
    found = distributions.sizes(str(text))
    if found:
        return _checked(found)
    for word in str(text).split(','):
        size, _, weight = word.partition(':')
        found.append(WeightedSize(units.parse_size(size), _weight(weight)))
    return _checked(found)


def from_yaml(value: Any, where: str) -> Weighted:
    """Return the sizes of a mapping (size: weight) or of a text.

    Raises InvalidArgument, which begins with ``where``, for anything else.
    """
    try:
        if isinstance(value, dict):
            return _checked(
                [
                    WeightedSize(units.parse_size(str(k)), _weight(str(v)))
                    for k, v in value.items()
                ]
            )
        if isinstance(value, (str, int)) and not isinstance(value, bool):
            return parse(str(value))
    except InvalidArgument as error:
        raise InvalidArgument(f'{where}: {error.message}')
    raise InvalidArgument(
        f'{where}: {shown(value)} is not a mapping of sizes to weights'
    )


def _weight(text: str) -> float:
    text = text.strip().rstrip('%').strip()
    try:
        weight = float(text) if text else 1.0
    except ValueError:
        weight = 0.0
    if not 0 < weight <= 1e6:
        raise InvalidArgument(
            f'{shown(text)} is not a weight; give a number above 0, e.g. '
            '4M:80,1M:20'
        )
    return weight


def _checked(found: List[WeightedSize]) -> Weighted:
    if not 1 <= len(found) <= MOST:
        raise InvalidArgument(f'{len(found)} sizes; give 1 to {MOST}')
    names = [item.size for item in found]
    for size in names:
        if names.count(size) > 1:
            raise InvalidArgument(
                f'size {units.format_size(size)} is given twice'
            )
    total = sum(item.weight for item in found)
    for item in found:
        if item.weight < LEAST * total:
            raise InvalidArgument(
                f'size {units.format_size(item.size)} has '
                f'{100 * item.weight / total:.2g} % of the weight; give each '
                f'at least {100 * LEAST:g} %'
            )
    return tuple(found)


def mean(items: Sequence[WeightedSize]) -> int:
    """Return the mean size, rounded up to whole bytes."""
    total = sum(fractions.Fraction(item.weight) for item in items)
    bytes_ = sum(fractions.Fraction(i.weight) * i.size for i in items)
    return math.ceil(bytes_ / total)


def of_op(
    op: Op, read: Optional[Weighted], write: Optional[Weighted], where: str
) -> Sizes:
    """Return what an operation uses of two distributions.

    One that is not given is as the other. Raises InvalidArgument for
    operations that take none.
    """
    if not op.facts.weighted:
        raise InvalidArgument(
            f'{where}: weighted sizes are for '
            f'{load.kinds(lambda o: o.weighted)}, not for {op.value}'
        )
    reads, writes = read or write or (), write or read or ()
    if op.reads:
        writes = ()
    elif not op.facts.both:
        reads = ()
    both = [items for items in (reads, writes) if items]
    if all(len(items) == 1 for items in both):
        alone = {items[0].size for items in both}
        if len(alone) == 1:
            return Sizes(alone.pop())
    return Sizes(max(mean(items) for items in both), reads, writes)


def name(sizes: Sizes) -> str:
    """Return what stands in a workload's name, e.g. '4K' or 'mix3.6M'."""
    if not sizes.read and not sizes.write:
        return units.format_size(sizes.size)
    value, suffix = float(sizes.size), ''
    for suffix in ('', 'K', 'M'):
        if value < 1024 or suffix == 'M':
            break
        value /= 1024
    return f'mix{value:.3g}{suffix}'


def smallest(sizes: Sizes) -> int:
    """Return the bytes of the smallest objects."""
    held = [item.size for item in (*sizes.read, *sizes.write)]
    return min(held, default=sizes.size)


def read_sizes(workload: Workload) -> Weighted:
    """Return the sizes of the objects that a workload reads."""
    return workload.read_sizes or (WeightedSize(workload.size),)


def write_sizes(workload: Workload) -> Weighted:
    """Return the sizes of the objects that a workload writes."""
    return workload.write_sizes or (WeightedSize(workload.size),)


def population(workload: Workload) -> str:
    """Return the name of the objects read: equal for equal ones."""
    found = units.format_size(workload.size)
    if workload.read_sizes:
        text = describe(workload.read_sizes)
        found = 'mix' + hashlib.sha256(text.encode()).hexdigest()[:8]
    if workload.prefill is not None:
        found += f'-n{prefill_name(workload.prefill)}'
    return found


def prefill_name(prefill: Prefill) -> str:
    """Return objects as '5000', bytes with a unit: '10G'."""
    if prefill.objects:
        return str(prefill.objects)
    found = units.format_size(prefill.bytes)
    return found + 'B' if found.isdigit() else found


def summary(items: Sequence[WeightedSize]) -> str:
    """Return sizes for people, few of them each with its share."""
    if len(items) <= LISTED:
        return describe(items)
    held = [item.size for item in items]
    return (
        f'{len(items)} sizes from {units.format_bytes(min(held))} to '
        f'{units.format_bytes(max(held))}, on average '
        f'{units.format_bytes(mean(items))}'
    )


def describe(items: Sequence[WeightedSize]) -> str:
    """Return sizes with their shares for people."""
    total = sum(item.weight for item in items)
    return ', '.join(
        f'{units.format_size(i.size)} {100 * i.weight / total:.3g} %'
        for i in items
    )
