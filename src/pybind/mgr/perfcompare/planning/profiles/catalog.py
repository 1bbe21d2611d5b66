"""Profiles: named lists of workloads, read strictly from YAML.

A profile file is a mapping with `name` (but where one is given beside it),
`description`, `rounds` and a list `workloads`. Each entry gives `op`, `size`
and `concurrency`, each one value or a list (the entry stands for their cross
product), and may give `duration`, `warmup`, `clients`, `cache` and (S3 only)
`rate`; the mapping `defaults` gives these for all entries. S3 entries may
give `read_sizes` and `write_sizes` (size: weight) in place of `size`, and
`prefill` (objects, or bytes with a unit). Anything else is an error.
"""

from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import functools
import hashlib
import itertools
import json
import os
import re

from ...common import units
from ...common.codec import to_data
from ...common.errors import InvalidArgument, NotFound
from ...common.printable import shown
from ...common.strict_yaml import parse
from ...model import s3_clients as s3clients
from ...model.load import check as check_drivers
from ...model.load import spec_of
from ...model.plan import RunOptions
from ...model.workload import (
    CacheRegime,
    Concurrency,
    Op,
    Prefill,
    Profile,
    Workload,
)
from .. import sizes as weights
from ..sizes import Sizes, Weighted
from . import shapes
from . import values as pv
from .limits import check_rounds, check_workloads
from .shapes import Shapes, Wish

MAX_TEXT = 65536
DEFAULT_DURATION = 60.0
DEFAULT_WARMUP = 5.0

_FOLDER = os.path.dirname(__file__)
_NAME = re.compile(r'[a-z0-9][a-z0-9_-]{0,47}\Z')
NAME_RULE = "is not valid; give 1 to 48 of a-z, 0-9, '_' and '-'"
_TOP = ('name', 'description', 'rounds', 'defaults', 'workloads')
_TUNABLE = ('duration', 'warmup', 'clients', 'cache', 'rate')
_WEIGHTED = ('read_sizes', 'write_sizes')
_ENTRY = ('op', 'size', 'concurrency', 'prefill') + _WEIGHTED + _TUNABLE


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


def load(text: str, built_in: bool = False, name: str = '') -> Profile:
    """Return the profile that a YAML text describes.

    A ``name`` that is given stands for the one in the text. Raises
    InvalidArgument with the place of the first mistake.
    """
    if len(text) > MAX_TEXT:
        raise InvalidArgument(
            f'profile of {len(text):,} characters is too long; the limit '
            f'is {MAX_TEXT:,}'
        )
    data = pv.mapping(parse(text), 'profile', _TOP)
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
    workloads: List[Workload] = []
    for number, entry in enumerate(entries, 1):
        place = f'{where}: workload {number}'
        op = entry.get('op') if isinstance(entry, dict) else None
        known = (*_ENTRY, *shapes.keys(op))
        values = {**defaults, **pv.mapping(entry, place, known)}
        workloads.extend(_expand(values, place))
    return make(
        name,
        ' '.join(description.split()),
        check_rounds(data.get('rounds'), where),
        workloads,
        built_in,
    )


def make(
    name: str,
    description: str,
    rounds: int,
    workloads: Sequence[Workload],
    built_in: bool = False,
) -> Profile:
    """Return a checked profile with its version.

    The version is the same exactly when the same workloads run for the same
    number of rounds; name and description do not count. Raises
    InvalidArgument for limits passed and for duplicates.
    """
    where = f'profile {name!r}'
    check_rounds(rounds, where)
    check_workloads(workloads, where)
    data = to_data(list(workloads))
    for item in data:
        for key in ('rate', 'read_sizes', 'write_sizes', 'prefill'):
            if not item[key]:  # came later than the first versions
                del item[key]
        for kind in shapes.FIELDS:
            shape = {k: v for k, v in (item.pop(kind) or {}).items() if v}
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


