"""The ladder of a response curve: operations in flight, point by point."""

from typing import List

import dataclasses
import math
import re

from ..common.errors import InvalidArgument
from ..common.printable import shown
from ..model.load import of_tool
from ..model.plan import RunOptions
from ..model.slo import Slo
from ..model.workload import Concurrency, Profile
from .profiles.values import concurrency, values

LEAST, MOST = 4, 13  # points
CHOSEN = 8  # points of a range that is wide enough for them
FACTOR = 2.0  # from point to point of a range, at most
NARROW = 1.5  # and at least, where it is not
_RANGE = re.compile(r'([0-9]{1,5})\.\.([0-9]{1,5})(/osd)?')


def points(text: str) -> List[Concurrency]:
    """Return the points of '1..64', '1..16/osd' or '1,2,4,8,16', rising.

    Of a range 4 to 13 points are chosen, at even factors of 1.5 to 2.
    Raises InvalidArgument for anything else.
    """
    match = _RANGE.fullmatch(text.strip())
    if match:
        words = _chosen(text, int(match.group(1)), int(match.group(2)))
        per_osd = match.group(3) or ''
        texts = [f'{value}{per_osd}' for value in words]
    else:
        texts = text.split(',')
    found: List[Concurrency] = values(texts, '--curve', concurrency)
    flying = [point.value for point in found]
    if len({point.per_osd for point in found}) > 1:
        raise _refused(text, 'all points in all, or all of them /osd')
    if not LEAST <= len(flying) <= MOST or flying != sorted(set(flying)):
        raise _refused(text, f'{LEAST} to {MOST} points that rise')
    return found


def _chosen(text: str, low: int, high: int) -> List[int]:
    if not 0 < low < high:
        raise _refused(text, 'a range that rises from 1 or more')
    width = math.log(high / low)
    steps = max(
        math.ceil(width / math.log(FACTOR) - 1e-9),
        min(CHOSEN - 1, math.floor(width / math.log(NARROW))),
    )
    return sorted(
        {
            round(low * (high / low) ** (i / max(1, steps)))
            for i in range(steps + 1)
        }
    )


def _refused(text: str, what: str) -> InvalidArgument:
    return InvalidArgument(
        f'--curve {shown(text)}: give {what}, as 1..64, 1..16/osd or '
        '1,2,4,8,16,32'
    )


def of_profile(profile: Profile, options: RunOptions) -> RunOptions:
    """Return the options with ladder and limit of a profile of curves.

    What is asked for besides stands: another ladder, another limit, or
    operations in flight in place of the curve.
    """
    if not profile.curve or options.concurrency or options.curve:
        return options
    return dataclasses.replace(
        options, curve=profile.curve, slo=options.slo or profile.slo or None
    )


def label(options: RunOptions) -> str:
    """Say what curves of a run are judged by."""
    by = f'at {Slo.parse(options.slo)}' if options.slo else 'at their peak'
    found = points(options.curve or '')
    return f'curves of {len(found)} points in flight, judged {by}'


def check(profile: Profile, options: RunOptions) -> None:
    """Raise InvalidArgument where a curve cannot be as it is asked for."""
    if options.curve is None:
        if options.slo is not None:
            raise InvalidArgument(
                f'--slo {options.slo} is read off a response curve; give '
                '--curve as well, e.g. --curve 1..64'
            )
        return
    for flag, given in (
        ('--concurrency', options.concurrency),
        ('--adaptive', options.adaptive),
        ('--rate', options.rate),
    ):
        if given:
            raise InvalidArgument(
                f'{flag} and --curve exclude each other: each point of a '
                'curve has its own operations in flight, as many rounds as '
                'the others, and no rate; leave one of them out'
            )
    paced = [w.name for w in profile.workloads if w.paced]
    if paced:
        raise InvalidArgument(
            f'--curve needs workloads in a closed loop, and {paced[0]} is '
            'paced; choose others with --workload'
        )
    if options.slo is None:
        return
    Slo.parse(options.slo)
    for workload in profile.workloads:
        if not of_tool(workload.tool).percentiles:
            raise InvalidArgument(
                f'--slo: {workload.tool} records no percentiles of '
                f'{workload.name}; choose S3 or RBD workloads with '
                '--workload, or leave --slo out to compare the peaks'
            )
