"""The reasons why a row may not be judged, as a table of data.

Each rule is a pure function of a row's trials, their manifests and the
row's interval. What a rule needs and nobody recorded is listed as missing
evidence; such a rule then neither holds nor clears the row.
"""

from typing import Callable, Iterable, List, Optional, Sequence, Tuple

import dataclasses

from . import several_hosts, stats
from .drift_reasons import drift_not_excluded, not_steady
from .evidence import (
    Limits,
    Missing,
    Reason,
    RowFacts,
    SideFacts,
    apart_text,
    client_figure,
    client_link,
    client_wanted,
    distinct,
    failed_attempts,
    mean,
    summaries,
)
from .idle_reason import idle
from .moving_reason import moving
from .placement_reason import placement
from .probe_reason import probe
from .settings_reason import settings
from .short_reason import short
from .unsettled_reason import unsettled

_OF_CACHE = frozenset(('cache_share', 'cache_regime'))
DEPENDENT = 'dependent trials'


@dataclasses.dataclass(frozen=True)
class ReasonRule:
    """Define a validity reason: its id and check.

    The check returns None where it has nothing to say, or a Reason; it
    raises Missing where it lacks evidence. What it says may depend on the
    measure of the trials that is to be judged.
    """

    id: str
    check: Callable[[RowFacts], Optional[Reason]]
    of_measure: bool = False


def _client_limit(
    side: SideFacts, limits: Limits, shared: bool
) -> Tuple[bool, List[str]]:
    """Return whether CPU was recorded, and which limits were passed.

    The median over the trials counts: half of them must be limited. Where
    OSDs of both groups are ``shared`` with the client's host, its busy
    cores are mostly those under test, so the client's own share counts, and
    its waiting for a core does not.
    """
    host = summaries(side, 'host_busy')
    words = 'CPUs of the client host were {:.0%} busy'
    wanted = [client_wanted(t) for t in side.trials]
    if shared:
        host, wanted = _own_share(side), []
        words = 'client processes used {:.0%} of all CPUs'
    threads = summaries(side, 'client_thread_cores')
    checks: Tuple[Tuple[Sequence[Optional[float]], float, str], ...] = (
        (
            threads,
            limits.thread_cores,
            'submitting thread used {:.2f} of a core',
        ),
        (host, limits.host_busy, words),
        (
            wanted,
            limits.thread_cores,
            'client process ran or waited for a core {:.0%} of the time',
        ),
        (
            [client_figure(t, 'throttled') for t in side.trials],
            limits.client_throttled,
            'its CPU quota stopped the client in {:.0%} of all periods',
        ),
        (
            [client_link(t) for t in side.trials],
            limits.nic_busy,
            'network of the client host was {:.0%} busy',
        ),
    )
    passed = []
    for values, limit, text in checks:
        found = [v for v in values if v is not None]
        if found and stats.median(found) > limit:
            passed.append(text.format(stats.median(found)))
    return bool(threads or host), passed


def _own_share(side: SideFacts) -> List[float]:
    """Return the share of the client host's cores that clients used."""
    found = []
    for trial in side.trials:
        summary = trial.summary
        if summary and summary.client_cores is not None:
            if summary.host_cores:
                found.append(summary.client_cores / summary.host_cores)
    return found


def _client(facts: RowFacts) -> Optional[Reason]:
    """Find a limited client; on the better side alone it is no reason.

    Where 1 is not excluded neither group is the better one, and a limit on
    either may hide a difference; as it may where nobody knows what a side
    that does more would have of what was measured.
    """
    limited, unknown = {}, []
    shared = all(
        any(manifest.client_local_osds for manifest in side.manifests)
        for side in facts.sides
    )
    for side in facts.sides:
        recorded, passed = _client_limit(side, facts.limits, shared)
        if passed:
            host = several_hosts.busiest(side)
            limited[side.group] = ', '.join(passed) + (
                f' (of several hosts, {host} most)' if host else ''
            )
        elif not recorded:
            unknown.append(f'client CPU of {side.group}')
    if not limited:
        if unknown:
            raise Missing(', '.join(unknown))
        return None
    text = '; '.join(f'{g}: {passed}' for g, passed in limited.items())
    ends = facts.interval
    if len(limited) == 1 and ends is not None and facts.grows:
        candidate_faster = ends[0] > 0.0
        faster = facts.candidate if candidate_faster else facts.baseline
        if (candidate_faster or ends[1] < 0.0) and faster.group in limited:
            return Reason('client', False, text, at_least=True)
    return Reason('client', True, text)


def _locality(facts: RowFacts) -> Optional[Reason]:
    local = {}
    for side in facts.sides:
        found = [
            m.client_local_osds
            for m in side.manifests
            if m.client_local_osds is not None
        ]
        if not found:
            raise Missing(f'client_local_osds of {side.group}')
        osds = sorted({osd for ids in found for osd in ids})
        if osds:
            local[side.group] = ', '.join(f'osd.{osd}' for osd in osds)
    if not local:
        return None
    text = '; '.join(
        f'{osds} of {group} on the client host'
        for group, osds in local.items()
    )
    return Reason('client locality', len(local) == 1, text)


def _dependent(facts: RowFacts) -> Optional[Reason]:
    if len(facts.x) < facts.limits.serial_blocks:
        return None
    lag1 = stats.lag1_correlation(facts.x)
    if lag1 <= facts.limits.serial_correlation:
        return None
    return Reason(
        DEPENDENT,
        True,
        f'lag-1 correlation of {len(facts.x)} blocks is {lag1:.2f}',
    )


