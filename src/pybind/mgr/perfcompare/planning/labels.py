"""What every reader of a run's results has to know, by its plan."""

from typing import List, Sequence, Tuple

from ..analysis.evidence import SATURATED, Limits
from ..analysis.rows import label
from ..common.units import count, format_duration
from ..model.group import Group
from . import ladder, pgs, waiting
from .loads import Draft, planners_of

NO_VERDICT = 'get no verdict'
# Below this number of judged rounds only `smoke`'s rule can decide.
DECISIVE_ROUNDS = 6
SMOKE_ROUNDS = 3
ONE_GROUP = (
    'one group: compare it with a run of another group, or with an earlier '
    'one'
)


def plan_labels(
    draft: Draft,
    groups: Sequence[Group],
    initial: int = pgs.INITIAL_PGS,
) -> Tuple[str, ...]:
    """Return what every reader of the run's results has to know.

    New pools begin with ``initial`` PGs.
    """
    profile = draft.profile
    labels = list(draft.redundancy.labels)
    if draft.options.control:
        labels.append(
            f'control: {draft.groups[1].name!r} is group '
            f'{draft.groups[0].name!r} again'
        )
    elif len(groups) == 1:
        labels.append(ONE_GROUP)
    if profile.rounds < DECISIVE_ROUNDS and profile.rounds != SMOKE_ROUNDS:
        labels.append(
            f'{count(profile.rounds, "round")}: verdicts need '
            f'{DECISIVE_ROUNDS}'
        )
    elif profile.rounds < DECISIVE_ROUNDS:
        labels.append('3 rounds: verdicts only beyond a factor of 1.25')
    for group in groups:
        if group.missing:
            labels.append(
                f'group {group.name!r} runs without '
                + ', '.join(f'osd.{i}' for i in group.missing[:8])
                + (' …' if len(group.missing) > 8 else '')
            )
    for planner in planners_of(profile):
        labels += planner.labels(draft)
    if draft.options.curve is not None:
        labels.append(ladder.label(draft.options))
    if len(set(draft.pg_num.values())) > 1:
        labels.append('pg_num differs between the groups')
    if not draft.options.existing_gateways:  # which have pools of their own
        labels += _pgs_uneven(draft) + _pgs_growing(draft, initial)
    return tuple(labels + _pgs_apart(draft))


def _pgs_apart(draft: Draft) -> List[str]:
    """Say before hours of load what would leave rows without a verdict."""
    per_osd = [
        draft.pg_num[g.name] * draft.redundancy.size / len(g.osds)
        for g in draft.groups
    ]
    if not Limits().pgs_differ(per_osd):
        return []
    told = ', '.join(
        f'{n:.0f} ({g.name})' for n, g in zip(per_osd, draft.groups)
    )
    return [
        f'PGs per OSD will be {told}: rows of groups that differ by more than '
        f'{Limits.pgs_per_osd_apart:g} times {NO_VERDICT} without --across '
        'pgs_per_osd'
    ]


def _pgs_uneven(draft: Draft) -> List[str]:
    """Say before hours of load that OSDs cannot lead as many PGs each."""
    osds = {g.name: len(g.osds) for g in draft.groups}
    saturated = any(
        label(w, osds.values()) == SATURATED for w in draft.profile.workloads
    )
    if not saturated or pgs.can_be_even(draft.pg_num, osds):
        return []
    best = ', '.join(
        f'{pgs.least_max_mean(draft.pg_num[n], number):.2f} for {n!r} '
        f'({count(number, "OSD")}, {draft.pg_num[n]} PGs)'
        for n, number in osds.items()
    )
    way = (
        'leave --pg-num out'
        if draft.options.pg_num is not None
        else 'fewer pools at one time (workloads, --cache), a higher '
        'mon_max_pg_per_osd or groups of another size may allow other numbers'
    )
    return [
        f'max/mean primaries will be {best} at best: above '
        f'{Limits.primaries_max_mean:.2f}, or more than '
        f'{Limits.primaries_apart:.2f} times apart, saturated rows '
        f'{NO_VERDICT}; {way}'
    ]


def _pgs_growing(draft: Draft, initial: int) -> List[str]:
    most = max(draft.pg_num.values())
    if most <= initial:
        return []
    took = format_duration(waiting.growth_of(most, initial))
    return [
        f'each pool begins with {initial} PGs and grows to {most} in about '
        f'{took}; `ceph config set mon mon_osd_max_initial_pgs {most}` makes '
        'them at once'
    ]
