"""How images are loaded: how many, how large, what share of reads.

An option or key that is not given is 0 in the shape, and means the default
here; a shape of defaults only is none.
"""

from typing import Any, Dict, List, Mapping, Optional

import dataclasses

from ...common import units
from ...common.errors import InvalidArgument
from ...common.printable import shown
from ...model.load import spec_of
from ...model.workload import Op, RbdShape, Workload
from ...worker.wire import rbd_jobs as wire
from ...worker.wire.strict import Malformed
from .. import keys

NAME = 'rbd'  # of the driver, whose operations these are
UNIFORM, NONE = 'uniform', 'none'
IMAGES_MAX = 64  # a process each, on one host
READ_SHARE = 70  # percent, of a mix
OBJECT_SIZE = 4 << 20
RATE_MAX = 1_000_000
IMAGE_MAX = 16 << 40

# key -> least and largest value, and whether these are bytes
NUMBERS: Dict[str, Any] = {
    'images': (1, IMAGES_MAX, False),
    'image_size': (wire.OBJECT_MAX, IMAGE_MAX, True),
    'read_share': (1, 99, False),
    'rbd_object_size': (64 << 10, wire.OBJECT_MAX, True),
    'rbd_read_size': (wire.BLOCK_LEAST, wire.BLOCK_MAX, True),
    'rbd_write_size': (wire.BLOCK_LEAST, wire.BLOCK_MAX, True),
    'random_share': (1, 100, False),
    'rbd_compress': (0, 99, False),
}
KEYS = (*NUMBERS, 'rbd_distribution', 'rbd_rate', 'rbd_encryption')


def field(key: str) -> str:
    """Return the field of a shape that an option or key fills."""
    return key[len('rbd_') :] if key.startswith('rbd_') else key


def shaped(op: Op) -> bool:
    """Say whether an operation is one on images."""
    return spec_of(op).name == NAME


def wished(values: Mapping[str, Any], where: str, dash: str = '') -> RbdShape:
    """Return what keys of a profile's entry, or options, ask for.

    ``dash`` is what stands before the name of an option. Raises
    InvalidArgument for what can be no value.
    """
    found: Dict[str, Any] = {}
    for key in KEYS:
        value = values.get(key)
        if value is None:
            continue
        place = where + keys.named(key, dash)
        if key in NUMBERS:
            found[field(key)] = _number(value, place, *NUMBERS[key])
        elif key == 'rbd_rate':
            found['rate'] = _rate(value, place)
        elif key == 'rbd_distribution':
            found['distribution'] = _distribution(value, place)
        else:
            found['encryption'] = _encryption(value, place)
    size = found.get('object_size', 0)
    if size & (size - 1):
        raise InvalidArgument(
            f'{where}{keys.named("rbd_object_size", dash)}: '
            f'{units.format_size(size)} is not a power of two; give e.g. '
            '4M'
        )
    return RbdShape(**found)


def _number(value: Any, place: str, least: int, most: int, size: bool) -> int:
    number = keys.number(value, place, least, most, size)
    if size and number % wire.BLOCK_LEAST:
        raise InvalidArgument(
            f'{place}: {shown(value)} is not a multiple of {wire.BLOCK_LEAST} '
            'bytes; give e.g. 4K'
        )
    return number


def _rate(value: Any, place: str) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise InvalidArgument(f'{place}: {shown(value)} is not a number')
    if not 1 <= value <= RATE_MAX:
        raise InvalidArgument(
            f'{place}: {value:g} is out of range; give 1 to {RATE_MAX:,} '
            'operations per second'
        )
    return float(value)


def _distribution(value: Any, place: str) -> str:
    text = str(value).strip()
    try:
        wire.check_distribution(text)
    except Malformed as error:
        raise InvalidArgument(f'{place}: {error}') from None
    return text


def _encryption(value: Any, place: str) -> str:
    text = str(value).strip()
    if text not in (NONE, *wire.ENCRYPTIONS):
        raise InvalidArgument(
            f'{place}: {shown(value)} is not an encryption; give '
            + ', '.join((NONE, *wire.ENCRYPTIONS))
        )
    return text


def over(base: Optional[RbdShape], new: RbdShape) -> RbdShape:
    """Return a shape in which ``new`` values replace those of ``base``."""
    given = {k: v for k, v in dataclasses.asdict(new).items() if v}
    return dataclasses.replace(base or RbdShape(), **given)


def fit(op: Op, size: int, wish: RbdShape) -> Optional[RbdShape]:
    """Return what of a wish is for this operation; None: all defaults."""
    if not shaped(op):
        return None
    mixed, random = op.facts.both, is_random(op)
    sizes = {
        key: getattr(wish, key) if getattr(wish, key) != size else 0
        for key in ('read_size', 'write_size')
    }
    shape = RbdShape(
        image_size=wish.image_size,
        object_size=_unless(wish.object_size, OBJECT_SIZE),
        read_share=_unless(wish.read_share, READ_SHARE) if mixed else 0,
        random_share=_unless(wish.random_share, 100) if random else 0,
        distribution=wish.distribution.replace(UNIFORM, '') * random,
        compress=wish.compress,
        rate=wish.rate,
        encryption=wish.encryption.replace(NONE, ''),
        **(sizes if mixed else {}),
    )
    return None if shape == RbdShape() else shape


def _unless(value: int, default: int) -> int:
    return 0 if value == default else value


def is_random(op: Op) -> bool:
    """Say whether an operation draws its places."""
    return op.facts.random


def of(workload: Workload) -> RbdShape:
    """Return the shape of a workload on images."""
    return workload.rbd or RbdShape()


