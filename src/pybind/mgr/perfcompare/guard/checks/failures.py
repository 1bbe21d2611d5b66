"""What a recovery test that makes OSDs fail needs, before all else."""

from ...model.recovery import Scenario
from .finding import CheckContext, Findings, ok, refuse


def allowed(s: CheckContext) -> Findings:
    """Refuse failures on purpose while the option forbids them."""
    scenario = failing(s)
    if not scenario:
        return []
    message = f'scenario {scenario!r} makes OSDs fail'
    if s.settings.allow_failure_tests:
        return [ok(message + ', as the option allow_failure_tests allows')]
    return [
        refuse(
            message + ', which is switched off',
            'an administrator allows it: `ceph config set mgr '
            'mgr/perfcompare/allow_failure_tests true`',
        )
    ]


def consent(s: CheckContext) -> Findings:
    """Ask for consent to failures, whatever the pools hold."""
    scenario = failing(s)
    if not scenario:
        return []
    return [
        refuse(
            f'scenario {scenario!r} touches all data on its OSDs',
            'read the plan, then repeat with --yes-i-really-mean-it',
        )
    ]


def failing(s: CheckContext) -> str:
    """Return the scenario of a test that makes OSDs fail, else nothing."""
    test = s.plan.recovery
    if test is None or test.scenario is Scenario.BACKFILL:
        return ''
    return str(test.scenario.value)
