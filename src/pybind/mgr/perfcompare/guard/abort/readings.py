"""What each abort rule reads, and when it fires."""

from typing import Callable, Collection, Dict, List, Optional

from ...common.units import count, format_latency
from ...model.topology import PoolLatency
from ..checks.cluster_state import inactive
from ..collect.facts import internal
from ..collect.sample import LACKING, Counts, Sample
from ..layout import names
from .view import Reading, View

TENANT_SECONDS = 15.0  # how long an impact must last
BLIND_SECONDS = 15.0  # how long the cluster may be unreadable
# how long some PGs of others may be inactive, while the OSD map changes
INACTIVE_SECONDS = 30.0

FULL_CODES = frozenset(
    (
        'OSD_NEARFULL',
        'OSD_BACKFILLFULL',
        'OSD_FULL',
        'POOL_NEARFULL',
        'POOL_BACKFILLFULL',
    )
)


def _new_codes(view: View) -> Dict[str, str]:
    """Return codes that are news: code -> message; muted ones are not."""
    return {
        code: check.message
        for code, check in view.sample.health.checks.items()
        if (code, check.severity) not in view.baseline.codes
        and not check.muted
    }


def emergency(view: View) -> Reading:
    if view.emergency_stop:
        return Reading(1, 'set', 'the option emergency_stop is set')
    return Reading(0, 'not set')


def lease(view: View) -> Reading:
    if view.load is None:
        return Reading(-1, 'no load')  # nobody holds it between trials
    if view.lease_problem:
        return Reading(1, view.lease_problem, view.lease_problem)
    return Reading(0, 'held')


def deadline(view: View) -> Reading:
    if view.load is None:
        return Reading(float('-inf'), 'no load')
    late = view.now - view.load.deadline
    value = f'{late:.0f} s over' if late > 0 else f'{-late:.0f} s left'
    if late > 0:
        return Reading(
            late,
            value,
            f'{view.load.name} is {late:.0f} s over its deadline',
        )
    return Reading(late, value)


# of a load that does work: the share of a few hundred says little yet
LEAST_ERRORS = 10


def errors(view: View) -> Reading:
    load = view.load
    if load is None or not load.ops + load.errors:
        return Reading(0, 'none')
    share = load.errors / (load.ops + load.errors)
    few = load.ops and load.errors < LEAST_ERRORS
    value = f'{load.errors} of {load.ops + load.errors} ({share:.2%})'
    if share > view.settings.error_budget and not few:
        where = ''
        if load.failing_host:
            where = f', most of them on load host {load.failing_host}'
        return Reading(
            share, value, f'{value} operations of {load.name} failed{where}'
        )
    return Reading(share, value)


def health_error(view: View) -> Reading:
    found = {
        code: check.message
        for code, check in view.sample.health.checks.items()
        if check.severity == 'HEALTH_ERR'
        and (code, check.severity) not in view.baseline.codes
        and not code.startswith('PERFCOMPARE_')
    }
    if found:
        shown = '; '.join(f'{c}: {m}' for c, m in sorted(found.items()))
        return Reading(len(found), names(sorted(found)), shown)
    return Reading(0, 'none')


def code(code: str) -> Callable[[View], Reading]:
    """Return a rule that fires on a code that is new."""

    def read(view: View) -> Reading:
        message = _new_codes(view).get(code)
        if message is not None:
            return Reading(1, message, f'new {code}: {message}')
        return Reading(0, 'none')

    return read


def lacking(states: Counts) -> Counts:
    return {
        state: number
        for state, number in states.items()
        if LACKING.intersection(state.split('+'))
    }


def _bad_pgs(view: View, pick: Callable[[Counts], Counts]) -> str:
    """Name bad PGs of others, and of ours under load, '' when none.

    Our own pools pass through such states whenever they are created; under
    load they have been clean before and must stay so.
    """
    found = []
    foreign = pick(view.sample.foreign_pgs)
    if foreign:
        found.append(f'{_pg_count(foreign)} of other pools')
    if view.load is not None:
        own = pick(view.sample.own_pgs)
        if own:
            found.append(f'{_pg_count(own)} of the pools under load')
    return ' and '.join(found)


def _pg_count(states: Counts) -> str:
    shown = names(sorted(states), 3)
    return f'{count(sum(states.values()), "PG")} ({shown})'


def pg_code(
    code: str, pick: Callable[[Counts], Counts]
) -> Callable[[View], Reading]:
    """Return a rule on a PG warning that our own new pools also raise."""

    def read(view: View) -> Reading:
        message = _new_codes(view).get(code)
        if message is None:
            return Reading(0, 'none')
        bad = _bad_pgs(view, pick)
        if bad:
            return Reading(2, message, f'new {code}: {message}: {bad}')
        return Reading(1, f'{message} (new pools of the run)')

    return read


def _stays_inactive(view: View) -> bool:
    """Say whether inactive PGs are more than the moment of peering.

    A report can meet that moment after any change of the map, and is all
    that the mgr knows until the next one, which can meet that of another
    PG, where the balancer moves one after the other.
    """
    age = view.sample.pgs_age
    own = view.load is not None and inactive(view.sample.own_pgs)
    return view.inactive_for > age and bool(
        own or view.unmoved_for > age or view.inactive_for > INACTIVE_SECONDS
    )