def _cache(facts: RowFacts) -> Optional[Reason]:
    if not facts.reads or not _OF_CACHE.isdisjoint(facts.intended):
        return None
    try:
        shares = [mean(side, 'cache_share') for side in facts.sides]
    except Missing:
        return _cache_regimes(facts)
    if abs(shares[0] - shares[1]) <= facts.limits.cache_apart:
        return None
    text = ' and '.join(
        f'{share:.0%} for {side.group}'
        for share, side in zip(shares, facts.sides)
    )
    return Reason(
        'cache', True, f"of bytes read, from OSDs' caches came {text}"
    )


def _cache_regimes(facts: RowFacts) -> Optional[Reason]:
    """Judge trials of versions that recorded no shares."""
    found = distinct(facts, 'cache_regime', lambda m: m.cache_regime)
    if found[0] == found[1]:
        return None
    return Reason(
        'cache', True, f'reads came from: {apart_text(facts, found)}'
    )


def _busy(facts: RowFacts) -> Optional[Reason]:
    means = [mean(side, 'tenant_ops_per_s') for side in facts.sides]
    if max(means) <= facts.limits.tenant_ops_per_s:
        return None
    text = ', '.join(
        f'{value:.0f} op/s during {side.group}'
        for value, side in zip(means, facts.sides)
    )
    return Reason(
        'busy',
        True,
        f'other clients: {text} '
        f'(limit {facts.limits.tenant_ops_per_s:.0f} op/s)',
    )


def _errors(facts: RowFacts) -> Optional[Reason]:
    worst, texts = 0.0, []
    for side in facts.sides:
        failed = int(sum(summaries(side, 'errors')))
        # no operations, but the load lacks what they were to carry
        refused = sum(map(failed_attempts, side.trials))
        done = sum(summaries(side, 'ops'))
        tried = failed + refused + done
        if failed and not done and any(summaries(side, 'ops_per_s')):
            raise Missing(f'number of operations of {side.group}')
        if failed or refused:
            worst = max(worst, (failed + refused) / tried)
            texts.append(
                f'{failed} of {tried - refused:.0f} of {side.group}'
                + (f' and {refused} attempts to connect' if refused else '')
            )
    over = worst > facts.limits.error_share
    untold = [
        side.group
        for side in facts.sides
        if not all(trial.tells_errors for trial in side.trials)
    ]
    if untold and not over:
        raise Missing(f'failed operations of {", ".join(untold)}')
    if not texts:
        return None
    return Reason('errors', over, 'failed operations: ' + ', '.join(texts))


REASONS: Tuple[ReasonRule, ...] = (
    # the client side is limited on the slower group or on both
    ReasonRule('client', _client, True),
    # load hosts that are one client did not do the same
    ReasonRule('uneven clients', several_hosts.uneven_clients),
    # the client's host carries OSDs of one tested group
    ReasonRule('client locality', _locality),
    # primaries fell unevenly in a saturated row
    ReasonRule('placement', placement, True),
    # the ratio drifts within trials by more than the result allows
    ReasonRule('not steady', not_steady, True),
    # a drift of the ratio could hide in the noise within trials, where no
    # difference would be claimed
    ReasonRule('drift not excluded', drift_not_excluded, True),
    # ten blocks or more with a lag-1 correlation above 0.5
    ReasonRule('dependent trials', _dependent, True),
    # trials in which nothing finished, of which there is no ratio
    ReasonRule('no operations', idle),
    # little of the time that was asked for could be measured
    ReasonRule('short', short),
    # the groups read in different cache regimes
    ReasonRule('cache', _cache),
    # other tenants' traffic was above the limit
    ReasonRule('busy', _busy),
    # recovery or backfill moved data on the OSDs under test
    ReasonRule('moving data', moving),
    # OSDs of one side still worked on what was before its trials
    ReasonRule('unsettled', unsettled),
    # failed operations and attempts to connect were above the budget
    ReasonRule('errors', _errors),
    # the latency probe was too much of the load
    ReasonRule('probe', probe),
    # the groups differ in what must be equal
    ReasonRule('settings', settings),
)


def evaluate(facts: RowFacts) -> Tuple[List[Reason], List[str]]:
    """Return the findings of all rules, and the evidence that is missing.

    A row is invalid when a finding holds; the others are for the reader.
    """
    findings: List[Reason] = []
    missing: List[str] = []
    for rule in REASONS:
        try:
            found = rule.check(facts)
        except Missing as lack:
            missing.append(f'{rule.id}: {lack}')
            continue
        if found is not None:
            findings.append(found)
    return findings, missing


def of_nothing(facts: RowFacts) -> List[Reason]:
    """Return why nothing of a row can be measured, where a rule knows."""
    found = idle(facts)
    return [] if found is None else [found]


def evaluate_again(facts: RowFacts, former: Sequence[Reason]) -> List[Reason]:
    """Return the findings for another measure of the same trials.

    Those that do not depend on the measure are the ``former`` ones; what
    is missing was said with them.
    """
    findings: List[Reason] = []
    for rule in REASONS:
        if not rule.of_measure:
            findings += [f for f in former if f.id == rule.id]
            continue
        try:
            found = rule.check(facts)
        except Missing:
            continue
        if found is not None:
            findings.append(found)
    return findings


def holding(findings: Iterable[Reason]) -> List[str]:
    """Return the ids of the findings that hold."""
    return [f.id for f in findings if f.holds]
