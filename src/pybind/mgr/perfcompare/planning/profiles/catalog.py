"""Profiles: named lists of workloads, read strictly from YAML.

A profile file is a mapping with `name` (but where one is given beside it),
`description`, `rounds` and a list `workloads`. Each entry gives `op`, `size`
and `concurrency`, each one value or a list (the entry stands for their cross
product), and may give `duration`, `warmup`, `clients`, `cache` and (S3 only)
`rate`; the mapping `defaults` gives these for all entries. S3 entries may
give `read_sizes` and `write_sizes` (size: weight) in place of `size`, and
`prefill` (objects, or bytes with a unit). With `curve` (a ladder of
operations in flight in place of `concurrency`, or of rates in place of
`rate`), and maybe `slo`, each entry is a response curve. Anything else is an
error.
"""

from typing import Any, Dict, Iterator, List, Optional, Tuple

import functools
import itertools
import os
import re

from ...common import units
from ...common.errors import InvalidArgument, NotFound
from ...common.printable import shown
from ...common.strict_yaml import parse
from ...model.slo import Slo
from ...model.workload import Profile, Workload
from .. import ladder
from .. import sizes as weights
from . import made, shapes
from . import values as pv
from .limits import check_rounds

DEFAULT_DURATION = 60.0
DEFAULT_WARMUP = 5.0

_FOLDER = os.path.dirname(__file__)
_NAME = re.compile(r'[a-z0-9][a-z0-9_-]{0,47}\Z')
NAME_RULE = "is not valid; give 1 to 48 of a-z, 0-9, '_' and '-'"
_TOP = ('name', 'description', 'rounds', 'defaults', 'workloads')
_CURVE = ('curve', 'slo')
_TUNABLE = ('duration', 'warmup', 'clients', 'cache', 'rate')
_WEIGHTED = ('read_sizes', 'write_sizes')
ENTRY = ('op', 'size', 'concurrency', 'prefill') + _WEIGHTED + _TUNABLE


def builtin() -> Dict[str, Profile]:
    """Return the built-in profiles by name."""
    return dict(_builtin())


def get(name: str) -> Profile:
    """Return the built-in profile ``name``; NotFound lists those there."""
    known = _builtin()
    if name not in known:
        raise NotFound(
            f'profile {shown(name)} does not exist; profiles: '
            + ', '.join(sorted(known))
        )
    return known[name]


def is_name(name: object) -> bool:
    """Say whether a profile can have this name."""
    return isinstance(name, str) and bool(_NAME.match(name))


def text_of(name: str) -> str:
    """Return the file of a built-in profile."""
    return _texts()[name].rstrip('\n')


def load(
    text: str, built_in: bool = False, name: str = '', strict: bool = False
) -> Profile:
    """Return the profile that a YAML text describes.

    A ``name`` that is given stands for the one in the text. Raises
    InvalidArgument with the place of the first mistake; a key that does
    nothing is one where it is ``strict``: what is kept may have such.
    """
    data = pv.mapping(parse(text), 'profile', (*_TOP, *_CURVE))
    named = data.get('name', name or None)
    if not is_name(named):
        raise InvalidArgument(f'profile: name {shown(named)} {NAME_RULE}')
    name = name or str(named)
    where = f'profile {name!r}'
    description = data.get('description', '')
    if not isinstance(description, str):
        raise InvalidArgument(f'{where}: description is not a text')
    defaults = pv.mapping(
        data.get('defaults', {}), f'{where}: defaults', _TUNABLE
    )
    entries = data.get('workloads')
    if not isinstance(entries, list) or not entries:
        raise InvalidArgument(
            f'{where}: workloads is not a list with at least one entry'
        )
    curve, slo = _curve(data, where)
    workloads: List[Workload] = []
    for number, entry in enumerate(entries, 1):
        place = f'{where}: workload {number}'
        op = entry.get('op') if isinstance(entry, dict) else None
        known = (*ENTRY, *shapes.keys(op))
        values = {**defaults, **pv.mapping(entry, place, known)}
        own = list(_expand(values, place, curve))
        idle = shapes.unused(entry, own) if strict else ''
        if idle:
            raise InvalidArgument(
                f'{place}: {idle} {shown(entry[idle])} does nothing for '
                + ', '.join(dict.fromkeys(w.op.value for w in own))
                + '; leave it out, or give an operation that takes it'
            )
        workloads.extend(own)
    return made.profile(
        name,
        ' '.join(description.split()),
        check_rounds(data.get('rounds'), where),
        workloads,
        built_in,
        curve,
        slo,
    )


