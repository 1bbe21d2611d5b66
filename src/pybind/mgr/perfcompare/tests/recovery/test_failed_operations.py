"""Operations of a test's load that fail: the error budget holds."""

import pytest

from ...drivers.rados.background import RadosBackground
from ...model.recovery import TestState
from ...recovery.run.clientload import ClientLoad
from ..data.recovery_rig import request

ENDED = 'its gateway ended: killed by signal 9'


@pytest.fixture(autouse=True)
def failing(rig, monkeypatch):
    """Let operations of the load beside the steps fail."""

    def begins(load, *parts):
        rig.launcher.steps, rig.launcher.failing = 100_000, 10
        start(load, *parts)

    start = ClientLoad.start
    monkeypatch.setattr(ClientLoad, 'start', begins)


@pytest.mark.parametrize('scenario', ['backfill', 'osd-down'])
def test_a_test_whose_operations_fail_ends_as_a_run_does(rig, scenario):
    test = rig.execute(request(scenario, workloads=('write',)))
    assert test.state is TestState.STOPPED
    assert test.reason.startswith('ERROR_BUDGET: ')
    assert test.reason.endswith('-client failed')
    (rule,) = [
        r for r in test.settings['rules'] if r['rule'] == 'ERROR_BUDGET'
    ]
    assert rule['fired'] and not rule['worst'].startswith('0 of ')
    assert all(o.up and o.in_ for o in rig.cluster.osds.values())


def test_what_served_them_and_ended_is_named(rig, monkeypatch):
    monkeypatch.setattr(RadosBackground, 'problem', lambda *group: ENDED)
    test = rig.execute(request('backfill', workloads=('write',)))
    assert test.reason.startswith('ERROR_BUDGET: ')
    assert test.reason.endswith(f'-client failed; {ENDED}')
