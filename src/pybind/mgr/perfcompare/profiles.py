"""Profiles: named lists of workloads, read strictly from YAML.

A profile file is a mapping with `name`, `description`, `rounds` and a list
`workloads`. Each entry gives `op`, `size` and `concurrency`, each one value
or a list (the entry stands for their cross product), and may give
`duration`, `warmup`, `clients`, `cache` and (S3 only) `rate`; the mapping
`defaults` gives these for all entries. Anything else is an error.
"""

from typing import Any, Dict, Iterator, List, Optional, Sequence, Tuple

import dataclasses
import functools
import hashlib
import itertools
import json
import os
import re

from . import units
from .codec import to_data
from .errors import InvalidArgument, NotFound
from .models import (
    CacheRegime,
    Concurrency,
    Op,
    Profile,
    RunOptions,
    Workload,
)
from .profile_limits import MAX_RATE, check_rounds, check_workloads
from .strict_yaml import parse, shown

MAX_TEXT = 65536
DEFAULT_DURATION = 60.0
DEFAULT_WARMUP = 5.0

_FOLDER = os.path.join(os.path.dirname(__file__), 'profiles')
_NAME = re.compile(r'[a-z0-9][a-z0-9_-]{0,47}\Z')
_TOP = ('name', 'description', 'rounds', 'defaults', 'workloads')
_TUNABLE = ('duration', 'warmup', 'clients', 'cache', 'rate')
_ENTRY = ('op', 'size', 'concurrency') + _TUNABLE


def builtin() -> Dict[str, Profile]:
    """Return the built-in profiles by name."""
    return dict(_builtin())


def get(name: str) -> Profile:
    """Return the built-in profile ``name``; NotFound lists those there."""
    known = _builtin()
    if name not in known:
        raise NotFound(
            f'profile {name[:48]!r} does not exist; profiles: '
            + ', '.join(sorted(known))
        )
    return known[name]


def load(text: str, built_in: bool = False) -> Profile:
    """Return the profile that a YAML text describes.

    Raises InvalidArgument with the place of the first mistake.
    """
    if len(text) > MAX_TEXT:
        raise InvalidArgument(
            f'profile of {len(text):,} characters is too long; the limit '
            f'is {MAX_TEXT:,}'
        )
    data = _mapping(parse(text), 'profile', _TOP)
    name = data.get('name')
    if not isinstance(name, str) or not _NAME.match(name):
        raise InvalidArgument(
            f'profile: name {shown(name)} is not valid; give 1 to 48 of '
            "a-z, 0-9, '_' and '-'"
        )
    where = f'profile {name!r}'
    description = data.get('description', '')
    if not isinstance(description, str):
        raise InvalidArgument(f'{where}: description is not a text')
    defaults = _mapping(
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
        values = {**defaults, **_mapping(entry, place, _ENTRY)}
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
        if item['rate'] is None:  # came later than the first versions
            del item['rate']
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
    size: int,
    concurrency: Concurrency,
    cache: Optional[CacheRegime] = None,
    rate: Optional[float] = None,
) -> str:
    """Return the name of a workload, e.g. 'write-4K-c16'.

    Reads from the device say so: 'rand-4K-c16-device', and loads at a rate
    do: 's3-get-4K-c64-r500'.
    """
    name = f'{op.value}-{units.format_size(size)}-c{concurrency}'
    if rate is not None:
        name += f'-r{rate:g}'
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
    ops = _each('--workload', options.workloads, _op)
    sizes = _each('--size', options.sizes, units.parse_size)
    loads = _each(
        '--concurrency', options.concurrency, units.parse_concurrency
    )
    made: Dict[str, Workload] = {}
    for base in profile.workloads:
        for op, size, load_ in itertools.product(
            ops or [base.op],
            sizes or [base.size],
            loads or [base.concurrency],
        ):
            workload = _workload(
                op,
                size,
                load_,
                (
                    base.duration
                    if options.duration is None
                    else options.duration
                ),
                base.warmup,
                base.clients if options.clients is None else options.clients,
                base.cache,
                base.rate if op.s3 else None,
            )
            made.setdefault(workload.name, workload)
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


def show(profile: Profile) -> str:
    """Return the profile as text, one line per workload (≤ 100 columns)."""
    kind = 'built-in' if profile.builtin else 'own or with options'
    lines = [
        f'{profile.name}  version {profile.version}  {kind}',
        f'  {units.count(profile.rounds, "judged round")} after one '
        'conditioning round',
    ]
    if profile.description:
        lines.append('  ' + profile.description)
    lines.append(
        f'  {"WORKLOAD":24} {"TOOL":6} {"CLIENTS":>7} {"WARM-UP":>8} '
        f'{"MEASURED":>9}  CACHE'
    )
    for item in profile.workloads:
        lines.append(
            f'  {item.name:24} {item.tool:6} {item.clients:>7} '
            f'{units.format_duration(item.warmup):>8} '
            f'{units.format_duration(item.duration):>9}  '
            f'{item.cache.value if item.cache else "-"}'
        )
    return '\n'.join(lines)