@functools.lru_cache(maxsize=1)
def _builtin() -> Dict[str, Profile]:
    found = (load(text, built_in=True) for text in _texts().values())
    return {profile.name: profile for profile in found}


@functools.lru_cache(maxsize=1)
def _texts() -> Dict[str, str]:
    """Return the files of built-in profiles by the profiles' names."""
    found = {}
    for file in sorted(os.listdir(_FOLDER)):
        name, kind = os.path.splitext(file)
        if kind == '.yaml':
            path = os.path.join(_FOLDER, file)
            with open(path, encoding='utf-8') as stream:
                found[name] = stream.read()
    return found


def _curve(data: Dict[str, Any], where: str) -> Tuple[str, str]:
    """Return ladder and limit of a profile of curves, each '' if absent."""
    curve, slo = (str(data.get(key, '')).strip() for key in _CURVE)
    try:
        if ladder.of_rates(curve):
            ladder.rates(curve)
        elif curve:
            ladder.points(curve)
        if slo:
            Slo.parse(slo)
    except InvalidArgument as error:
        raise InvalidArgument(f'{where}: {error.message}') from None
    if slo and not curve:
        raise InvalidArgument(f'{where}: slo {shown(slo)} needs a curve')
    return curve, slo


def _expand(
    values: Dict[str, Any], where: str, curve: str
) -> Iterator[Workload]:
    """Yield the cross product of one entry, sizes outermost."""
    rates: List[Optional[float]] = [None]
    offered = ladder.of_rates(curve)
    for key in ('rate', 'rbd_rate') if offered else ('concurrency',):
        if curve and key in values:
            raise InvalidArgument(
                f'{where}: {key} and the curve of the profile exclude each '
                'other'
            )
    if offered:
        rates = [*map(float, ladder.rates(curve))]
    elif curve:
        points = [str(point) for point in ladder.points(curve)]
        values = {**values, 'concurrency': points}
    weighted = [key for key in _WEIGHTED if key in values]
    for key in ('op', 'concurrency'):
        if key not in values:
            raise InvalidArgument(f'{where}: {key} is missing')
    if weighted and 'size' in values:
        raise InvalidArgument(
            f'{where}: size and {weighted[0]} exclude each other'
        )
    ops = pv.values(values['op'], f'{where}: op', pv.op)
    wish = shapes.wished(values, f'{where}: ')
    own = [op for op in ops if shapes.own_sizes(op, wish)]
    if own and (weighted or 'size' in values):
        raise InvalidArgument(
            f'{where}: the mix has sizes of its own; leave out '
            + (weighted[0] if weighted else 'size')
        )
    if 'size' not in values and not weighted and own != ops:
        raise InvalidArgument(f'{where}: size is missing')
    read, write = (
        (
            weights.from_yaml(values[key], f'{where}: {key}')
            if key in values
            else None
        )
        for key in _WEIGHTED
    )
    sizes = (
        pv.values(values.get('size', []), f'{where}: size', units.parse_size)
        if not weighted and not own
        else [0]
    )
    loads = pv.values(
        values['concurrency'],
        f'{where}: concurrency',
        pv.concurrency,
    )
    duration = pv.seconds(values, 'duration', DEFAULT_DURATION, where)
    warmup = pv.seconds(values, 'warmup', DEFAULT_WARMUP, where)
    clients = values.get('clients', 1)
    if not isinstance(clients, int) or isinstance(clients, bool):
        raise InvalidArgument(
            f'{where}: clients {shown(clients)} is not a whole number'
        )
    caches = pv.cache(values.get('cache'), where) or (None,)
    rate = pv.rate(values.get('rate'), ops, where)
    prefill = pv.prefill(values.get('prefill'), ops, where)
    for size, op, load_, cache, point in itertools.product(
        sizes, ops, loads, caches, rates
    ):
        if cache and cache is not caches[0] and not op.facts.cached:
            continue  # one for both regimes: it has none
        how = (
            weights.of_op(op, read, write, where)
            if weighted
            else weights.fixed(size)
        )
        yield made.workload(
            op,
            how,
            load_,
            duration,
            warmup,
            clients,
            cache,
            point if op.facts.open_loop and offered else rate,
            prefill=prefill,
            wish=shapes.at_rate(wish, point) if offered else wish,
        )
