"""How S3 operations are done: ranges, pages, parts, checksums, keys.

An option or key that is not given is 0 in the shape, and means the default
here; a shape of defaults only is none, so that names and versions of
profiles stay what they were.
"""

from typing import (
    Any,
    Callable,
    Dict,
    List,
    Mapping,
    Optional,
    Tuple,
)

import dataclasses

from ...model.load import spec_of
from ...model.plan import RunOptions
from ...model.workload import Op, S3Shape, Workload
from ...worker.wire.s3_spec import (
    BATCH_MAX,
    BUCKETS_MAX,
    DELETES,
    LIST,
    LIST_MAX,
    MULTIDELETE,
    MULTIPART,
    NEEDS,
    OPS,
    PART_LEAST,
    PREFIXES_MAX,
    PUT,
    RAMP_MAX,
    RANGE,
    STREAMS_MAX,
    SUMMED,
    TAGS_MAX,
    WRITES,
    Details,
)
from .. import keys, sizes
from . import distributions, mixes

RANGE_SIZE = 64 << 10  # of larger objects; else all of the object
DEFAULTS = Details()
ANY = -1  # whatever is done with objects
RATED = -2  # what begins at a rate
SPREAD = ('buckets', 'prefixes')  # over what; by default one of each
EACH = ('encryption', 'versioning', *SPREAD)  # for every operation
# key -> the operation that it is for, its least and its largest value
FIELDS: Dict[str, Tuple[int, int, int]] = {
    'range_size': (RANGE, 1, 256 << 20),
    'list_keys': (LIST, 1, LIST_MAX),
    'delete_batch': (MULTIDELETE, 1, BATCH_MAX),
    'part_size': (MULTIPART, PART_LEAST, 5 << 30),
    'part_streams': (MULTIPART, 1, STREAMS_MAX),
    'buckets': (ANY, 1, BUCKETS_MAX),
    'prefixes': (ANY, 1, PREFIXES_MAX),
    'tags': (PUT, 0, TAGS_MAX),  # and whatever has contents
    'ramp_steps': (RATED, 1, RAMP_MAX),
}
BYTES = ('range_size', 'part_size')
WORDS: Dict[str, Callable[[Any, str], str]] = {
    'keys': distributions.keys,
    'arrivals': distributions.arrivals,
    'checksum': distributions.checksum,
    'encryption': distributions.encryption,
    'think_time': distributions.think_time,
    'versioning': distributions.versioning,
}
KEYS = ('mix', *FIELDS, *WORDS)


def wished(values: Mapping[str, Any], where: str, dash: str = '') -> S3Shape:
    """Return what keys of a profile's entry, or options, ask for.

    ``dash`` is what stands before the name of an option. Raises
    InvalidArgument for what can be no value.
    """
    found: Dict[str, Any] = {}
    for key, (_, least, most) in FIELDS.items():
        value = values.get(key)
        if value is None:
            continue
        found[key] = keys.number(
            value,
            where + keys.named(key, dash),
            least,
            most,
            key in BYTES,
        )
    for key, read in WORDS.items():
        if values.get(key) is not None:
            found[key] = read(values[key], where + keys.named(key, dash))
    if values.get('mix') is not None:
        found['mix'] = mixes.parse(values['mix'], f'{where}{dash}mix')
    return S3Shape(**found)


def of_options(options: RunOptions) -> S3Shape:
    """Return what the options of a run ask for."""
    return wished({key: options.driver(key) for key in KEYS}, '', '--')


def over(base: Optional[S3Shape], new: S3Shape) -> S3Shape:
    """Return a shape in which ``new`` values replace those of ``base``."""
    given = {key: getattr(new, key) for key in KEYS if getattr(new, key)}
    return dataclasses.replace(base or S3Shape(), **given)


