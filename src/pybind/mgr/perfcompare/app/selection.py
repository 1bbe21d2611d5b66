"""Choose the runs that a comparison means.

A side is named ``<group>`` or ``<group>@<run>[,<run>…]``. Sides without a run
are looked for in the runs given with --run, of which none may go unused;
without any, the newest run that has both groups (or, when no run has both,
the newest of each) is taken.
"""

from typing import Dict, List, Sequence, Tuple

from ..common.errors import InvalidArgument, NotFound
from ..model.run import Run
from ..store.results import Store

LOOK_BACK = 1000  # runs
Chosen = Tuple[str, Tuple[Run, ...]]  # of a side: its group, and runs


def sides(
    store: Store, baseline: str, candidate: str, runs: Sequence[str]
) -> Tuple[Chosen, Chosen]:
    """Return group and runs of both sides.

    Raises NotFound for an unknown run or a group that no run has,
    InvalidArgument for runs of which one would not be used.
    """
    first, first_run = _split(baseline)
    second, second_run = _split(candidate)
    if runs and (first_run or second_run):
        raise InvalidArgument(
            f'{baseline if first_run else candidate!r} names a run and so '
            'does --run; use one of them'
        )
    if runs:
        chosen = _from_named(store, (first, second), runs)
    else:
        chosen = _from_stored(
            store, ((first, first_run), (second, second_run))
        )
    left, right = (
        (group, tuple(store.get_run(run) for run in found))
        for group, found in zip((first, second), chosen)
    )
    return left, right


def _split(text: str) -> Tuple[str, List[str]]:
    group, at, runs = text.partition('@')
    found = runs.split(',') if at else []
    if not group or not all(found):
        raise InvalidArgument(
            f'{text!r} is not <group>, <group>@<run> or <group>@<run>,<run>'
        )
    return group, list(dict.fromkeys(found))


def _groups(store: Store, run: str) -> List[str]:
    return [group.name for group in store.get_run(run).plan.groups]


def _from_named(
    store: Store, groups: Tuple[str, str], runs: Sequence[str]
) -> Tuple[List[str], List[str]]:
    """Use each named run for the groups that it has.

    With the same group on both sides the first run is the baseline and the
    others are the candidate.
    """
    known = {run: _groups(store, run) for run in runs}
    first, second = (
        [run for run, names in known.items() if group in names]
        for group in groups
    )
    found = first, second
    for group, ids in zip(groups, found):
        if not ids:
            raise NotFound(
                f'group {group!r} is in none of the runs {_listed(known)}'
            )
    both = [run for run in found[0] if run in found[1]]
    if groups[0] == groups[1]:
        if len(known) < 2:
            raise InvalidArgument(
                f'group {groups[0]!r} is on both sides; name two runs'
            )
        found = both[:1], both[1:]
    elif both:
        found = both, both
    _refuse_unused(known, groups, found[0] + found[1])
    return found


def _refuse_unused(
    known: Dict[str, List[str]], groups: Tuple[str, str], used: Sequence[str]
) -> None:
    """Refuse runs that were named and would not be looked at.

    Next to runs of both groups, in which blocks are paired, there is no
    place for a run of one.
    """
    unused = {run: names for run, names in known.items() if run not in used}
    if unused:
        first, second = groups
        raise InvalidArgument(
            f'not used would be {_listed(unused)}; leave out such runs, or '
            f'name those of each side: {first}@<run>,<run> {second}@<run>'
        )


def _listed(runs: Dict[str, List[str]]) -> str:
    return ', '.join(f'{run} ({", ".join(of)})' for run, of in runs.items())


def _from_stored(
    store: Store, wanted: Sequence[Tuple[str, List[str]]]
) -> Tuple[List[str], List[str]]:
    (first, first_runs), (second, second_runs) = wanted
    if not first_runs and not second_runs and first != second:
        for info in store.list_runs(limit=LOOK_BACK, group=first).runs:
            if second in info.groups and info.trials:
                return [info.id], [info.id]
    return (
        first_runs or [_newest(store, first)],
        second_runs or [_newest(store, second)],
    )


def _newest(store: Store, group: str) -> str:
    for info in store.list_runs(limit=LOOK_BACK, group=group).runs:
        if info.trials:
            return info.id
    raise NotFound(
        f'no stored run has results of group {group!r}; start one: '
        f'ceph perfcompare run --group {group}'
    )
