"""How busy hosts were in each step: beside a test, and compared."""

import dataclasses

import pytest

from ...model.recovery import StepKind, StepResult
from ...model.series import Table, column
from ...ports.trial_watch import Evidence
from ...recovery.judge import comparison
from ...recovery.run.hostload import FIGURES, HostLoad, over
from ...recovery.run.test_recorder import StepRecord
from ...report.recovery import comparison as comparisontext
from ...worker.wire.scrape_jobs import ALONE
from ..data.plans import make as plan
from .test_impact import make as compared

T = 1000.0


def table(*values, every=5.0):
    times = [every * (i + 1) for i in range(len(values))]
    return Table(
        T, column('t', 's', times).values, (column('cpu_busy', '', values),)
    )


def test_interval_counts_where_its_middle_is():
    found = over({'a': table(0.1, 0.5, None, 0.9)}, T + 4, T + 20)
    assert found == {'cpu_busy': pytest.approx(0.7)}


def test_hosts_count_alike_and_what_none_tells_is_not_there():
    tables = {'a': table(0.2, 0.2), 'b': table(0.4, 0.4)}
    assert over(tables, T, T + 10) == {'cpu_busy': pytest.approx(0.3)}
    assert over(tables, T + 60, T + 70) == {}
    assert over({}, T, T + 10) == {}


def test_its_figures_are_had_without_all_others():
    assert set(FIGURES) <= set(ALONE)


class Watch:
    """Be a watch of trials that tells of two hosts."""

    notes = ()

    def __init__(self):
        self.began, self.windows = [], []

    def begin(self, context):
        self.began.append((context.group.name, context.workload.duration))

    def end(self, outcome):
        self.windows.append(outcome and (outcome.started, outcome.ended))
        series = {'host.x86-1': table(0.5), 'host.client': table(0.9)}
        return Evidence(series=series, notes=list(self.notes))


def record(began, ended):
    step = StepResult('x86', 1, 0, StepKind.BASELINE, 'no failure')
    return StepRecord(step, began, ended)


@pytest.fixture
def watch():
    return Watch()


def test_steps_have_what_the_hosts_of_their_osds_did(watch):
    made = plan()
    (group,) = [g for g in made.groups if g.name == 'x86']
    load = HostLoad(made, watch)
    load.begin(group, 'tag', 90.0)
    first, last = load.end([record(T, T + 5), record(T + 5, T + 9)])
    assert first.step.hosts == {'cpu_busy': 0.5}  # not the client's
    assert last.step.hosts == {}
    assert watch.began == [('x86', 90.0)]
    assert watch.windows == [(T, T + 9)]


def test_cut_repetition_waits_for_no_figures(watch):
    made = plan()
    load = HostLoad(made, watch)
    load.begin(made.groups[0], 'tag', 90.0)
    assert load.end(()) == []
    assert watch.windows == [None]


def test_why_hosts_are_not_known_is_said_once(watch):
    watch.notes = ('hosts: not available (nobody answers)',)
    made = plan()
    load = HostLoad(made, watch)
    notes = []
    for _ in range(2):
        load.begin(made.groups[0], 'tag', 90.0)
        (found,) = load.end([record(T, T + 5)])
        notes.append(found.step.notes)
    assert notes == [watch.notes, ()]


def test_groups_are_compared_by_the_cpu_of_their_hosts():
    test = compared({'x86': [10.0], 'arm': [20.0]})
    steps = tuple(
        dataclasses.replace(
            s, hosts={'cpu_busy': 0.5 if s.group == 'x86' else 0.25}
        )
        for s in test.steps
    )
    found = comparison.compare(dataclasses.replace(test, steps=steps))
    row = found.hosts[0]
    assert (row.figure, row.verdict) == ('CPU busy', None)
    text = comparisontext.render(found)
    assert 'CPU busy' in text and '50.0%' in text