def availability(view: View) -> Reading:
    """Read the warning of what `inactive_pgs` sees; both wait as long."""
    found = _availability(view)
    if found.level > 1 and not _stays_inactive(view):
        return Reading(1, f'{found.value} in one report')
    return found


_availability = pg_code('PG_AVAILABILITY', inactive)


def inactive_pgs(view: View) -> Reading:
    value = _bad_pgs(view, inactive)
    if not value:
        return Reading(0, 'none')
    if _stays_inactive(view):
        return Reading(
            2,
            value,
            f'{value} inactive for {view.inactive_for:.0f} s',
        )
    return Reading(1, value + ' in one report')


def filled(sample: Sample) -> Dict[str, int]:
    """Count OSDs and pools that are full, by the code that says so."""
    return {
        code: check.count
        for code, check in sample.health.checks.items()
        if code in FULL_CODES
    }


def full(view: View) -> Reading:
    # one more is news where one was there, muted or not: what an operator
    # accepted was what there was before the run
    found = {
        code: view.sample.health.checks[code].message
        for code, number in filled(view.sample).items()
        if number > view.baseline.full.get(code, -1)
    }
    if found:
        shown = '; '.join(f'{c}: {m}' for c, m in sorted(found.items()))
        return Reading(1, shown, shown)
    return Reading(0, 'none')


def osds(view: View) -> Reading:
    known = view.baseline.down.union(view.expected_down)
    news = {o: how for o, how in view.sample.down.items() if o not in known}
    if news:
        shown = names(
            [f'osd.{o} is {how}' for o, how in sorted(news.items())]
        )
        return Reading(len(news), shown, shown)
    return Reading(0, 'none')


def election(view: View) -> Reading:
    before, after = view.baseline.election, view.sample.mon.election_epoch
    if before is not None and after != before:
        quorum = names(view.sample.mon.quorum)
        value = f'election epoch {before} -> {after}'
        return Reading(
            1,
            value,
            f'the Monitors held an election ({value}); ' f'quorum {quorum}',
        )
    return Reading(0, f'election epoch {after}')


def upgrade(view: View) -> Reading:
    found = view.sample.upgrade
    if found is not None and view.baseline.upgrade is None:
        return Reading(1, found, f'an upgrade started: {found}')
    return Reading(0, 'none')


def pg_num(view: View) -> Reading:
    changed = []
    for pool in view.sample.pools:
        before = view.baseline.pools.get(pool.id)
        if (
            before is not None
            and before != pool.pg_num_target
            and not view.sample.is_ours(pool)
        ):
            changed.append(
                f'pool {pool.name!r}: pg_num target {before} -> '
                f'{pool.pg_num_target}'
            )
    if changed:
        return Reading(len(changed), names(changed), names(changed))
    return Reading(0, 'none')


def new_pool(view: View) -> Reading:
    new = [
        pool.name
        for pool in view.sample.pools
        if pool.id not in view.baseline.pools
        and not view.sample.is_ours(pool)
        and not internal(pool)
        and 'perfcompare' not in pool.application
    ]
    if new:
        return Reading(
            len(new),
            names(new),
            (
                f'{names(new)} was created by somebody else'
                if len(new) == 1
                else f'{names(new)} were created by somebody else'
            ),
        )
    return Reading(0, 'none')


def tenants(view: View) -> Reading:
    latency: Optional[Dict[int, PoolLatency]] = view.sample.latency
    if latency is None:
        return Reading(-2, 'not available')
    if not view.impacts:
        if view.baselines_known:
            return Reading(0, 'not above its baseline')
        return Reading(-1, 'no baseline: no other client I/O before')
    worst = view.impacts[0]
    pools = {pool.id: pool.name for pool in view.sample.pools}
    value = (
        f'{worst.kind} of pool {pools.get(worst.pool, worst.pool)}: '
        f'{format_latency(worst.latency)}, {worst.factor:.1f} x its '
        f'baseline of {format_latency(worst.baseline)}'
    )
    if worst.lasting >= TENANT_SECONDS:
        return Reading(
            worst.factor, value, f'{value} for {worst.lasting:.0f} s'
        )
    return Reading(worst.factor, value)


def vital(errors: Collection[str]) -> List[str]:
    """Return what no run goes on without, of all that is not readable.

    The orchestrator may hang, and not every manager has OSD perf queries.
    """
    return sorted(set(errors) - {'upgrade', 'latency'})


def blind(view: View) -> Reading:
    lacking = vital(view.sample.errors)
    if not lacking:
        return Reading(0, 'all readable')
    value = f'{names(lacking)} for {view.blind_for:.0f} s'
    if view.blind_for >= BLIND_SECONDS:
        first = view.sample.errors[lacking[0]]
        return Reading(
            view.blind_for, value, f'could not read {value}: {first}'
        )
    return Reading(view.blind_for, value)
