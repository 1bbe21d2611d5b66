"""Print profiles as text for terminals."""

from typing import Iterator, Sequence, Tuple

import dataclasses

from ..app.former_profiles import FormerProfile, Since
from ..common.units import count, format_duration, format_size
from ..model.slo import Slo
from ..model.workload import Profile, S3Shape, Workload
from ..planning import ladder
from ..planning.profiles.repository import ProfileEntry
from ..planning.rbd import shape as rbdshape
from ..planning.s3 import mixes
from ..planning.s3 import shape as s3shape
from .table import fields, table

SINCE = {
    Since.SAME: 'unchanged',
    Since.CHANGED: 'changed: the name alone means other workloads or rounds',
    Since.GONE: 'removed',
}


def profiles(found: Sequence[ProfileEntry]) -> str:
    """List profiles, and say why one cannot be used."""
    return table(
        ['PROFILE', 'VERSION', 'ROUNDS', 'WORKLOADS', 'SET', 'DESCRIPTION'],
        [
            [
                p.name,
                p.version or '-',
                str(p.rounds) if p.workloads else '-',
                str(len(p.workloads)) if p.workloads else '-',
                'built in' if p.builtin else 'yes',
                f'not usable: {p.problem}' if p.problem else p.description,
            ]
            for p in found
        ],
        (2, 3),
    )


def profile_set(found: Profile) -> str:
    """Say what a profile was set to."""
    return (
        f'profile {found.name!r} set: '
        f'{count(len(found.workloads), "workload")}, '
        f'{count(found.rounds, "round")}, version {found.version}'
    )


def profile(found: Profile) -> str:
    """Show one profile with all that its workloads say."""
    head = fields(
        [
            ('profile', found.name),
            *_former(found),
            ('version', found.version),
            ('description', found.description),
            ('rounds', f'{found.rounds} and a conditioning round'),
            *_curve(found),
        ]
    )
    body = table(
        ['WORKLOAD', 'TOOL', 'OP', 'SIZE', 'CONCURRENCY', 'CLIENTS',
         'WARM-UP', 'DURATION', 'CACHE', 'RATE'],
        [
            [
                w.name,
                w.tool,
                w.op.value,
                format_size(w.size),
                str(w.concurrency),
                str(w.clients),
                format_duration(w.warmup),
                format_duration(w.duration),
                w.cache.value if w.cache else '-',
                f'{w.rate:g}/s' if w.rate else '-',
            ]
            for w in found.workloads
        ],
        (3, 4, 5, 6, 7, 9),
    )  # fmt: skip
    more = [
        f'{w.name}: {name}: {value}'
        for w in found.workloads
        for name, value in _details(w)
    ]
    return '\n\n'.join([head, body, *(['\n'.join(more)] if more else [])])


def _former(found: Profile) -> Iterator[Tuple[str, str]]:
    """Yield of which run a profile is, and what became of it since."""
    if isinstance(found, FormerProfile):
        yield 'as in', f'run {found.run}, with what its options replaced'
        yield 'since', SINCE[found.since]


def _curve(found: Profile) -> Iterator[Tuple[str, str]]:
    """Yield what curves a profile has."""
    if found.curve:
        by = str(Slo.parse(found.slo)) if found.slo else 'its peak'
        kind = 'offered' if ladder.of_rates(found.curve) else 'in flight'
        yield 'curve', f'{found.curve} {kind}, judged by {by}'


def _details(workload: Workload) -> Iterator[Tuple[str, str]]:
    """Yield what a workload says besides, by the keys of a profile."""
    for name in ('read_sizes', 'write_sizes'):
        sizes = getattr(workload, name)
        if sizes:
            yield name, ', '.join(
                f'{format_size(one.size)} x {one.weight:g}' for one in sizes
            )
    if workload.prefill is not None:
        objects = workload.prefill.objects
        yield 'prefill', (
            count(objects, 'object')
            if objects
            else format_size(workload.prefill.bytes)
        )
    shape = workload.s3 or S3Shape()
    if s3shape.shaped(workload.op) and workload.op.facts.both:
        mix = shape.mix or mixes.MIXED
        yield 'mix', ', '.join(
            f'{o.op} {o.weight:g}%'
            + (f' of {format_size(o.size)}' if o.size else '')
            for o in mix
        )
    for field in dataclasses.fields(shape):
        value = getattr(shape, field.name)
        if value and field.name != 'mix':
            sized = field.name in ('range_size', 'part_size')
            yield field.name, format_size(value) if sized else str(value)
    images = rbdshape.describe(workload)
    if images:
        yield 'images', images
    if rbdshape.of(workload).image_size:
        size = rbdshape.of(workload).image_size
        yield 'image_size', format_size(size)
