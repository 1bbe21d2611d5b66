"""The checks before a run: one table, one report.

Each row names the facts that its check needs. A check whose facts could not
be read says so with the severity of its row.
"""

from typing import (
    Callable,
    Dict,
    List,
    NamedTuple,
    Optional,
    Set,
    Tuple,
)

import dataclasses
import logging

from ...common.settings import Settings
from ...common.units import count
from ...model.plan import RunPlan
from .. import layout
from ..collect.facts import Facts
from . import (
    capacity,
    client_host,
    cluster_state,
    failures,
    health,
    load_host,
    multisite,
    placement,
    stored_results,
    surroundings,
)
from .finding import CheckContext, Findings, Severity

log = logging.getLogger(__name__)

# checks that --yes-i-really-mean-it answers; all others stand
CONSENT_IDS = frozenset(('LOAD', 'CONSENT'))


class CheckRule(NamedTuple):
    """Tie a check to its id, the facts it needs, and their absence."""

    id: str
    function: Callable[[CheckContext], Findings]
    needs: Tuple[str, ...] = ()  # fields of Facts
    unreadable: Severity = Severity.REFUSE


CHECKS: Tuple[CheckRule, ...] = (
    CheckRule('HEALTH', health.health, ('health',)),
    CheckRule('PGS', cluster_state.pgs, ('pgs', 'group_pgs')),
    CheckRule('FLAGS', cluster_state.flags, ('flags',)),
    CheckRule('UPGRADE', cluster_state.upgrade, ('upgrade',), Severity.WARN),
    CheckRule('UPGRADE', cluster_state.versions, ('topology',)),
    CheckRule('STRETCH', cluster_state.stretch, ('mon',)),
    CheckRule('CAPACITY', capacity.capacity, ('topology', 'ratios', 'ec_k')),
    CheckRule('LOAD', cluster_state.load, ('pools', 'pool_io')),
    CheckRule('GROUPS', placement.groups, ('topology',)),
    CheckRule('AUTOSCALER', cluster_state.autoscaler, ('pools',)),
    CheckRule(
        'POOL_DELETE',
        placement.pool_delete,
        ('pool_delete', 'new_pools_nodelete'),
    ),
    CheckRule(
        'PG_LIMIT',
        capacity.pg_limit,
        ('osd_pgs', 'max_pg_per_osd'),
        Severity.WARN,  # the monitors refuse such pools themselves
    ),
    CheckRule(
        'OWNERSHIP',
        placement.ownership,
        ('pools', 'rules', 'topology', 'ec_profiles', 'entities'),
    ),
    CheckRule('CLIENT', client_host.local_client, ('topology', 'machines')),
    CheckRule('CLIENT', load_host.load_host, ('entities',)),
    CheckRule('CLIENT', load_host.enough, (), Severity.WARN),
    CheckRule('CLIENT', client_host.memory, ('machines',), Severity.WARN),
    CheckRule('CLIENT', client_host.tools, ('tools',)),
    CheckRule('RESULTS', stored_results.stored_results),
    CheckRule(
        'MULTISITE', multisite.multisite, ('gateway_zones',), Severity.WARN
    ),
    CheckRule('STANDBYS', surroundings.standbys, ('mgr',), Severity.WARN),
    CheckRule(
        'BALANCER', surroundings.balancer, ('balancer',), Severity.WARN
    ),
    CheckRule('SCRUB', surroundings.scrub, ('group_pgs',), Severity.WARN),
    CheckRule(
        'MCLOCK', surroundings.mclock, ('osd_settings',), Severity.WARN
    ),
    CheckRule(
        'PG_STATS', surroundings.pg_stats, ('stats_kept',), Severity.WARN
    ),
    CheckRule('CLOCK', surroundings.clock, ('health',), Severity.WARN),
    CheckRule('SINGLETON', surroundings.singleton),
    CheckRule('MAXTIME', client_host.maxtime),
    CheckRule('FAILURES', failures.allowed),
    CheckRule('CONSENT', failures.consent),
    CheckRule('CONSENT', cluster_state.consent, ('pools', 'pool_io')),
)


@dataclasses.dataclass(frozen=True)
class Check:
    """Report one preflight check."""

    id: str  # HEALTH, PGS, … as in the documentation
    severity: Severity
    message: str  # what was found
    remedy: str = ''


