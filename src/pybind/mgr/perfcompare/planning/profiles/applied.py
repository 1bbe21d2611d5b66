"""A profile under the options of a run: what it will execute."""

from typing import Dict, List, Optional, Tuple

import itertools

from ...common import units
from ...common.errors import InvalidArgument
from ...model import s3_clients as s3clients
from ...model.load import check as check_drivers
from ...model.load import spec_of
from ...model.plan import RunOptions
from ...model.workload import Op, Profile, Workload
from .. import ladder
from .. import sizes as weights
from ..sizes import Sizes, Weighted
from . import made, shapes
from . import values as pv


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
    rates: List[Optional[float]] = [None]
    offered = ladder.of_rates(options.curve)
    if offered:
        rates = [*map(float, ladder.rates(options.curve or ''))]
    elif options.curve is not None:
        loads = ladder.points(options.curve)
    # that of a point, which other options replace as a whole
    point = offered or ladder.of_rates(profile.curve)
    found: Dict[str, Workload] = {}
    wish = shapes.of_options(options)
    caches = pv.cache(options.cache, '--cache')
    prefill = pv.prefill(
        options.prefill,
        ops or [w.op for w in profile.workloads],
        '--prefill',
    )
    for base in profile.workloads:
        for op, size, load_, cache, rate in itertools.product(
            ops or [base.op],
            sizes or [base.size],
            loads or [base.concurrency],
            caches or [base.cache],
            rates,
        ):
            if read or write:
                option = '--read-sizes' if read else '--write-sizes'
                how = weights.of_op(op, read, write, option)
            elif sizes or op != base.op:
                how = weights.fixed(size)
            else:
                how = Sizes(size, base.read_sizes, base.write_sizes)
            asked = shapes.over(base if op == base.op else None, wish)
            if point and not wish.rbd.rate:
                asked = shapes.at_rate(asked, rate)
            if (sizes or read or write) and shapes.own_sizes(op, asked):
                raise InvalidArgument(
                    f'the mix of {op.value} has sizes of its own; leave out '
                    '--size, --read-sizes and --write-sizes, or give a --mix '
                    'without sizes'
                )
            workload = made.workload(
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
                    (rate if point else base.rate)
                    if options.rate is None and op.facts.open_loop
                    else pv.rate(options.rate, [op], '--rate')
                ),
                _tool(op, options),
                prefill or base.prefill,
                asked,
            )
            found.setdefault(workload.name, workload)
    if caches and not any(w.cache for w in found.values()):
        raise InvalidArgument(
            f'--cache {options.cache}: no workload of the run is '
            + ' or '.join(o for o in Op.known() if Op(o).facts.cached)
        )
    s3clients.check(found.values())
    shapes.check_used(options, list(found.values()))
    rounds = profile.rounds if options.rounds is None else options.rounds
    changed = made.profile(
        profile.name,
        profile.description,
        rounds,
        list(found.values()),
    )
    # whether it is of curves, the plan's options say
    same = changed.version == profile.version and not profile.curve
    return profile if same else changed


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
