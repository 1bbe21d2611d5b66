"""Ended runs are judged once, and what came of it stands in lists."""

import dataclasses
import math

import pytest

from ...analysis.comparison import compare
from ...analysis.evidence import Limits
from ...app.verdicts import RunJudge, counted
from ...common.errors import NotFound
from ...model.run import RunEvent, RunState
from ...model.workload import RbdShape, S3Shape
from ...report import listing
from ...store.damaged import Damaged
from ...store.results import FileDatabase, Store
from ...store.rows import RunVerdicts
from ..data.comparison_data import Scene
from ..data.run_data import make_run

RATIOS = {'write-4K-c16': 0.5, 'rand-4K-c16': 2.0, 'write-4M-c16': 1.0}


class Database:
    def __init__(self):
        self.store = Store(FileDatabase())

    def call(self, work, timeout=5.0):
        return work(self.store)


def ended(ident, created=0.0, groups=('x86', 'arm')):
    run = make_run(ident)
    names = [g.name for g in run.plan.groups]
    plan = dataclasses.replace(
        run.plan,
        groups=tuple(
            dataclasses.replace(run.plan.groups[0], name=n) for n in groups
        ),
    )
    assert names[:2] == ['x86', 'arm']
    return dataclasses.replace(
        run,
        plan=plan,
        created=created,
        ended=created + 60,
        state=RunState.COMPLETED,
        events=(RunEvent(1.0, RunState.COMPLETED, ''),),
    )


@pytest.fixture
def database():
    return Database()


def judge(database, asked=None, limits=Limits(), fails=()):
    made = Scene(RATIOS, rounds=7, noise=0.01, seed=4)

    def comparison(baseline, candidate, run):
        if asked is not None:
            asked.append((baseline, candidate, run))
        if run in fails:
            raise NotFound('there is nothing to compare')
        return compare(made.side('x86'), made.side('arm'))

    return RunJudge(database, comparison, lambda: limits)


def listed(database):
    return {run.id: run for run in database.store.list_runs().runs}


def test_each_run_is_judged_once_the_newest_first(database):
    for number, name in enumerate(('0a000000', '0b000000')):
        database.store.put_run(ended(name, created=float(number)))
    found = listed(database)
    assert [r.verdicts for r in found.values()] == [None, None]
    assert found['0a000000'].workloads == ('write-4K-c16', 'rand-64K-c4/osd')
    asked = []
    one = judge(database, asked)
    while one.judge_one():
        pass
    assert [run for _, _, run in asked] == ['0b000000', '0a000000']
    assert listed(database)['0a000000'].verdicts == (
        RunVerdicts('arm', faster=1, slower=1, no_difference=1),
    )
    assert not judge(database, asked).judge_one()
    assert len(asked) == 2


def test_other_rules_judge_anew(database):
    database.store.put_run(ended('0a000000'))
    asked = []
    assert judge(database, asked).judge_one()
    assert not judge(database, asked).judge_one()
    other = dataclasses.replace(Limits(), host_busy=0.123)
    assert judge(database, asked, other).judge_one()
    assert len(asked) == 2


def test_a_run_under_way_is_not_judged(database):
    run = dataclasses.replace(
        ended('0a000000'), state=RunState.TRIAL, ended=None
    )
    database.store.put_run(run)
    assert not judge(database).judge_one()
    assert listed(database)['0a000000'].verdicts is None


def test_what_cannot_be_compared_came_to_nothing(database):
    """It is no error, and is not tried again and again."""
    database.store.put_run(ended('0a000000'))
    database.store.put_run(ended('0b000000', groups=('x86',)))
    asked = []
    one = judge(database, asked, fails=('0a000000',))
    while one.judge_one():
        pass
    assert len(asked) == 1
    assert {r.verdicts for r in listed(database).values()} == {()}


def test_several_candidates_stand_beside_each_other(database):
    database.store.put_run(ended('0a000000', groups=('x86', 'arm', 'old')))
    assert judge(database).judge_one()
    (run,) = database.store.list_runs().runs
    assert [v.candidate for v in run.verdicts] == ['arm', 'old']
    line = listing.runs(database.store.list_runs())
    assert 'arm: 1 faster, 1 slower, 1 no difference; old: 1 faster' in line


