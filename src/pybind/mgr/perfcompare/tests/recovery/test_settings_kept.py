"""The balancer and other settings that recovery tests leave as they were."""

import pytest

from ...common.errors import PerfcompareError
from ...model.recovery import TestState
from ...recovery.judge.comparison import compare
from ...undo.config import restore
from ...undo.entries import Entry, Kind
from ..data.recovery_rig import request
from ..fakes.clock import FakeClock

MODE = 'mgr/balancer/mode'


ACTIVE = 'mgr/balancer/active'


def test_balancer_is_idle_meanwhile_and_as_before_after(rig):
    # as it says within a minute of another test
    rig.cluster.balancer = {'active': False, 'mode': 'upmap'}
    seen = []
    down = rig.cluster.osd_down

    def spy(osd):
        seen.append(dict(rig.cluster.config))
        down(osd)

    rig.cluster.osd_down = spy
    before = dict(rig.cluster.config)
    test = rig.execute(
        request('osd-down', mclock_profile='high_recovery_ops')
    )
    assert test.state is TestState.COMPLETED, test.reason
    for config in seen:
        assert config[('mgr', MODE)] == 'none'
        assert config[('osd', 'osd_mclock_profile')] == 'high_recovery_ops'
    assert seen and rig.cluster.config == before
    # a running mgr is not told that an option is unset again
    assert rig.cluster.module_options[MODE] == 'upmap'


@pytest.mark.parametrize('queue', ['wpq', 'mclock_scheduler'])
def test_a_profile_that_osds_do_not_use_is_refused(rig, queue):
    rig.cluster.osd_runtime[2] = {'osd_op_queue': queue}
    wanted = request('backfill', mclock_profile='high_recovery_ops')
    draft = rig.service.tests.draft(wanted)
    refused = [c for c in draft.preflight.checks if c.severity == 'refuse']
    if queue != 'wpq':
        assert not refused
        return
    (check,) = refused
    assert check.id == 'MCLOCK'
    assert check.message == (
        '--mclock-profile high_recovery_ops has no effect: osd_op_queue is '
        'wpq on osd.2'
    )
    with pytest.raises(PerfcompareError, match='has no effect'):
        rig.launch(wanted)
    draft = rig.service.tests.draft(request('backfill'))
    assert not [c for c in draft.preflight.checks if c.severity == 'refuse']


def test_sleeps_of_recovery_that_differ_are_told(rig):
    for osd in (0, 1, 2, 3):
        value = '0.1' if osd in (0, 1) else '0'
        rig.cluster.osd_runtime[osd] = {'osd_recovery_sleep_hdd': value}
    test = rig.execute(request('osd-down', repetitions=1))
    assert any(
        n.startswith('osd_recovery_sleep_hdd differs: ')
        for n in compare(test).notes
    )


def test_balancer_that_is_switched_off_in_mid_test_stays_off(rig):
    down = rig.cluster.osd_down

    def operator(osd):
        rig.cluster.config_set('mgr', ACTIVE, 'false')
        down(osd)

    rig.cluster.osd_down = operator
    test = rig.execute(request('osd-down'))
    assert test.state is TestState.COMPLETED, test.reason
    assert rig.cluster.config[('mgr', ACTIVE)] == 'false'
    assert ('mgr', MODE) not in rig.cluster.config
    assert rig.cluster.module_options[MODE] == 'upmap'


def test_mode_that_an_operator_gave_the_balancer_stays(rig):
    rig.cluster.config[('mgr', MODE)] = 'crush-compat'
    down = rig.cluster.osd_down

    def operator(osd):
        rig.cluster.config_set('mgr', MODE, 'upmap-read')
        down(osd)

    rig.cluster.osd_down = operator
    rig.execute(request('osd-down'))
    assert rig.cluster.config[('mgr', MODE)] == 'upmap-read'


def test_undo_that_was_cut_between_two_settings_goes_on(rig):
    cluster = rig.cluster
    cluster.config_set('mgr', MODE, 'upmap')  # on the way to its removal
    entry = Entry(
        'deadbeef', 1, Kind.CONFIG, MODE,
        detail={'who': 'mgr', 'default': 'upmap', 'leaving': 'yes'},
        value='none',
    )  # fmt: skip
    assert restore(cluster, entry, FakeClock()) == ''
    assert ('mgr', MODE) not in cluster.config


def test_default_that_an_operator_set_meanwhile_stays(rig):
    """It is what would be there without it, but it is theirs."""
    down = rig.cluster.osd_down

    def operator(osd):
        rig.cluster.config_set('mgr', MODE, 'upmap')
        down(osd)

    rig.cluster.osd_down = operator
    rig.execute(request('osd-down'))
    assert rig.cluster.config[('mgr', MODE)] == 'upmap'


def test_removal_of_an_option_is_noted_before_it_begins(rig):
    cluster = rig.cluster
    cluster.config_set('mgr', MODE, 'none')
    entry = Entry(
        'deadbeef', 1, Kind.CONFIG, MODE,
        detail={'who': 'mgr', 'default': 'upmap'}, value='none',
    )  # fmt: skip
    noted = []

    def note(changed):
        noted.append((changed.detail['leaving'], cluster.config['mgr', MODE]))

    assert restore(cluster, entry, FakeClock(), note) == ''
    assert noted == [('yes', 'none')]
    assert ('mgr', MODE) not in cluster.config


def test_balancer_that_is_off_is_left_alone(rig):
    rig.cluster.module_options[ACTIVE] = 'false'
    before = len(rig.cluster.called('config_set'))
    rig.execute(request('osd-down'))
    assert len(rig.cluster.called('config_set')) == before
