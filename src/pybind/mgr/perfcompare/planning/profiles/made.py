"""Workloads and profiles as they are named, checked and numbered."""

from typing import Optional, Sequence

import hashlib
import json

from ...common.codec import to_data
from ...model.load import spec_of
from ...model.workload import (
    CacheRegime,
    Concurrency,
    Op,
    Prefill,
    Profile,
    Workload,
)
from .. import sizes as weights
from ..sizes import Sizes
from . import shapes
from .limits import check_rounds, check_workloads
from .shapes import Shapes, Wish


def profile(
    name: str,
    description: str,
    rounds: int,
    workloads: Sequence[Workload],
    built_in: bool = False,
    curve: str = '',
    slo: str = '',
) -> Profile:
    """Return a checked profile with its version.

    The version is the same exactly when the same workloads run for the same
    number of rounds; name and description do not count, nor does a curve,
    whose points are workloads, or its limit. Raises InvalidArgument for
    limits passed and for duplicates.
    """
    where = f'profile {name!r}'
    check_rounds(rounds, where)
    check_workloads(workloads, where)
    data = to_data(list(workloads))
    for item in data:
        for key in (
            'rate',
            'read_sizes',
            'write_sizes',
            'prefill',
            'limited',
        ):
            if not item[key]:  # came later than the first versions
                del item[key]
        for kind in shapes.FIELDS:
            shape = {k: v for k, v in (item.pop(kind) or {}).items() if v}
            for share in shape.get('mix', ()):
                if not share['size']:  # likewise
                    del share['size']
            if shape:
                item[kind] = shape
    content = {'rounds': rounds, 'workloads': data}
    text = json.dumps(content, sort_keys=True, separators=(',', ':'))
    return Profile(
        name=name,
        description=description,
        rounds=rounds,
        workloads=tuple(workloads),
        version=hashlib.sha256(text.encode()).hexdigest()[:12],
        builtin=built_in,
        curve=curve,
        slo=slo,
    )


def workload(
    op: Op,
    sizes: Sizes,
    concurrency: Concurrency,
    duration: float,
    warmup: float,
    clients: int,
    cache: Optional[CacheRegime],
    rate: Optional[float] = None,
    tool: str = '',
    prefill: Optional[Prefill] = None,
    wish: Wish = Wish(),
) -> Workload:
    """Return a workload with its name, and what of a wish it can have.

    ``duration`` and ``warmup`` are seconds, ``rate`` operations per second.
    """
    regime = None
    prefill = prefill if op.prefilled else None
    sizes = shapes.own_sizes(op, wish) or sizes
    how = shapes.fit(op, sizes.size, weights.smallest(sizes), wish, rate)
    if op.facts.cached:
        regime = cache
        if not op.facts.cached_if_asked:
            regime = cache or CacheRegime.CACHED
    return Workload(
        name=workload_name(
            op, sizes, concurrency, regime, rate, prefill, how
        ),
        op=op,
        size=sizes.size,
        concurrency=concurrency,
        duration=float(duration),
        warmup=float(warmup),
        clients=shapes.clients(op, clients, wish),
        cache=regime,
        tool=tool or spec_of(op).name,
        rate=rate,
        read_sizes=sizes.read,
        write_sizes=sizes.write,
        prefill=prefill,
        s3=how.s3,
        rbd=how.rbd,
    )


def workload_name(
    op: Op,
    sizes: Sizes,
    concurrency: Concurrency,
    cache: Optional[CacheRegime] = None,
    rate: Optional[float] = None,
    prefill: Optional[Prefill] = None,
    shape: Shapes = Shapes(),
) -> str:
    """Return the name of a workload, e.g. 'write-4K-c16'.

    Reads from the device say so: 'rand-4K-c16-device', loads at a rate do:
    's3-get-4K-c64-r500', and those of chosen objects: 's3-get-4K-c64-n10G'.
    Weighted sizes are named by their mean.
    """
    name = f'{op.value}-{weights.name(sizes)}-c{concurrency}'
    if rate is not None:
        name += f'-r{rate:g}'
    if prefill is not None:
        name += f'-n{weights.prefill_name(prefill)}'
    name += shape.suffix
    return name + '-device' if cache is CacheRegime.DEVICE else name
