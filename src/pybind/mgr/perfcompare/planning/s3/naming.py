"""What names and plans say of how S3 operations are done."""

from typing import Optional

from ...common import units
from ...model.workload import S3Shape, Workload

_LETTERS = {
    'get': 'g', 'put': 'p', 'stat': 's', 'delete': 'd', 'overwrite': 'o',
    'range': 'r', 'list': 'l', 'multidelete': 'm', 'multipart': 'u',
    'copy': 'c',
}  # fmt: skip


def suffix(shape: Optional[S3Shape]) -> str:
    """Return what a workload's name says of its shape, e.g. '-g70p30'."""
    if shape is None:
        return ''
    found = ''
    if shape.mix:
        found += '-' + ''.join(
            f'{_LETTERS[item.op]}{item.weight:.4g}'
            + (f':{units.format_size(item.size)}' if item.size else '')
            for item in shape.mix
        )
    if shape.range_size:
        found += f'-range{units.format_size(shape.range_size)}'
    if shape.list_keys:
        found += f'-k{shape.list_keys}'
    if shape.delete_batch:
        found += f'-x{shape.delete_batch}'
    if shape.part_size:
        found += f'-part{units.format_size(shape.part_size)}'
    if shape.part_streams:
        found += f'-j{shape.part_streams}'
    if shape.keys:
        found += '-' + shape.keys.replace(':', '', 1)
    if shape.arrivals:
        found += f'-{shape.arrivals}'
    if shape.buckets:
        found += f'-b{shape.buckets}'
    if shape.prefixes:
        found += f'-p{shape.prefixes}'
    if shape.checksum:
        found += f'-{shape.checksum}'
    if shape.encryption:
        found += f'-{shape.encryption}'
    if shape.tags:
        found += f'-tags{shape.tags}'
    if shape.think_time:
        found += '-think' + shape.think_time.replace(':', '')
    if shape.versioning:
        found += '-versioned'
    if shape.ramp_steps:
        found += f'-ramp{shape.ramp_steps}'
    return found


def describe(workload: Workload) -> str:
    """Return a shape for people, '' where all is as by default."""
    shape = workload.s3
    if shape is None:
        return ''
    found = []
    if shape.mix:
        found.append(
            'mix of '
            + ', '.join(
                f'{i.op} {i.weight:.4g} %'
                + (f' of {units.format_size(i.size)}' if i.size else '')
                for i in shape.mix
            )
        )
    if shape.range_size:
        found.append(f'ranges of {units.format_size(shape.range_size)}')
    if shape.list_keys:
        found.append(f'pages of {units.count(shape.list_keys, "name")}')
    if shape.delete_batch:
        found.append(
            f'multi-deletes of {units.count(shape.delete_batch, "object")}'
        )
    if shape.part_size:
        found.append(f'parts of {units.format_size(shape.part_size)}')
    if shape.part_streams:
        found.append(
            f'{units.count(shape.part_streams, "part")} of an upload at a '
            'time'
        )
    if shape.keys:
        found.append(f'objects used by {shape.keys}')
    if shape.arrivals:
        found.append(f'arrivals by {shape.arrivals}')
    if shape.buckets:
        found.append(f'objects in {shape.buckets} buckets')
    if shape.prefixes:
        found.append(f'names with {shape.prefixes} prefixes')
    if shape.checksum:
        found.append(f'{shape.checksum.upper()} behind contents')
    if shape.encryption:
        found.append(f'encrypted by the gateways ({shape.encryption})')
    if shape.tags:
        found.append(f'written with {units.count(shape.tags, "tag")}')
    if shape.ramp_steps and workload.rate:
        found.append(
            f'a rate that grows in {shape.ramp_steps} steps, from '
            f'{workload.rate / shape.ramp_steps:g} to {workload.rate:g} op/s'
        )
    if shape.versioning:
        found.append('buckets keep versions')
    if shape.think_time:
        kind, _, time = shape.think_time.rpartition(':')
        found.append(
            f'pauses of {time} between operations'
            + (' on average' if kind else '')
        )
    return ', '.join(found)
