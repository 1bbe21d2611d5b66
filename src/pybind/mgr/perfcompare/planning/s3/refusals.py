"""Which S3 workloads and options cannot be, and why."""

from typing import Sequence, Tuple

from ...common import units
from ...common.errors import InvalidArgument
from ...model.plan import RunOptions
from ...model.workload import Workload
from ...worker.wire.s3_spec import (
    CONNECTIONS_MAX,
    DELETE,
    MULTIDELETE,
    MULTIPART,
    NEEDS,
    NEW,
    OPS,
    PARTS_MAX,
    PUT,
    RANGE,
    SUMMED,
)
from ..sizes import mean, prefill_name, read_sizes
from . import mixes
from .shape import ANY, EACH, FIELDS, RATED, details, pauses, shaped, spread

STEP_LEAST = 3  # seconds
OF_SIZE = 16  # objects, of each size that is read, for each process


def check(workload: Workload, where: str) -> None:
    """Raise InvalidArgument where a workload cannot be done so."""
    mix, how = mixes.of_workload(workload), details(workload)
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
    ranged = how.sizes[RANGE] if how.sizes else min(held)
    if mix[RANGE] and how.range_size > ranged:
        raise InvalidArgument(
            f'{where}: a range of {units.format_size(how.range_size)} is '
            f'more than an object of {units.format_size(ranged)}; give '
            'larger objects or a smaller range'
        )
    if how.sizes and workload.prefill is not None:
        sized = read_sizes(workload)
        objects = workload.prefill.count(mean(sized))
        least = OF_SIZE * len(sized) * workload.clients
        if objects < least:
            raise InvalidArgument(
                f'{where}: --prefill {prefill_name(workload.prefill)} is '
                f'{units.count(objects, "object")} for {len(sized)} sizes '
                f'that are read; give {least} or more'
            )
    if how.ramp_steps > 1:
        each = workload.duration / how.ramp_steps
        if each < STEP_LEAST or each % 1:
            raise InvalidArgument(
                f'{where}: {how.ramp_steps} steps of {workload.duration:g} s '
                f'are not of {STEP_LEAST} or more whole seconds each; give '
                'another --duration or other --ramp-steps'
            )
    if not mix[MULTIPART]:
        return
    if -(-max(held) // how.part_size) > PARTS_MAX:
        raise InvalidArgument(
            f'{where}: {units.format_size(max(held))} have more than '
            f'{PARTS_MAX} parts of {units.format_size(how.part_size)}; give '
            'larger parts'
        )
    if workload.concurrency.value > most_of_host(workload):
        raise InvalidArgument(
            f'{where}: {workload.concurrency} uploads of {how.part_streams} '
            f'parts at a time need more than {CONNECTIONS_MAX} connections; '
            'give less of either'
        )


def most_of_host(workload: Workload) -> int:
    """Return the operations that one host has connections for.

    Uploads have one for each part that is sent at a time.
    """
    if not mixes.of_workload(workload)[MULTIPART]:
        return CONNECTIONS_MAX
    return CONNECTIONS_MAX // details(workload).part_streams


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
    for key in ('arrivals', 'ramp_steps'):
        if options.driver(key) is not None and not any(
            w.rate and shaped(w.op) for w in made
        ):
            raise InvalidArgument(
                f'--{key.replace("_", "-")} is for operations that begin at '
                'a rate; give --rate'
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
        if op in (ANY, PUT, RATED):
            continue
        if options.driver(key) is not None and op not in done:
            raise InvalidArgument(
                f'--{key.replace("_", "-")} is for s3-{OPS[op]}, and for '
                f'mixes with {OPS[op]}; none is run'
            )


def _weights(workload: Workload) -> Tuple[float, ...]:
    return mixes.of_workload(workload) if shaped(workload.op) else ()
