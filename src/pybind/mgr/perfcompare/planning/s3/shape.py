"""How S3 operations are done: shares of a mix, ranges, pages, parts.

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
    Sequence,
    Tuple,
)

import dataclasses

from ...common import units
from ...common.errors import InvalidArgument
from ...common.printable import shown
from ...model.load import spec_of
from ...model.plan import RunOptions
from ...model.workload import Op, S3Shape, WeightedOp, Workload
from ...worker.wire.s3_spec import (
    BATCH_MAX,
    BUCKETS_MAX,
    CONNECTIONS_MAX,
    DELETE,
    DELETES,
    LIST,
    LIST_MAX,
    MULTIDELETE,
    MULTIPART,
    NEEDS,
    NEW,
    OPS,
    PART_LEAST,
    PARTS_MAX,
    PREFIXES_MAX,
    PUT,
    RANGE,
    STREAMS_MAX,
    SUMMED,
    TAGS_MAX,
    WRITES,
    Details,
)
from .. import sizes
from . import distributions

RANGE_SIZE = 64 << 10  # of larger objects; else all of the object
DEFAULTS = Details()
ANY = -1  # whatever is done with objects
SPREAD = ('buckets', 'prefixes')  # over what; by default one of each
EACH = ('encryption', *SPREAD)  # for every operation
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
}
BYTES = ('range_size', 'part_size')
WORDS: Dict[str, Callable[[Any, str], str]] = {
    'keys': distributions.keys,
    'arrivals': distributions.arrivals,
    'checksum': distributions.checksum,
    'encryption': distributions.encryption,
    'think_time': distributions.think_time,
}
KEYS = ('mix', *FIELDS, *WORDS)

# the mix of the study that users compare with
MIXED = (
    WeightedOp('get', 45.0),
    WeightedOp('put', 35.0),
    WeightedOp('stat', 15.0),
    WeightedOp('delete', 5.0),
)
Mix = Tuple[WeightedOp, ...]


def parse_mix(value: Any, where: str) -> Mix:
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
        name = f'{dash}{key.replace("_", "-")}' if dash else key
        place = f'{where}{name}'
        if key in BYTES:
            try:
                number = units.parse_size(str(value))
            except InvalidArgument as error:
                raise InvalidArgument(f'{place}: {error.message}') from None
        elif isinstance(value, int) and not isinstance(value, bool):
            number = value
        else:
            raise InvalidArgument(
                f'{place}: {shown(value)} is not a whole number'
            )
        if not least <= number <= most:
            low, high = (
                (units.format_size(least), units.format_size(most))
                if key in BYTES
                else (str(least), str(most))
            )
            raise InvalidArgument(
                f'{place}: {shown(value)} is out of range; give {low} to '
                f'{high}'
            )
        found[key] = number
    for key, read in WORDS.items():
        if values.get(key) is not None:
            name = f'{dash}{key.replace("_", "-")}' if dash else key
            found[key] = read(values[key], f'{where}{name}')
    if values.get('mix') is not None:
        found['mix'] = parse_mix(values['mix'], f'{where}{dash}mix')
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
    mix = wish.mix if op.facts.both else ()
    if set(mix) == set(MIXED):
        mix = ()
    done = _done(op, mix)
    found: Dict[str, Any] = {}
    for key, (of, _, _) in FIELDS.items():
        if of == PUT and not set(SUMMED) & set(done):
            continue
        if of in done or (of in (ANY, PUT) and done):
            value = getattr(wish, key)
            if value != getattr(DEFAULTS, key, 1):
                found[key] = value
    if RANGE in done:
        found['range_size'] = wish.range_size or min(RANGE_SIZE, smallest)
    if set(NEEDS) & set(done):
        found['keys'] = wish.keys.replace(distributions.UNIFORM, '')
    if rate and shaped(op):
        found['arrivals'] = wish.arrivals.replace(distributions.CONSTANT, '')
    if pauses(op, rate):
        found['think_time'] = wish.think_time.replace(distributions.NONE, '')
    if set(SUMMED) & set(done):
        found['checksum'] = wish.checksum.replace(distributions.NONE, '')
    if done:
        found['encryption'] = wish.encryption.replace(distributions.NONE, '')
    shape = S3Shape(mix=mix, **found)
    return None if shape == S3Shape() else shape


def shaped(op: Op) -> bool:
    """Say whether an operation is one of S3, and so has a shape."""
    return spec_of(op).name == 's3'


def pauses(op: Op, rate: Optional[float]) -> bool:
    """Say whether those who do an operation can pause before the next."""
    return shaped(op) and not rate and not op.takes


def _done(op: Op, mix: Mix) -> List[int]:
    """Return the operations that a workload does, as numbers of OPS."""
    if not shaped(op):
        return []
    if op.facts.both:
        return [OPS.index(item.op) for item in mix or MIXED]
    return [OPS.index(op.value[len('s3-') :])]


def mix_of(workload: Workload) -> Tuple[float, ...]:
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
    by = encryption(workload)
    return f'{sizes.population(workload)}{more}{"-" if by else ""}{by}-'


def encryption(workload: Workload) -> str:
    """Return how gateways encrypt its objects, '' where they do not."""
    return workload.s3.encryption if workload.s3 else ''


def place(workload: Workload) -> Tuple[int, str]:
    """Return what workloads that read the same objects have in common."""
    return spread(workload)[0], prefix(workload)


def needs_objects(workload: Workload) -> bool:
    """Say whether a load works on objects that are there before."""
    mix = mix_of(workload)
    return any(mix[op] for op in (*NEEDS, *DELETES, LIST))


def writing(workload: Workload) -> float:
    """Return the share of operations that add an object, or rewrite one."""
    mix = mix_of(workload)
    return sum(mix[op] for op in WRITES) / sum(mix)


def check(workload: Workload, where: str) -> None:
    """Raise InvalidArgument where a workload cannot be done so."""
    mix, how = mix_of(workload), details(workload)
    made = sum(mix[op] for op in NEW)
    gone = mix[DELETE] + mix[MULTIDELETE] * how.delete_batch
    if workload.op.facts.both and gone > made * 1.0001:
        raise InvalidArgument(
            f'{where}: the mix deletes {gone:.4g} objects for {made:.4g} '
            'that put, multipart and copy make; give no more deletes than '
            'those (a multidelete takes delete_batch objects)'
        )
    if (
        spread(workload)[0] > 1
        and mix[MULTIDELETE]
        and not workload.op.facts.both
    ):
        raise InvalidArgument(
            f'{where}: one multi-delete takes objects of one bucket; leave '
            'out --buckets for s3-multidelete, or delete in a mix'
        )
    held = [
        item.size for item in (*workload.read_sizes, *workload.write_sizes)
    ] or [workload.size]
    if mix[RANGE] and how.range_size > min(held):
        raise InvalidArgument(
            f'{where}: a range of {units.format_size(how.range_size)} is '
            f'more than an object of {units.format_size(min(held))}; give '
            'larger objects or a smaller range'
        )
    if not mix[MULTIPART]:
        return
    if -(-max(held) // how.part_size) > PARTS_MAX:
        raise InvalidArgument(
            f'{where}: {units.format_size(max(held))} have more than '
            f'{PARTS_MAX} parts of {units.format_size(how.part_size)}; give '
            'larger parts'
        )
    if workload.concurrency.value * how.part_streams > CONNECTIONS_MAX:
        raise InvalidArgument(
            f'{where}: {workload.concurrency} uploads of {how.part_streams} '
            f'parts at a time need more than {CONNECTIONS_MAX} connections; '
            'give less of either'
        )


def check_used(options: RunOptions, made: Sequence[Workload]) -> None:
    """Raise InvalidArgument for an option that no workload takes."""
    done = {op for w in made for op, share in enumerate(_weights(w)) if share}
    if options.driver('mix') is not None and not any(
        w.op.facts.both and shaped(w.op) for w in made
    ):
        raise InvalidArgument(
            '--mix is for s3-mixed, and it is not run; give --workload '
            's3-mixed'
        )
    if options.driver('keys') is not None and not done & set(NEEDS):
        raise InvalidArgument(
            '--keys is for operations that choose among objects ('
            + ', '.join(OPS[op] for op in NEEDS)
            + '); none is run'
        )
    if options.driver('arrivals') is not None and not any(
        w.rate for w in made
    ):
        raise InvalidArgument(
            '--arrivals is for operations that begin at a rate; give --rate'
        )
    if options.driver('think_time') is not None and not any(
        pauses(w.op, w.rate) for w in made
    ):
        raise InvalidArgument(
            '--think-time is for S3 operations in a closed loop, without '
            '--rate, that take no objects away; none is run'
        )
    for key in ('checksum', 'tags'):
        if options.driver(key) is not None and not done & set(SUMMED):
            raise InvalidArgument(
                f'--{key} is for operations that send contents ('
                + ', '.join(OPS[op] for op in SUMMED)
                + '); none is run'
            )
    for key in EACH:
        if options.driver(key) is not None and not done:
            raise InvalidArgument(f'--{key} is for S3 workloads; none is run')
    for key, (op, _, _) in FIELDS.items():
        if op in (ANY, PUT):
            continue
        if options.driver(key) is not None and op not in done:
            raise InvalidArgument(
                f'--{key.replace("_", "-")} is for s3-{OPS[op]}, and for '
                f'mixes with {OPS[op]}; none is run'
            )


def _weights(workload: Workload) -> Tuple[float, ...]:
    return mix_of(workload) if shaped(workload.op) else ()