def fit(
    op: Op, smallest: int, wish: S3Shape, rate: Optional[float] = None
) -> Optional[S3Shape]:
    """Return what of a wish is for this operation; None: all defaults.

    ``smallest`` are the bytes of the smallest objects.
    """
    mix = mixes.alike(wish.mix) if op.facts.both else ()
    if set(mix) == set(mixes.MIXED):
        mix = ()
    done = _done(op, mix)
    found: Dict[str, Any] = {}
    for key, (of, _, _) in FIELDS.items():
        if of == PUT and not set(SUMMED) & set(done):
            continue
        if of == RATED and not rate:
            continue
        if of in done or (of in (ANY, PUT, RATED) and done):
            value = getattr(wish, key)
            if value != getattr(DEFAULTS, key, 1):
                found[key] = value
    if RANGE in done:
        own = mixes.by_op(mix)
        found['range_size'] = wish.range_size or min(
            RANGE_SIZE, own[RANGE] if own else smallest
        )
    if set(NEEDS) & set(done):
        found['keys'] = wish.keys.replace(distributions.UNIFORM, '')
    if rate and shaped(op):
        found['arrivals'] = wish.arrivals.replace(distributions.CONSTANT, '')
    if pauses(op, rate):
        found['think_time'] = wish.think_time.replace(distributions.NONE, '')
    if set(SUMMED) & set(done):
        found['checksum'] = wish.checksum.replace(distributions.NONE, '')
    if done:
        for key in ('encryption', 'versioning'):
            found[key] = getattr(wish, key).replace(distributions.NONE, '')
    shape = S3Shape(mix=mix, **found)
    return None if shape == S3Shape() else shape


def own_sizes(op: Op, wish: S3Shape) -> Optional[sizes.Sizes]:
    """Return the sizes that a mix asks for; None: those of the workload."""
    if not (shaped(op) and op.facts.both):
        return None
    return mixes.sizes(wish.mix)


def shaped(op: Op) -> bool:
    """Say whether an operation is one of S3, and so has a shape."""
    return spec_of(op).name == 's3'


def pauses(op: Op, rate: Optional[float]) -> bool:
    """Say whether those who do an operation can pause before the next."""
    return shaped(op) and not rate and not op.takes


def _done(op: Op, mix: mixes.Mix) -> List[int]:
    """Return the operations that a workload does, as numbers of OPS."""
    if not shaped(op):
        return []
    if op.facts.both:
        return [OPS.index(item.op) for item in mix or mixes.MIXED]
    return [OPS.index(op.value[len('s3-') :])]


def details(workload: Workload) -> Details:
    """Return what generators are told of how operations are done."""
    shape = workload.s3 or S3Shape()
    zipf, hot, uses = distributions.parts(shape.keys)
    think, exponential = distributions.think(shape.think_time)
    return dataclasses.replace(
        DEFAULTS,
        zipf=zipf,
        hot_objects=hot,
        hot_uses=uses,
        poisson=shape.arrivals == distributions.POISSON,
        think=think,
        exponential=exponential,
        sizes=mixes.by_op(shape.mix),
        checksum=shape.checksum,
        **{
            key: getattr(shape, key)
            for key in FIELDS
            if key not in SPREAD and getattr(shape, key)
        },
    )


def gentle(workload: Workload) -> Details:
    """Return what of that is true of a gentle start, too."""
    whole = details(workload)
    return Details(checksum=whole.checksum, tags=whole.tags)


def spread(workload: Workload) -> Tuple[int, int]:
    """Return over how many buckets, and prefixes in each, objects are."""
    found = workload.s3 or S3Shape()
    return found.buckets or 1, found.prefixes or 1


def prefix(workload: Workload) -> str:
    """Return what the names of objects that are read begin with."""
    prefixes = spread(workload)[1]
    more = f'-p{prefixes}' if prefixes > 1 else ''
    if workload.cache:
        more += f'-{workload.cache.value}'
    by = encryption(workload)
    return f'{sizes.population(workload)}{more}{"-" if by else ""}{by}-'


def encryption(workload: Workload) -> str:
    """Return how gateways encrypt its objects, '' where they do not."""
    return workload.s3.encryption if workload.s3 else ''


def versioned(workload: Workload) -> bool:
    """Say whether its buckets keep what is overwritten or deleted."""
    return bool(workload.s3 and workload.s3.versioning)


def place(workload: Workload) -> Tuple[int, bool, str]:
    """Return what workloads that read the same objects have in common."""
    return spread(workload)[0], versioned(workload), prefix(workload)


def needs_objects(workload: Workload) -> bool:
    """Say whether a load works on objects that are there before."""
    mix = mixes.of_workload(workload)
    return any(mix[op] for op in (*NEEDS, *DELETES, LIST))


def writing(workload: Workload) -> float:
    """Return the share of operations that add an object, or rewrite one."""
    mix = mixes.of_workload(workload)
    return sum(mix[op] for op in WRITES) / sum(mix)


def taken(workload: Workload) -> int:
    """Return how many objects one delete of a workload takes."""
    many = mixes.of_workload(workload)[MULTIDELETE]
    return details(workload).delete_batch if many else 1
