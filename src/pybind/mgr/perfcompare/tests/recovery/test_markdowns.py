"""OSDs that recovery tests mark down, on fakes."""

from ...common.errors import PerfcompareError
from ...execution.heartbeat import PERIOD
from ...model.recovery import StepKind, TestState
from ...recovery.run import markdowns
from ..data.recovery_rig import Watched, osds_called, request


def test_osd_is_not_marked_down_so_often_that_it_ends(rig):
    """An OSD shuts itself down after osd_max_markdown_count in a period."""
    rig.cluster.osd_defaults['osd_max_markdown_count'] = '3'
    rig.cluster.osd_defaults['osd_max_markdown_period'] = '900'
    times = []
    down = rig.cluster.osd_down

    def spy(osd):
        times.append(rig.clock.wall())
        down(osd)

    rig.cluster.osd_down = spy
    signs = signs_of_life(rig)
    test = rig.execute(request('osd-down', groups=('x86',), repetitions=5))
    assert max(b - a for a, b in zip(signs, signs[1:])) <= 2 * PERIOD
    assert (test.state, test.reason) == (TestState.COMPLETED, '')
    assert len(times) == 5
    assert min(b - a for a, b in zip(times, times[2:])) >= 900.0
    texts = [e['message'] for e in test.settings['events']]
    assert any('shuts itself down' in text for text in texts)


def signs_of_life(rig):
    """Return when a Manager that takes over would know of the test."""
    signs = []
    keep = rig.cluster.kv_set

    def spy(key, value):
        if key == 'active/seen':
            signs.append(float(value))
        keep(key, value)

    rig.cluster.kv_set = spy
    return signs


def times_down(rig, cut_after=99):
    """Return when OSDs are marked down, by their numbers."""
    times = {}
    down = rig.cluster.osd_down

    def spy(osd):
        times.setdefault(osd, []).append(rig.clock.wall())
        down(osd)
        if sum(map(len, times.values())) == cut_after:
            raise PerfcompareError('no answer')

    rig.cluster.osd_down = spy
    return times


def test_osd_counts_what_a_test_before_did_to_it(rig):
    """The next test takes the same OSD, which counts on."""
    times = times_down(rig)
    for _ in range(3):
        test = rig.execute(request('osd-down', groups=('x86',)))
        assert test.state is TestState.COMPLETED
    (found,) = times.values()
    assert len(found) == 6
    # 4 of 5 within 10 minutes
    assert min(b - a for a, b in zip(found, found[4:])) >= 600.0


def test_osd_counts_steps_that_were_cut_and_have_no_result(rig):
    times = times_down(rig, cut_after=4)
    wanted = request('osd-down', groups=('x86',), repetitions=4)
    test = rig.execute(wanted)
    assert test.state is TestState.FAILED
    assert sum(s.kind is StepKind.DOWN for s in test.steps) == 3
    rig.execute(request('osd-down', groups=('x86',), repetitions=1))
    (found,) = times.values()
    assert found[4] - found[0] >= 600.0


def test_osd_that_ends_when_it_is_marked_down_is_a_leftover(rig, monkeypatch):
    monkeypatch.setattr(Watched, 'clean', False)
    down = rig.cluster.osd_down

    def ends(osd):
        down(osd)
        rig.cluster.set_osd(osd, up=False)

    rig.cluster.osd_down = ends
    test = rig.execute(request('osd-down', groups=('x86',)))
    assert test.state is TestState.FAILED
    (osd,) = osds_called(rig.cluster, 'osd_down')
    warning = str(rig.cluster.warnings['PERFCOMPARE_LEFTOVERS'])
    assert f'osd_down {osd}' in warning


def test_osd_is_not_marked_down_where_nobody_will_remember_it(rig):
    keep = rig.cluster.kv_set

    def lost(key, value):
        if key == markdowns.KEY:
            raise PerfcompareError('the mon store is silent')
        keep(key, value)

    rig.cluster.kv_set = lost
    test = rig.execute(request('osd-down', groups=('x86',)))
    assert test.state is TestState.FAILED
    assert not rig.cluster.called('osd_down')
