"""What share each S3 operation has of a load."""

from typing import Any, Dict, List, Tuple

from ...common.errors import InvalidArgument
from ...common.printable import shown
from ...model.workload import Op, WeightedOp, Workload
from ...worker.wire.s3_spec import OPS

# the mix of the study that users compare with
MIXED = (
    WeightedOp('get', 45.0),
    WeightedOp('put', 35.0),
    WeightedOp('stat', 15.0),
    WeightedOp('delete', 5.0),
)
Mix = Tuple[WeightedOp, ...]


def parse(value: Any, where: str) -> Mix:
    """Return the shares, in percent, of 'get=45,put=35' or of a mapping.

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
    for name, text in pairs:
        if name not in OPS:
            raise InvalidArgument(
                f'{where}: {shown(name)} is not one of ' + ', '.join(OPS)
            )
        if name in found:
            raise InvalidArgument(f'{where}: {name} is given twice')
        found[name] = _share(text, f'{where}: {name}')
    total = sum(found.values())
    for name, share in found.items():
        if share / total < 0.001:
            raise InvalidArgument(
                f'{where}: {name} has {100 * share / total:.2g} % of the '
                'mix; give each at least 0.1 %'
            )
    return tuple(
        WeightedOp(name, round(100.0 * found[name] / total, 4))
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
