"""The ladder of a response curve, point by point.

Its points are operations in flight, or operations offered per second.
"""

from typing import List, Optional

import dataclasses
import math
import re

from ..analysis.efficiency import BEYOND
from ..analysis.offered import KEPT
from ..common.errors import InvalidArgument
from ..common.printable import shown
from ..model.load import of_tool
from ..model.plan import RunOptions
from ..model.slo import Slo
from ..model.workload import Concurrency, Profile, Workload
from .profiles.values import concurrency, number_of_rate, values

LEAST, MOST = 4, 13  # points
CHOSEN = 8  # points of a range that is wide enough for them
FACTOR = 2.0  # from point to point of a range, at most
NARROW = 1.5  # and at least, where it is not
PER_SECOND = '/s'
PEAK = 'none'  # in place of a limit, also of that of a profile
_RANGE = re.compile(r'([0-9]{1,7})\.\.([0-9]{1,7})(/osd|/s)?')


def points(text: str) -> List[Concurrency]:
    """Return the points of '1..64', '1..16/osd' or '1,2,4,8,16', rising.

    Of a range 4 to 13 points are chosen, at even factors of 1.5 to 2.
    Raises InvalidArgument for anything else.
    """
    found: List[Concurrency] = values(_texts(text), '--curve', concurrency)
    if len({point.per_osd for point in found}) > 1:
        raise _refused(text, 'all points in all, or all of them /osd')
    _check_rising(text, [point.value for point in found])
    return found


def of_rates(text: Optional[str]) -> bool:
    """Say whether the points of a ladder are operations per second."""
    return any(
        word.strip().endswith(PER_SECOND) for word in (text or '').split(',')
    )


def rates(text: str) -> List[int]:
    """Return the points of '100..800/s' or '100/s,200/s,400/s,800/s'.

    They are chosen, and refused, as those in flight are.
    """
    found: List[int] = values(_texts(text), '--curve', number_of_rate)
    _check_rising(text, found)
    return found


def _texts(text: str) -> List[str]:
    """Return the points of a ladder as texts, those of a range chosen."""
    match = _RANGE.fullmatch(text.strip())
    if not match:
        return text.split(',')
    words = _chosen(text, int(match.group(1)), int(match.group(2)))
    return [f'{value}{match.group(3) or ""}' for value in words]


def _check_rising(text: str, found: List[int]) -> None:
    if not LEAST <= len(found) <= MOST or found != sorted(set(found)):
        raise _refused(text, f'{LEAST} to {MOST} points that rise')


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
        f'--curve {shown(text)}: give {what}, as 1..64, 1..16/osd, '
        '1,2,4,8,16,32 or 100..800/s'
    )


def of_profile(profile: Profile, options: RunOptions) -> RunOptions:
    """Return the options with ladder and limit of a profile of curves.

    What is asked for besides stands: another ladder, another limit, or
    operations in flight, or a rate, in place of the curve. Another ladder
    leaves the limit as it is. So do other workloads: `check` refuses those
    that it cannot be read of. A limit of 'none' is none: curves are judged by
    their peak. Raises InvalidArgument for a ladder of rates in place of one
    in flight that leaves open how much that is.
    """
    if profile.curve:
        options = _with_its_curve(profile, options)
    if options.curve and options.slo == PEAK:
        return dataclasses.replace(options, slo=None)
    return options


def _with_its_curve(profile: Profile, options: RunOptions) -> RunOptions:
    if of_rates(profile.curve):
        instead = options.rate or options.driver('rbd_rate')
    else:
        instead = options.concurrency
        if of_rates(options.curve) and not instead:
            raise InvalidArgument(
                f'--curve {shown(options.curve)}: profile {profile.name!r} '
                'varies what is in flight; say how much that is at these '
                'rates, e.g. --concurrency 32'
            )
    if instead and not options.curve:
        return options
    return dataclasses.replace(
        options,
        curve=options.curve or profile.curve,
        slo=options.slo or profile.slo or None,
    )


def label(options: RunOptions) -> str:
    """Say what curves of a run are judged by."""
    by = f'at {Slo.parse(options.slo)}' if options.slo else 'at their peak'
    text = options.curve or ''
    if of_rates(text):
        what = f'{len(rates(text))} points of offered load'
    else:
        what = f'{len(points(text))} points in flight'
    return f'curves of {what}, judged {by}'


def check(profile: Profile, options: RunOptions) -> None:
    """Raise InvalidArgument where a curve cannot be as it is asked for."""
    if options.curve is None:
        if options.slo is not None:
            raise InvalidArgument(
                f'--slo {options.slo} is read off a response curve; give '
                '--curve as well, e.g. --curve 1..64'
            )
        return
    offered, workloads = of_rates(options.curve), profile.workloads
    for flag, given in (
        ('--concurrency', options.concurrency and not offered),
        ('--adaptive', options.adaptive),
        ('--rate', options.rate),
        ('--rbd-rate', options.driver('rbd_rate') and offered),
        (
            '--ramp-steps',
            offered and any(w.s3 and w.s3.ramp_steps for w in workloads),
        ),
    ):
        if given:
            raise InvalidArgument(
                f'{flag} and --curve {shown(options.curve)} exclude each '
                'other: each point of a curve has its own operations in '
                'flight, or its own rate, and as many rounds as the others; '
                'leave one of them out'
            )
    if offered:
        _check_offered(profile, options)
    else:
        _check_closed(profile)
    if options.slo is None:
        return
    slo = Slo.parse(options.slo)
    for workload in workloads:
        if not of_tool(workload.tool).percentiles:
            raise InvalidArgument(
                f'--slo: {workload.tool} records no percentiles of '
                f'{workload.name}; choose S3 or RBD workloads with '
                '--workload, or compare the peaks with --slo none'
            )
        _check_enough(workload, slo)


def _check_closed(profile: Profile) -> None:
    paced = [w.name for w in profile.workloads if w.paced]
    if paced:
        raise InvalidArgument(
            f'--curve needs workloads in a closed loop, and {paced[0]} is '
            'paced; choose others with --workload'
        )


def _check_offered(profile: Profile, options: RunOptions) -> None:
    text = shown(options.curve)
    without = [w.name for w in profile.workloads if not w.offered]
    if without:
        raise InvalidArgument(
            f'--curve {text}: {without[0]} cannot be begun at a rate; choose '
            'S3 or RBD workloads with --workload, or give operations in '
            'flight, e.g. --curve 1..64'
        )
    if options.slo is None:
        raise InvalidArgument(
            f'--curve {text}: groups are compared by the load at which they '
            'keep a latency; give it as well, e.g. --slo p99=10ms'
        )


def _check_enough(workload: Workload, slo: Slo) -> None:
    """Refuse a rate at which no trial has its percentile."""
    if not workload.offered:
        return
    done = KEPT * workload.offered * workload.duration
    needs = BEYOND / (1.0 - float(slo.percentile[1:]) / 100.0)
    if done < needs * (1.0 - 1e-9):
        least = math.ceil(needs / KEPT / workload.offered)
        raise InvalidArgument(
            f'--curve: {slo.percentile} needs {needs:,.0f} operations, also '
            f'where {KEPT:.0%} of them are done; {workload.duration:g} s at '
            f'{workload.offered:g}/s are too short: give --duration {least}, '
            'or a higher first rate'
        )