@dataclasses.dataclass(frozen=True)
class PreflightReport:
    """Hold all checks in the order of the table, and what follows."""

    checks: Tuple[Check, ...]
    refused: bool  # nothing but a change of cluster or plan helps
    needs_consent: bool  # --yes-i-really-mean-it would help
    # ids of the checks that ask for consent, whether it was given or not
    asks: Tuple[str, ...] = ()

    @property
    def may_run(self) -> bool:
        """Say whether a run may start now."""
        return not self.refused and not self.needs_consent

    def of(self, severity: Severity) -> List[Check]:
        """Return the checks of one severity."""
        return [c for c in self.checks if c.severity is severity]

    @property
    def reason(self) -> str:
        """Return in one line why no run may start, empty when it may."""
        refused = self.of(Severity.REFUSE)
        hard = [c for c in refused if c.id not in self.asks]
        if not refused:
            return ''
        shown = hard or refused
        more = len(shown) - 1
        text = f'{shown[0].id}: {shown[0].message}; {shown[0].remedy}'
        return text + (
            f' (and {count(more, "more finding")})' if more else ''
        )


def preflight(
    facts: Facts,
    plan: RunPlan,
    settings: Settings,
    active_run: Optional[str] = None,
) -> PreflightReport:
    """Judge all facts; never raises for what the cluster looks like."""
    situation = CheckContext(facts, plan, settings, active_run)
    checks: List[Check] = []
    asks: Set[str] = set()
    for rule in CHECKS:
        checks += _apply(rule, situation, asks)
    refused = {c.id for c in checks if c.severity is Severity.REFUSE}
    return PreflightReport(
        tuple(checks),
        refused=bool(refused - asks),
        needs_consent=bool(refused & asks),
        asks=tuple(sorted(asks)),
    )


def _apply(
    rule: CheckRule, situation: CheckContext, asks: Set[str]
) -> List[Check]:
    """Return what a check says; add it to those that ask for consent."""
    missing = [
        f'{name.replace("_", " ")} ({situation.facts.errors[name]})'
        for name in rule.needs
        if name in situation.facts.errors
    ]
    if missing:
        return [
            _consented(
                Check(
                    rule.id,
                    rule.unreadable,
                    f'could not be read: {layout.names(missing)}',
                    'repeat the command; see `ceph -s` if it stays so',
                ),
                situation.plan,
                asks,
            )
        ]
    try:
        findings = rule.function(situation)
    except Exception as error:
        # an unforeseen state of the cluster must refuse, not pass
        log.exception('preflight check %s failed', rule.id)
        return [
            Check(
                rule.id,
                Severity.REFUSE,
                f'the check failed: {type(error).__name__}: {error}',
                'please report this with the log of the active Manager',
            )
        ]
    return [
        _consented(
            Check(rule.id, f.severity, f.message, f.remedy),
            situation.plan,
            asks,
        )
        for f in findings
    ]


def _consented(check: Check, plan: RunPlan, asks: Set[str]) -> Check:
    """Note a refusal that consent answers; given, it is a warning."""
    if check.id not in CONSENT_IDS or check.severity is not Severity.REFUSE:
        return check
    asks.add(check.id)
    if not plan.options.consent:
        return check
    return dataclasses.replace(
        check, severity=Severity.WARN, remedy='consent was given'
    )


def text(report: PreflightReport, width: int = layout.WIDTH) -> str:
    """Return the report as an aligned table and a line of judgment."""
    rows = []
    for check in report.checks:
        found = check.message
        if check.remedy:
            found += f'\n-> {check.remedy}'
        rows.append((check.id, check.severity.value.upper(), found))
    lines = layout.table(('CHECK', 'RESULT', 'FOUND'), rows, width)
    numbers: Dict[str, int] = {
        severity.value: len(report.of(severity)) for severity in Severity
    }
    lines.append('')
    if report.refused:
        judged = 'A run is refused'
    elif report.needs_consent:
        judged = 'A run needs --yes-i-really-mean-it'
    else:
        judged = 'A run may start'
    lines.append(
        f'{judged}: {numbers["refuse"]} refused, '
        f'{count(numbers["warn"], "warning")}, {numbers["info"]} noted, '
        f'{numbers["ok"]} ok.'
    )
    return '\n'.join(lines)
