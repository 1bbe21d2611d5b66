"""One option that two entries are about: of two Managers, or of two runs."""

import pytest

from ...undo.journal import Journal, Kind
from ..data.bench_data import RUN
from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster

OPTION = 'osd_mclock_profile'
OTHER = 'ffffffff'


@pytest.fixture
def cluster():
    return FakeCluster()


@pytest.fixture
def journal(cluster):
    return Journal(cluster, FakeClock())


def set_option(cluster, journal, run, value):
    """Do as a run that sets an option."""
    previous = cluster.config_get('osd', OPTION)
    journal.intend(
        run,
        Kind.CONFIG,
        OPTION,
        {'who': 'osd'},
        value=value,
        previous=previous,
        was_set=previous is not None,
    )
    cluster.config_set('osd', OPTION, value)


@pytest.mark.parametrize('before', [None, 'balanced'])
@pytest.mark.parametrize('times', [2, 3])
def test_what_a_run_set_again_ends_as_it_was(cluster, journal, before, times):
    """A Manager that thinks it is active may set what its successor set."""
    if before is not None:
        cluster.config_set('osd', OPTION, before)
    for number in range(times):
        set_option(cluster, journal, RUN, f'value-{number}')
    report = journal.undo_all(RUN)
    assert (report.leftovers, report.kept) == ((), ())
    assert cluster.config_get('osd', OPTION) == before
    assert journal.entries(RUN) == []


@pytest.mark.parametrize('runs', [(RUN, OTHER), (OTHER, RUN)])
def test_what_two_runs_set_ends_as_it_was_in_any_order(
    cluster, journal, runs
):
    """The value of another run is no operator's."""
    set_option(cluster, journal, RUN, 'first')
    set_option(cluster, journal, OTHER, 'second')
    reports = [journal.undo_all(run) for run in runs]
    if runs[0] == RUN:
        (left,) = reports[0].leftovers
        assert f"run {OTHER} has set it to 'second' since" in left.reason
        assert 'cleanup' in left.remedy
        assert journal.undo_all(RUN).leftovers == ()
    assert cluster.config_get('osd', OPTION) is None
    assert journal.runs() == []


def test_what_an_operator_set_after_two_runs_stays(cluster, journal):
    set_option(cluster, journal, RUN, 'first')
    set_option(cluster, journal, OTHER, 'second')
    cluster.config_set('osd', OPTION, 'third')
    for run in (RUN, OTHER):
        (kept,) = journal.undo_all(run).kept
        assert "somebody set it to 'third' meanwhile" in kept.reason
    assert cluster.config_get('osd', OPTION) == 'third'
    assert journal.runs() == []


def test_two_entries_that_name_each_other_end(cluster, journal):
    """Odd entries do not wait for each other for ever."""
    for value, previous in (('a', 'b'), ('b', 'a')):
        journal.intend(
            RUN,
            Kind.CONFIG,
            OPTION,
            {'who': 'osd'},
            value=value,
            previous=previous,
            was_set=True,
        )
    cluster.config_set('osd', OPTION, 'b')
    assert journal.undo_all(RUN).leftovers == ()
    assert journal.runs() == []