def test_workloads_are_found_and_damage_is_told(database):
    database.store.put_run(ended('0a000000'))
    assert database.store.list_runs(find='rand-64K').total == 1
    assert database.store.list_runs(find='s3-get').total == 0
    judge(database).judge_one()
    with database.store.database.transaction(write=True) as conn:
        conn.execute("UPDATE outcome SET verdicts = '[{', workloads = '{'")
    (run,) = database.store.list_runs().runs
    assert run.verdicts is None
    assert 'its verdicts' in run.reason


def test_a_removed_run_takes_its_verdicts_along(database):
    database.store.put_run(ended('0a000000'))
    judge(database).judge_one()
    database.store.rm_run('0a000000')
    with database.store.database.transaction() as conn:
        assert conn.execute('SELECT count(*) FROM outcome').fetchone()[0] == 0


@pytest.mark.parametrize('error', [Damaged('odd'), ValueError('odd')])
def test_a_run_that_cannot_be_read_stops_no_other(
    database, monkeypatch, error
):
    for number, name in enumerate(('0a000000', '0b000000', '0c000000')):
        database.store.put_run(ended(name, created=float(number)))
    get = database.store.get_run

    def damaged(name):
        if name == '0c000000':
            raise error
        return get(name)

    monkeypatch.setattr(database.store, 'get_run', damaged)
    one = judge(database)
    while one.judge_one():
        pass
    found = {i: run.verdicts for i, run in listed(database).items()}
    assert found['0c000000'] is None
    assert found['0a000000'] and found['0b000000']


def paced(ratio=1.0, percentiles=('p50', 'p99'), rate=1000.0, **load):
    """Compare at a rate; arm takes ten times as long for an operation."""
    name = 'rand-4K-c16'
    made = Scene({name: ratio}, rounds=7, noise=0.001)
    plan = made.run.plan
    workloads = tuple(
        dataclasses.replace(w, rate=rate, **load)
        for w in plan.profile.workloads
    )
    profile = dataclasses.replace(plan.profile, workloads=workloads)
    made.run = dataclasses.replace(
        made.run, plan=dataclasses.replace(plan, profile=profile)
    )
    for i, trial in enumerate(made.trials):
        seconds = 0.1 if trial.group == 'arm' else 0.01
        seconds *= math.exp(0.001 * (i % 5))
        summary = dataclasses.replace(
            trial.summary, percentiles=dict.fromkeys(percentiles, seconds)
        )
        made.trials[i] = dataclasses.replace(trial, summary=summary)
    return counted('arm', compare(made.side('x86'), made.side('arm')))


def test_at_a_rate_the_percentile_counts():
    """Both do what they are asked for, one ten times as slowly."""
    assert paced() == RunVerdicts('arm', slower=1)
    assert paced(rate=None) == RunVerdicts('arm', no_difference=1)


def test_at_a_rate_operations_per_second_count_without_that_percentile():
    none = RunVerdicts('arm', no_difference=1)
    assert paced(percentiles=('p50',)) == none


@pytest.mark.parametrize(
    'load',
    [
        {'rbd': RbdShape(rate=1000.0)},
        {'s3': S3Shape(think_time='10ms')},
    ],
)
def test_of_closed_loops_operations_per_second_count(load):
    none = RunVerdicts('arm', no_difference=1)
    assert paced(rate=None, **load) == none


def test_who_does_not_keep_up_with_a_rate_is_slower():
    assert paced(ratio=0.5, percentiles=()) == RunVerdicts('arm', slower=1)


def test_emulated_groups_are_named_with_their_verdicts():
    made = Scene({'write-4K-c16': 0.5})
    made.change(lambda t: t.group == 'arm', manifest={'emulated': True})
    found = compare(made.side('x86'), made.side('arm'))
    assert counted('arm', found).emulated == ('arm',)
