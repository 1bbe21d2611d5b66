"""The abort rules in the plan of a recovery test."""

import pytest

from ...guard.abort.rules import RULES
from ...report.plan import rules
from ...report.recovery.plan import shown
from ..data.recovery_rig import request

NEVER = 'never ends this test'
AFTER = 'ends this test after 120 s without a break'


@pytest.mark.parametrize('scenario', ['backfill', 'osd-stop'])
def test_a_plan_has_the_abort_rules(rig, scenario):
    draft = rig.service.tests.draft(request(scenario))
    assert [ident for ident, _ in draft.abort_rules] == [r.id for r in RULES]
    text = shown(draft).text
    assert 'aborts on  EMERGENCY_STOP' in text
    assert max(map(len, rules(draft.abort_rules))) <= 100


def test_they_are_those_of_the_scenario(rig):
    stopping = dict(rig.service.tests.draft(request('osd-stop')).abort_rules)
    assert stopping['PG_DEGRADED'].endswith(NEVER)
    assert stopping['SLOW_OPS'].endswith(AFTER)
    assert 'this test' not in stopping['OSD_DOWN']
    moving = dict(rig.service.tests.draft(request('backfill')).abort_rules)
    assert not any('this test' in text for text in moving.values())


def test_the_result_says_the_same(rig):
    done = rig.execute(request('osd-stop', repetitions=1))
    planned = rig.service.tests.draft(request('osd-stop')).abort_rules
    told = [(r['rule'], r['threshold']) for r in done.settings['rules']]
    assert told == list(planned)
