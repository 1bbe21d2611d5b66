import dataclasses
import math

from ...analysis.adaptive import certain_round, looks, stopped_workloads
from ...analysis.pairing import pair_blocks, usable_trials
from ...model.trial import TrialState
from ..data.comparison_data import Scene, of

W = 'write-4K-c16'


def pair(scene):
    return pair_blocks(scene.trials, 'x86', 'arm')


def again(scene, where, attempt=2, **fields):
    """Add another attempt of the trials for which ``where`` holds."""
    scene.trials += [
        dataclasses.replace(t, attempt=attempt, **fields)
        for t in scene.trials
        if where(t)
    ]


def test_conditioning_round_is_never_judged():
    found = pair(Scene({W: 2.0}, rounds=7))
    assert [p.baseline.round for p in found.pairs[W]] == list(range(1, 8))
    assert found.incomplete == ()


def test_x_is_positive_when_the_candidate_is_better():
    found = pair(Scene({W: 2.0}, noise=0.0))
    assert all(abs(p.x - math.log(2.0)) < 1e-12 for p in found.pairs[W])
    assert found.x(W) == [p.x for p in found.pairs[W]]
    assert found.x('other') == []


def test_void_trial_makes_its_block_incomplete():
    scene = Scene({W: 2.0})
    cut = {'state': TrialState.VOID, 'reason': 'OSD map changed'}
    scene.change(lambda t: t.round == 3 and t.group == 'arm', **cut)
    found = pair(scene)
    assert len(found.pairs[W]) == 6
    assert len(found.void_trials) == 1
    assert found.incomplete == (
        f'{W} in round 3: trial of arm is void (OSD map changed)',
    )


def test_only_the_last_attempt_of_a_block_counts():
    scene = Scene({W: 2.0})
    again(scene, lambda t: t.round == 3)
    scene.change(
        lambda t: t.round == 3 and t.attempt == 1 and t.group == 'arm',
        state=TrialState.VOID,
    )
    found = pair(scene)
    assert len(found.pairs[W]) == 7
    assert {p.candidate.attempt for p in found.pairs[W]} == {1, 2}
    assert found.repeated_blocks == 1


def test_trials_of_different_attempts_are_never_paired():
    scene = Scene({W: 2.0})
    again(scene, lambda t: t.round == 3 and t.group == 'x86')
    found = pair(scene)
    assert len(found.pairs[W]) == 6
    assert found.incomplete == (f'{W} in round 3: no trial of arm',)


def test_block_of_two_client_hosts_is_not_paired():
    scene = Scene({W: 2.0})
    scene.change(
        lambda t: t.round == 2 and t.group == 'arm',
        manifest={'client_host': 'c2'},
    )
    found = pair(scene)
    assert len(found.pairs[W]) == 6
    assert 'two client hosts, c1 and c2' in found.incomplete[0]


def test_trial_without_operations_has_no_ratio():
    scene = Scene({W: 2.0})
    scene.change(
        lambda t: t.round == 2 and t.group == 'arm',
        summary={'ops_per_s': 0.0},
    )
    found = pair(scene)
    assert found.incomplete == (f'{W} in round 2: no op/s of arm',)


def test_unsteady_trials_are_kept():
    scene = Scene({W: 2.0})
    scene.change(of('arm'), summary={'windows': (1.0, 9.0, 1, 9, 1, 9)})
    assert len(pair(scene).pairs[W]) == 7


def test_usable_trials_are_one_a_block():
    scene = Scene({W: 2.0})
    again(scene, lambda t: t.round == 3)
    found = usable_trials(scene.trials, 'arm')
    assert len(found) == 7
    assert [t.attempt for t in found].count(2) == 1


def test_clock_that_is_set_back_does_not_change_the_order_of_rounds():
    scene = Scene({W: 2.0})
    later = [
        dataclasses.replace(
            t, started=t.started - 1e4 if t.round > 3 else t.started
        )
        for t in scene.trials
    ]
    rounds = list(range(1, 8))
    pairs = pair_blocks(later, 'x86', 'arm').pairs[W]
    assert [p.baseline.round for p in pairs] == rounds
    assert [t.round for t in usable_trials(later, 'arm')] == rounds


def test_runs_are_in_the_order_of_their_beginning():
    first = Scene({W: 2.0}, run='b', rounds=3)
    trials = [
        dataclasses.replace(t, run='a', started=t.started + 1e6)
        for t in first.trials
    ] + first.trials
    pairs = pair_blocks(trials, 'x86', 'arm').pairs[W]
    assert [p.baseline.run for p in pairs] == ['b'] * 3 + ['a'] * 3


def test_looks_depend_on_the_planned_blocks():
    assert looks(5) == ()
    assert looks(6) == looks(7) == (3, 4, 5)
    assert looks(10) == (3, 4, 6)


def test_rounds_up_to_the_next_look_are_certain():
    plan = Scene({W: 7.0}, adaptive=True).run.plan
    found = [certain_round(plan, now) for now in (0, 1, 3, 4, 5, 6)]
    assert found == [3, 3, 3, 4, 5, None]
    assert certain_round(Scene({W: 7.0}).run.plan, 1) is None


def upto(scene, last_round):
    return [t for t in scene.trials if t.round <= last_round]


def test_workload_of_a_large_difference_stops_after_three_blocks():
    scene = Scene({W: 7.0, 'rand-4K-c16': 1.1}, adaptive=True)
    assert stopped_workloads(scene.run.plan, upto(scene, 2)) == frozenset()
    for rounds in (3, 5, 7):
        found = stopped_workloads(scene.run.plan, upto(scene, rounds))
        assert found == {W}


def test_nothing_stops_without_adaptive():
    scene = Scene({W: 7.0})
    assert stopped_workloads(scene.run.plan, scene.trials) == frozenset()


def test_workload_of_three_groups_stops_when_both_are_decided():
    groups = ('x86', 'arm', 'old')
    one = Scene(
        {W: {'arm': 7.0, 'old': 1.0}, 'rand-4K-c16': {'arm': 7, 'old': 0.2}},
        groups=groups,
        adaptive=True,
    )
    found = stopped_workloads(one.run.plan, one.trials)
    assert found == {'rand-4K-c16'}