def read_size(workload: Workload) -> int:
    """Return the bytes of a read, 0 where it has none."""
    if workload.op.facts.both:
        return of(workload).read_size or workload.size
    return workload.size if workload.reads else 0


def write_size(workload: Workload) -> int:
    """Return the bytes of a write, 0 where it has none."""
    if workload.op.facts.both:
        return of(workload).write_size or workload.size
    return 0 if workload.reads else workload.size


def largest(workload: Workload) -> int:
    """Return the bytes of its largest operations."""
    return max(read_size(workload), write_size(workload))


def object_size(workload: Workload) -> int:
    """Return the bytes of the objects that images consist of."""
    return of(workload).object_size or OBJECT_SIZE


def unit(workload: Workload) -> int:
    """Return the bytes that an image is a multiple of."""
    return max(object_size(workload), wire.UNIT)


def check(workload: Workload, where: str) -> None:
    """Raise InvalidArgument where a workload cannot be done so."""
    shape = of(workload)
    if workload.size % wire.BLOCK_LEAST:
        raise InvalidArgument(
            f'{where}: blocks of {units.format_size(workload.size)} are no '
            f'multiple of {wire.BLOCK_LEAST} bytes; give e.g. 4K'
        )
    if shape.rate and shape.rate < workload.clients:
        raise InvalidArgument(
            f'{where}: a rate of {shape.rate:g} is below one operation per '
            f'second for each of {workload.clients} images; give fewer '
            'images or a higher rate'
        )
    if workload.tool != NAME:
        _check_bench(workload, where)
    if shape.image_size % unit(workload):
        raise InvalidArgument(
            f'{where}: images of {units.format_size(shape.image_size)} do '
            'not consist of whole objects of '
            f'{units.format_size(object_size(workload))}; give a multiple of '
            f'{units.format_size(unit(workload))}'
        )
    if shape.distribution and read_size(workload) != write_size(workload):
        if workload.op.facts.both:
            raise InvalidArgument(
                f'{where}: {shape.distribution} needs reads and writes of '
                'one size; give both the same, or no --rbd-distribution'
            )


def _check_bench(workload: Workload, where: str) -> None:
    """Raise InvalidArgument for what `rbd bench` cannot do."""
    shape = of(workload)
    why = ''
    if workload.op.facts.both:
        why = 'it either reads or writes'
    elif shape.random_share or shape.distribution:
        why = 'it uses all places alike'
    elif shape.compress:
        why = 'its data is one byte repeated'
    elif shape.rate:
        why = 'it is as fast as it can be'
    elif shape.encryption:
        why = 'it has no encryption'
    if why:
        raise InvalidArgument(
            f'{where}: --rbd-client bench cannot run this: {why}; leave it '
            'out'
        )


def suffix(workload_shape: Optional[RbdShape]) -> str:
    """Return what a workload's name says of its shape, e.g. '-rd50'."""
    shape = workload_shape or RbdShape()
    found = ''
    if shape.read_share:
        found += f'-rd{shape.read_share}'
    if shape.read_size:
        found += f'-r{units.format_size(shape.read_size)}'
    if shape.write_size:
        found += f'-w{units.format_size(shape.write_size)}'
    if shape.random_share:
        found += f'-rnd{shape.random_share}'
    if shape.distribution:
        found += '-' + shape.distribution.replace(':', '')
    if shape.compress:
        found += f'-comp{shape.compress}'
    if shape.rate:
        found += f'-rate{shape.rate:g}'
    if shape.object_size:
        found += f'-o{units.format_size(shape.object_size)}'
    if shape.image_size:
        found += f'-i{units.format_size(shape.image_size)}'
    if shape.encryption:
        found += f'-{shape.encryption}'
    return found


def describe(workload: Workload) -> str:
    """Return how images are loaded, for people; '' for other loads."""
    if not shaped(workload.op):
        return ''
    shape, found = of(workload), []
    found.append(
        f'{units.count(workload.clients, "image")} of objects of '
        f'{units.format_size(object_size(workload))}, a process each'
    )
    if workload.op.facts.both:
        share = shape.read_share or READ_SHARE
        found.append(
            f'{share} % reads of {units.format_size(read_size(workload))}, '
            f'{100 - share} % writes of '
            f'{units.format_size(write_size(workload))}'
        )
    found += _further(shape)
    return ', '.join(found)


def _further(shape: RbdShape) -> List[str]:
    found = []
    if shape.random_share:
        found.append(f'{shape.random_share} % at random places')
    if shape.distribution:
        found.append(f'places used by {shape.distribution}')
    if shape.compress:
        found.append(f'data that compresses by {shape.compress} %')
    if shape.rate:
        found.append(
            f'at most {shape.rate:g} operations/s, closed above what is in '
            'flight'
        )
    if shape.encryption:
        found.append(f'encrypted by the client ({shape.encryption})')
    return found


def check_recovery(size: int, block: int) -> None:
    """Raise InvalidArgument for images beside a recovery that cannot be.

    ``size`` are the bytes of an object, ``block`` those of an operation.
    """
    if size & (size - 1) or not wire.OBJECT_LEAST <= size <= wire.OBJECT_MAX:
        raise InvalidArgument(
            f'--size {units.format_size(size)}: objects of images have a '
            f'power of two of bytes, {units.format_size(wire.OBJECT_LEAST)} '
            f'to {units.format_size(wire.OBJECT_MAX)}; give e.g. 64K'
        )
    if block % wire.BLOCK_LEAST or not block or block > wire.BLOCK_MAX:
        raise InvalidArgument(
            f'--block-size {units.format_size(block)} is not a multiple of '
            f'{wire.BLOCK_LEAST} bytes up to '
            f'{units.format_size(wire.BLOCK_MAX)}; give e.g. 4K'
        )