@functools.lru_cache(maxsize=1)
def _builtin() -> Dict[str, Profile]:
    found: Dict[str, Profile] = {}
    for file in sorted(os.listdir(_FOLDER)):
        if file.endswith('.yaml'):
            path = os.path.join(_FOLDER, file)
            with open(path, encoding='utf-8') as stream:
                profile = load(stream.read(), built_in=True)
            found[profile.name] = profile
    return found


def _mapping(data: Any, where: str, known: Sequence[str]) -> Dict[str, Any]:
    if not isinstance(data, dict):
        raise InvalidArgument(f'{where}: {shown(data)} is not a mapping')
    unknown = [key for key in data if key not in known]
    if unknown:
        raise InvalidArgument(
            f'{where}: unknown key {shown(unknown[0])}; known are '
            + ', '.join(known)
        )
    return data


def _expand(values: Dict[str, Any], where: str) -> Iterator[Workload]:
    """Yield the cross product of one entry, sizes outermost."""
    for key in ('op', 'size', 'concurrency'):
        if key not in values:
            raise InvalidArgument(f'{where}: {key} is missing')
    ops = _list(values['op'], f'{where}: op', _op)
    sizes = _list(values['size'], f'{where}: size', units.parse_size)
    loads = _list(
        values['concurrency'],
        f'{where}: concurrency',
        units.parse_concurrency,
    )
    duration = _seconds(values, 'duration', DEFAULT_DURATION, where)
    warmup = _seconds(values, 'warmup', DEFAULT_WARMUP, where)
    clients = values.get('clients', 1)
    if not isinstance(clients, int) or isinstance(clients, bool):
        raise InvalidArgument(
            f'{where}: clients {shown(clients)} is not a whole number'
        )
    cache = _cache(values.get('cache'), where)
    rate = _rate(values.get('rate'), ops, where)
    for size, op, load_ in itertools.product(sizes, ops, loads):
        yield _workload(
            op, size, load_, duration, warmup, clients, cache, rate
        )


def _workload(
    op: Op,
    size: int,
    concurrency: Concurrency,
    duration: float,
    warmup: float,
    clients: int,
    cache: Optional[CacheRegime],
    rate: Optional[float] = None,
) -> Workload:
    regime = None
    if op.reads and not op.s3:
        regime = cache or CacheRegime.CACHED
    return Workload(
        name=workload_name(op, size, concurrency, regime, rate),
        op=op,
        size=size,
        concurrency=concurrency,
        duration=float(duration),
        warmup=float(warmup),
        clients=clients,
        cache=regime,
        tool='s3' if op.s3 else 'rados',
        rate=rate,
    )


def _list(value: Any, where: str, convert: Any) -> List[Any]:
    items = value if isinstance(value, list) else [value]
    if not items:
        raise InvalidArgument(f'{where}: the list is empty')
    found = []
    for item in items:
        if not isinstance(item, (str, int)) or isinstance(item, bool):
            raise InvalidArgument(f'{where}: {shown(item)} is not a text')
        try:
            found.append(convert(str(item)))
        except InvalidArgument as error:
            raise InvalidArgument(f'{where}: {error.message}')
    return found


def _each(
    option: str, texts: Optional[Tuple[str, ...]], convert: Any
) -> List[Any]:
    """Return the distinct values of a repeated (or comma-joined) option."""
    if not texts:
        return []
    words = [w for text in texts for w in text.split(',')]
    return list(dict.fromkeys(_list(words, option, convert)))


def _op(text: str) -> Op:
    try:
        return Op(text.strip())
    except ValueError:
        names = ', '.join(op.value for op in Op)
        raise InvalidArgument(f'{shown(text)} is not one of {names}')


def _cache(value: Any, where: str) -> Optional[CacheRegime]:
    if value is None:
        return None
    try:
        return CacheRegime(value)
    except ValueError:
        names = ', '.join(c.value for c in CacheRegime)
        raise InvalidArgument(
            f'{where}: cache {shown(value)} is not one of {names}'
        )


def _rate(value: Any, ops: Sequence[Op], where: str) -> Optional[float]:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidArgument(f'{where}: rate {shown(value)} is not a number')
    if not 0 < value <= MAX_RATE:
        raise InvalidArgument(
            f'{where}: rate {value:g} is out of range; give up to '
            f'{MAX_RATE:,} operations per second'
        )
    if not all(op.s3 and op is not Op.S3_DELETE for op in ops):
        raise InvalidArgument(
            f'{where}: rate is for S3 operations other than s3-delete only'
        )
    return float(value)


def _seconds(
    values: Dict[str, Any], key: str, default: float, where: str
) -> float:
    value = values.get(key, default)
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


def summary(profile: Profile) -> Dict[str, Any]:
    """Return one row of `profile ls`."""
    return {
        **{
            f.name: getattr(profile, f.name)
            for f in dataclasses.fields(profile)
            if f.name != 'workloads'
        },
        'workloads': [w.name for w in profile.workloads],
    }
