"""What was noted of trials reaches who compares them."""

from ...analysis import describe
from ...model.trial import Trial, TrialState


def trial(number, evidence, group='arm'):
    return Trial(
        run='0badcafe',
        round=number,
        block=0,
        attempt=1,
        position=0,
        workload='s3-get-4K-c4',
        group=group,
        started=0.0,
        ended=1.0,
        state=TrialState.OK,
        evidence=evidence,
    )


def test_notes_are_shown_once_the_rarest_first():
    often = {'notes': ['hosts: not available (off)']}
    rare = {'notes': ['CORRUPTION: 3 reads returned other bytes']}
    found = describe.trial_notes(
        [trial(1, often), trial(2, often), trial(3, rare)]
    )
    assert found == [
        'note of 1 of 3 trials, first round 3, s3-get-4K-c4 on arm: '
        'CORRUPTION: 3 reads returned other bytes',
        'note of 2 of 3 trials, first round 1, s3-get-4K-c4 on arm: hosts: '
        'not available (off)',
    ]


def test_many_notes_are_counted():
    many = [trial(n, {'notes': ['note ' + n * 'x']}) for n in range(1, 10)]
    found = describe.trial_notes(many)
    assert len(found) == describe.NOTES + 1
    assert found[-1] == (
        '3 more notes of trials: see ceph perfcompare show 0badcafe'
    )


def test_what_holds_for_all_trials_is_not_cut():
    slow = 'small reads wait 40 ms for the other side'
    every = [
        trial(n, {'notes': [f'{n * 100:,} operations were sent again', slow]})
        for n in range(1, 15)
    ]
    one = trial(15, {'notes': ['a host was lost', slow]})
    assert describe.trial_notes([*every, one]) == [
        f'note of 15 of 15 trials, first round 1, s3-get-4K-c4 on arm: {slow}',
        'note of 1 of 15 trials, first round 15, s3-get-4K-c4 on arm: a host '
        'was lost',
        'note of 14 of 15 trials, first round 1, s3-get-4K-c4 on arm: such '
        'as: 100 operations were sent again',
    ]


def test_notes_of_imports_of_former_versions_are_read():
    old = trial(1, {'import': {'tool': 'warp', 'notes': ['ramps included']}})
    assert old.notes == ('ramps included',)
    assert trial(1, {}).notes == ()
