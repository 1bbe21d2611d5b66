"""What load hosts did that were one client, as `show --hosts` has it."""

import dataclasses

import pytest

from perfcompare.hosts.overview import overview
from perfcompare.model.trial import TrialState
from perfcompare.report import hosts as report

from ..data.run_data import make_run, make_trial


@pytest.fixture
def run():
    return make_run()


def trial(run, told, **values):
    workload = run.plan.profile.workloads[0].name
    group = run.plan.groups[0].name
    base = make_trial(run.id, workload=workload, group=group)
    evidence = {'client': {'hosts': told}}
    return dataclasses.replace(base, evidence=evidence, **values)


def host(name, share, **values):
    return {
        'host': name, 'share': share, 'ops_per_s': 1000 * share, 'busy': 0.5,
        'cores': 0.2, 'late': 0.4, 'clock_ahead': -0.0012,
        'clock_bound': 0.0004, **values,
    }  # fmt: skip


def test_shares_are_medians_over_the_trials_that_count(run):
    found = overview(
        run,
        [
            trial(run, [host('b', 0.4), host('a', 0.6)]),
            trial(run, [host('b', 0.5), host('a', 0.5)]),
            trial(run, [host('b', 0.6), host('a', 0.4)]),
            trial(run, [host('b', 9.0)], state=TrialState.VOID),
            trial(run, [host('b', 9.0)], round=0),
        ],
    ).load_hosts
    assert [(s.host, s.trials, s.share) for s in found] == [
        ('a', 3, 0.5),
        ('b', 3, 0.5),
    ]
    told = [host('a', 0.5, part=0.375)]
    text = report.render(overview(run, [trial(run, told)]))
    assert 'LOAD HOST' in text
    line = next(row for row in text.splitlines() if ' a ' in row)
    assert line.split()[2:] == [
        '37.5%', '50.0%', '500', '50.0%', '0.20', '0.4', 's', '-1.2', 'ms', '(±',
        '0.4)', '-',
    ]  # fmt: skip
    # trials of former versions do not tell it
    (former,) = overview(run, [trial(run, [host('a', 0.5)])]).load_hosts
    assert former.part is None


def test_errors_are_those_of_all_trials(run):
    told = [host('a', 0.5, errors=3)], [host('a', 0.5, errors=4)]
    found = overview(run, [trial(run, one) for one in told])
    assert [s.errors for s in found.load_hosts] == [7]
    lines = report.render(found).splitlines()
    (line,) = [row for row in lines if ' a ' in row]
    assert line.split()[-1] == '7'


@pytest.mark.parametrize('told', [None, 3, 'x', [4, None], [{'share': 1.0}]])
def test_what_is_no_list_of_hosts_is_left_out(run, told):
    assert overview(run, [trial(run, told)]).load_hosts == ()


def test_odd_figures_are_not_available(run):
    odd = host('a', True, busy='x', cores=float('nan'), clock_ahead=None)
    found = overview(run, [trial(run, [odd])])
    (share,) = found.load_hosts
    assert (share.share, share.busy, share.cores) == (None, None, None)
    assert ' - ' in report.render(found)
