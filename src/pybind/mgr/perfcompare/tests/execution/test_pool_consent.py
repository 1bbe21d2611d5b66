"""Runs on a cluster as it comes: its mons let nobody remove pools."""

import dataclasses

import pytest

from ...common.errors import Busy
from ...guard.checks.finding import Severity
from ...model.run import RunState
from ...report import plan as plantext
from ...undo.journal import Journal, Kind
from ..fakes.running import (  # noqa: F401
    REQUEST,
    cluster,
    folder,
    left,
    rig,
)

OPTION = 'mon_allow_pool_delete'


@pytest.fixture
def denying(cluster):  # noqa: F811
    cluster.mon_runtime[OPTION] = 'false'
    return cluster


def consent(rig):  # noqa: F811
    rig.settings = dataclasses.replace(rig.settings, enable_pool_delete=True)


def test_without_consent_the_plan_says_what_to_do(denying, rig):  # noqa: F811
    text = plantext.shown(rig.service.draft(REQUEST)).text
    flat = ' '.join(text.split())
    assert f'{OPTION} is false in mon.a' in flat
    assert 'mgr/perfcompare/enable_pool_delete true' in flat
    rig.wait(lambda: not rig.service.status().warnings)
    with pytest.raises(Busy, match='POOL_DELETE'):
        rig.service.start(REQUEST)
    assert left(denying) == []


def test_consent_given_once_is_explained_by_the_plan(
    denying, rig  # noqa: F811
):
    consent(rig)
    draft = rig.service.draft(REQUEST)
    (check,) = [c for c in draft.preflight.checks if c.id == 'POOL_DELETE']
    assert check.severity is Severity.WARN
    flat = ' '.join(plantext.shown(draft).text.split())
    assert f'{OPTION} is set to true for the moments' in flat
    assert not rig.service.preflight(REQUEST).refused


def test_run_with_consent_changes_the_option_for_moments(
    denying, rig  # noqa: F811
):
    consent(rig)
    assert rig.execute().run.state is RunState.COMPLETED
    made = [c.args for c in denying.called('config_set')]
    removed = [c.args for c in denying.called('config_remove')]
    assert ('mon', OPTION, 'true') in made
    # each time that it was set it was taken out again
    assert len(removed) == sum(args[1] == OPTION for args in made) > 1
    assert denying.config_get('mon', OPTION) is None
    assert left(denying) == []


def test_option_left_by_a_dead_manager_is_restored(
    denying, rig  # noqa: F811
):
    """kill -9 between change and restore: its entry is all that is left."""
    rig.wait(lambda: not rig.service.status().warnings)
    run = '0badcafe'
    Journal(denying).intend(
        run,
        Kind.CONFIG,
        OPTION,
        {'who': 'mon'},
        value='true',
        previous=None,
        was_set=False,
    )
    denying.config_set('mon', OPTION, 'true')
    report = rig.service.cleanup()
    assert not report.leftovers
    assert denying.config_get('mon', OPTION) is None
    assert left(denying) == []