def apply(profile: Profile, options: RunOptions) -> Profile:
    """Return the profile as a run will execute it, after its options.

    The rule: an option that is given replaces that dimension of the
    profile, and the others stay. ``--workload``, ``--size`` and
    ``--concurrency`` replace the values of every workload (a workload that
    results twice runs once, as its first source has it); ``--duration``,
    ``--rounds`` and ``--clients`` replace the number. Applying the same
    options twice changes nothing more. Raises InvalidArgument naming the
    option.
    """
    check_drivers(options.drivers)
    ops = pv.each('--workload', options.workloads, pv.op)
    sizes = pv.each('--size', options.sizes, units.parse_size)
    read, write = _distributions(options)
    loads = pv.each('--concurrency', options.concurrency, pv.concurrency)
    made: Dict[str, Workload] = {}
    wish = shapes.of_options(options)
    caches = pv.cache(options.cache, '--cache')
    prefill = pv.prefill(
        options.prefill,
        ops or [w.op for w in profile.workloads],
        '--prefill',
    )
    for base in profile.workloads:
        for op, size, load_, cache in itertools.product(
            ops or [base.op],
            sizes or [base.size],
            loads or [base.concurrency],
            caches or [base.cache],
        ):
            if read or write:
                option = '--read-sizes' if read else '--write-sizes'
                how = weights.of_op(op, read, write, option)
            elif sizes or op != base.op:
                how = weights.fixed(size)
            else:
                how = Sizes(size, base.read_sizes, base.write_sizes)
            workload = _workload(
                op,
                how,
                load_,
                (
                    base.duration
                    if options.duration is None
                    else options.duration
                ),
                base.warmup,
                base.clients if options.clients is None else options.clients,
                cache,
                (
                    (base.rate if op.facts.open_loop else None)
                    if options.rate is None
                    else pv.rate(options.rate, [op], '--rate')
                ),
                _tool(op, options),
                prefill or base.prefill,
                shapes.over(base if op == base.op else None, wish),
            )
            made.setdefault(workload.name, workload)
    if caches and not any(w.cache for w in made.values()):
        raise InvalidArgument(
            f'--cache {options.cache}: no workload of the run is '
            + ' or '.join(o for o in Op.known() if Op(o).facts.cached)
        )
    s3clients.check(made.values())
    shapes.check_used(options, list(made.values()))
    rounds = profile.rounds if options.rounds is None else options.rounds
    changed = make(
        profile.name,
        profile.description,
        rounds,
        list(made.values()),
    )
    if changed.version == profile.version:
        return profile
    return changed


def _tool(op: Op, options: RunOptions) -> str:
    """Return which tool makes the load of an operation."""
    kind = spec_of(op)
    if kind.name == 's3':
        return s3clients.tool(options.driver('s3_client'))
    return kind.tool(options.drivers)


def _distributions(
    options: RunOptions,
) -> Tuple[Optional[Weighted], Optional[Weighted]]:
    """Return the weighted sizes that the options give, if they do."""
    found = []
    for option, text in (
        ('--read-sizes', options.read_sizes),
        ('--write-sizes', options.write_sizes),
    ):
        if text is not None and options.sizes:
            raise InvalidArgument(f'{option} and --size exclude each other')
        found.append(
            None if text is None else weights.from_yaml(text, option)
        )
    return found[0], found[1]


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


def _expand(values: Dict[str, Any], where: str) -> Iterator[Workload]:
    """Yield the cross product of one entry, sizes outermost."""
    weighted = [key for key in _WEIGHTED if key in values]
    for key in ('op', 'size', 'concurrency'):
        if key not in values and not (key == 'size' and weighted):
            raise InvalidArgument(f'{where}: {key} is missing')
    if weighted and 'size' in values:
        raise InvalidArgument(
            f'{where}: size and {weighted[0]} exclude each other'
        )
    ops = pv.values(values['op'], f'{where}: op', pv.op)
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
        if not weighted
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
    wish = shapes.wished(values, f'{where}: ')
    for size, op, load_, cache in itertools.product(
        sizes, ops, loads, caches
    ):
        if cache and cache is not caches[0] and not op.facts.cached:
            continue  # one for both regimes: it has none
        how = (
            weights.of_op(op, read, write, where)
            if weighted
            else weights.fixed(size)
        )
        yield _workload(
            op,
            how,
            load_,
            duration,
            warmup,
            clients,
            cache,
            rate,
            prefill=prefill,
            wish=wish,
        )


def _workload(
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
    regime = None
    prefill = prefill if op.prefilled else None
    how = shapes.fit(op, sizes.size, weights.smallest(sizes), wish, rate)
    if op.facts.cached:
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
