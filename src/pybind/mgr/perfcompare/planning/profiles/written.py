"""A profile as the YAML that catalog.py reads.

Workloads that differ in nothing but their concurrency, or their point of a
curve, make one entry.
"""

from typing import Any, Dict, Iterator, List, Tuple

import dataclasses
import json
import re

from ...common import units
from ...common.errors import InvalidArgument
from ...common.printable import printable
from ...model.workload import Profile, WeightedSize, Workload
from .. import ladder
from .. import sizes as weights
from ..rbd import shape as rbd
from ..s3 import shape as s3
from . import catalog

_PLAIN = re.compile(r'[a-z][a-z0-9-]*\Z')
_COMMON = ('duration', 'warmup', 'clients')


def text_of(profile: Profile, comment: str) -> str:
    """Return the YAML of a profile, below a comment of one line.

    Raises InvalidArgument for what a text cannot say.
    """
    entries = list(_entries(profile))
    common = {
        key: value
        for key, value in entries[0].items()
        if key in _COMMON and all(e.get(key) == value for e in entries)
    }
    lines = [
        f'# {printable(comment)}',
        f'name: {_scalar(profile.name)}',
        f'description: {_scalar(printable(profile.description))}',
        f'rounds: {profile.rounds}',
    ]
    for key in ('curve', 'slo'):
        if getattr(profile, key):
            lines.append(f'{key}: {_scalar(getattr(profile, key))}')
    if common:
        lines += ['defaults:', *(f'  {k}: {v}' for k, v in common.items())]
    lines.append('workloads:')
    for entry in entries:
        own = [f'{k}: {v}' for k, v in entry.items() if k not in common]
        lines += [f'{" -"[not n]} {line}' for n, line in enumerate(own)]
    text = '\n'.join(lines)
    _check(profile, text)
    return text


def _check(profile: Profile, text: str) -> None:
    """Raise InvalidArgument unless the text means the same profile."""
    problem = 'its workloads would be others'
    try:
        again = catalog.load(text)
        if _bare(again) == _bare(profile):
            return
    except InvalidArgument as error:
        problem = error.message
    raise InvalidArgument(
        f'profile {profile.name!r} cannot be written as YAML: {problem}; '
        'what `profile show` says of it is all there is'
    )


def _bare(profile: Profile) -> Tuple[Any, ...]:
    """Return what a text says; the tool is an option of a run."""
    return (
        profile.rounds,
        profile.curve,
        profile.slo,
        [dataclasses.replace(w, tool='') for w in profile.workloads],
    )


def _entries(profile: Profile) -> Iterator[Dict[str, str]]:
    """Yield entries as lines of YAML by key, in the order of workloads."""
    last: Dict[str, str] = {}
    loads: List[str] = []
    for workload in profile.workloads:
        entry = _entry(workload)
        if ladder.of_rates(profile.curve):
            for key in ('rate', 'rbd_rate'):
                entry.pop(key, None)
        if loads and entry != last:
            yield _with(last, loads, profile)
            loads = []
        last = entry
        flying = _scalar(str(workload.concurrency))
        if flying not in loads:
            loads.append(flying)
    yield _with(last, loads, profile)


def _with(
    entry: Dict[str, str], loads: List[str], profile: Profile
) -> Dict[str, str]:
    """Return an entry with its concurrency, which curves have as a whole."""
    if profile.curve and not ladder.of_rates(profile.curve):
        return entry
    text = loads[0] if len(loads) == 1 else f'[{", ".join(loads)}]'
    return {**entry, 'concurrency': text}


def _entry(workload: Workload) -> Dict[str, str]:
    """Return all of a workload but its concurrency."""
    found: Dict[str, Any] = {'op': workload.op.value}
    if not (workload.s3 and s3.own_sizes(workload.op, workload.s3)):
        found.update(_sizes(workload))
    if workload.cache:
        found['cache'] = workload.cache.value
    if workload.rate:
        found['rate'] = workload.rate
    if workload.prefill:
        objects = workload.prefill.objects
        found['prefill'] = objects or weights.prefill_name(workload.prefill)
    found.update(_s3(workload))
    found.update(_rbd(workload))
    for key in _COMMON:
        found[key] = getattr(workload, key)
    return {key: _scalar(value) for key, value in found.items()}


def _sizes(workload: Workload) -> Iterator[Tuple[str, str]]:
    if not workload.read_sizes and not workload.write_sizes:
        yield 'size', units.format_size(workload.size)
    if workload.read_sizes:
        yield 'read_sizes', _weighted(workload.read_sizes)
    if workload.write_sizes:
        yield 'write_sizes', _weighted(workload.write_sizes)


def _weighted(sizes: Tuple[WeightedSize, ...]) -> str:
    return ','.join(
        f'{units.format_size(one.size)}:{one.weight!r}' for one in sizes
    )


def _s3(workload: Workload) -> Iterator[Tuple[str, Any]]:
    for key in s3.KEYS if workload.s3 else ():
        value = getattr(workload.s3, key)
        if key == 'mix' and value:
            yield key, ','.join(
                f'{one.op}={one.weight!r}'
                + (f':{units.format_size(one.size)}' if one.size else '')
                for one in value
            )
        elif value:
            yield key, units.format_size(value) if key in s3.BYTES else value


def _rbd(workload: Workload) -> Iterator[Tuple[str, Any]]:
    for key in rbd.KEYS if workload.rbd else ():
        value = getattr(workload.rbd, rbd.field(key))
        if value:
            sized = key in rbd.NUMBERS and rbd.NUMBERS[key][2]
            yield key, units.format_size(value) if sized else value


def _scalar(value: Any) -> str:
    """Return a value of YAML in one line."""
    if isinstance(value, float) and value == int(value):
        value = int(value)
    if not isinstance(value, str):
        return repr(value)
    if _PLAIN.match(value) and value not in ('no', 'off', 'on', 'yes'):
        return value
    if re.fullmatch(r'[0-9]+[KMGT]', value):
        return value
    return json.dumps(value, ensure_ascii=False)
