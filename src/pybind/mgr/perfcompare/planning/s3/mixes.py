"""What share each S3 operation has of a load."""

from typing import Any, Dict, List, Optional, Tuple

import dataclasses

from ...common import units
from ...common.errors import InvalidArgument
from ...common.printable import shown
from ...model.workload import Op, WeightedOp, WeightedSize, Workload
from ...worker.wire.s3_spec import DELETES, LIST, NEEDS, OPS, SIZE_MAX, WRITES
from ..sizes import Sizes, mean

# the mix of the study that users compare with
MIXED = (
    WeightedOp('get', 45.0),
    WeightedOp('put', 35.0),
    WeightedOp('stat', 15.0),
    WeightedOp('delete', 5.0),
)
Mix = Tuple[WeightedOp, ...]
SIZELESS = tuple(OPS[op] for op in (*DELETES, LIST))
LEAST_SIZE = 512  # bytes


def parse(value: Any, where: str) -> Mix:
    """Return the shares, in percent, of 'get=45,put=35' or of a mapping.

    A share can have a size of objects behind it: 'get=45:4K,put=35:1M'.
    Raises InvalidArgument naming ``where``.
    """
    pairs: List[Tuple[str, str]] = []
    if isinstance(value, dict):
        pairs = [(str(name), str(share)) for name, share in value.items()]
    elif isinstance(value, str):
        for word in value.split(','):
            name, _, text = word.partition('=')
            pairs.append((name.strip(), text.strip()))
    else:
        raise InvalidArgument(
            f'{where}: {shown(value)} is not a mix; give e.g. get=70,put=30'
        )
    found: Dict[str, float] = {}
    own: Dict[str, int] = {}
    for name, text in pairs:
        if name not in OPS:
            raise InvalidArgument(
                f'{where}: {shown(name)} is not one of ' + ', '.join(OPS)
            )
        if name in found:
            raise InvalidArgument(f'{where}: {name} is given twice')
        part, colon, size = text.partition(':')
        found[name] = _share(part, f'{where}: {name}')
        own[name] = _size(name, size, f'{where}: {name}') if colon else 0
    _whole(own, where)
    total = sum(found.values())
    for name, share in found.items():
        if share / total < 0.001:
            raise InvalidArgument(
                f'{where}: {name} has {100 * share / total:.2g} % of the '
                'mix; give each at least 0.1 %'
            )
    return tuple(
        WeightedOp(name, round(100.0 * found[name] / total, 4), own[name])
        for name in sorted(found, key=lambda n: (-found[n], OPS.index(n)))
    )


def _share(text: str, where: str) -> float:
    try:
        share = float(text.rstrip('%').strip())
    except ValueError:
        share = 0.0
    if not 0 < share <= 1e6:
        raise InvalidArgument(
            f'{where}: {shown(text)} is not a share; give a number above 0, '
            'e.g. get=70,put=30'
        )
    return share


def _size(name: str, text: str, where: str) -> int:
    if name in SIZELESS:
        raise InvalidArgument(
            f'{where}: {shown(text)} is not used: it takes objects of any '
            'size; give the share alone'
        )
    try:
        size = units.parse_size(text)
    except InvalidArgument as error:
        raise InvalidArgument(f'{where}: {error.message}')
    if not LEAST_SIZE <= size <= SIZE_MAX:
        raise InvalidArgument(
            f'{where}: size {units.format_size(size)} is out of range; give '
            f'{LEAST_SIZE} bytes to {units.format_size(SIZE_MAX)}'
        )
    return size


def _whole(own: Dict[str, int], where: str) -> None:
    """Refuse sizes of a part of the operations only."""
    lacking = [
        name
        for name, size in own.items()
        if not size and name not in (*SIZELESS, 'stat')
    ]
    if lacking and any(own.values()):
        raise InvalidArgument(
            f'{where}: {lacking[0]} has no size and others have; give each '
            'operation its own, e.g. get=45:4K,put=35:1M'
        )


def sized(mix: Mix) -> bool:
    """Say whether operations of a mix have sizes of their own."""
    return any(item.size for item in mix)


def alike(mix: Mix) -> Mix:
    """Return a mix without its sizes, where all of them are the same."""
    if len({item.size for item in mix if item.size}) > 1:
        return mix
    return tuple(dataclasses.replace(item, size=0) for item in mix)


def sizes(mix: Mix) -> Optional[Sizes]:
    """Return the sizes of objects that a mix uses; None: it has none.

    Of each size that it reads there are as many objects. What is written
    has the shares of the operations.
    """
    if not sized(mix):
        return None
    read = {i.size: 1.0 for i in mix if i.size and OPS.index(i.op) in NEEDS}
    write: Dict[int, float] = {}
    for item in mix:
        if item.size and OPS.index(item.op) in WRITES:
            write[item.size] = write.get(item.size, 0.0) + item.weight
    both = [
        tuple(WeightedSize(size, share) for size, share in found.items())
        for found in (read or write, write or read)
    ]
    if len({item.size for items in both for item in items}) == 1:
        return Sizes(both[0][0].size)
    return Sizes(max(mean(items) for items in both), both[0], both[1])


def by_op(mix: Mix) -> Tuple[int, ...]:
    """Return the size for each of OPS, 0 of any; empty: the mix has none."""
    if not sized(mix):
        return ()
    found = {item.op: item.size for item in mix}
    return tuple(found.get(name, 0) for name in OPS)


def of_workload(workload: Workload) -> Tuple[float, ...]:
    """Return the weight of each of OPS in an S3 workload."""
    return of_op(workload.op, workload.s3.mix if workload.s3 else ())


def of_op(op: Op, mix: Mix = ()) -> Tuple[float, ...]:
    """Return the weight of each of OPS; ``mix`` is that of a mix."""
    found = [0.0] * len(OPS)
    if op.facts.both:
        for item in mix or MIXED:
            found[OPS.index(item.op)] = item.weight
    else:
        found[OPS.index(op.value[len('s3-') :])] = 1.0
    return tuple(found)
