"""What commands say of runs and of recovery tests."""

import dataclasses

from ...app.requests import RunDetail, Status, Stopping, Ticket
from ...model.run import Progress, RunState
from ...model.trial import Trial, TrialState
from ...report import listing
from ...store.rows import RunInfo, RunPage, RunVerdicts
from ..data.run_data import make_run

TICKET = Ticket(
    'a1b2c3d4', ('x86', 'arm'), 'recovery-osd-down', 60.0, 90.0, 1, (), 'next'
)


def test_a_recovery_test_is_not_called_a_run():
    first = listing.ticket(TICKET, 'osd-down').splitlines()[0]
    assert first == (
        'recovery test a1b2c3d4 accepted: x86, arm, scenario osd-down'
    )
    ended = listing.stopping(Stopping('a1b2c3d4', False, True, test=True))
    assert ended.startswith('recovery test a1b2c3d4 is ending: ')
    under_way = Progress(
        'a1b2c3d4', RunState.TRIAL, 0.5, 9.0, 1, 3, '', scenario='osd-down'
    )
    shown = listing.status(Status(under_way)).splitlines()[0]
    assert shown.split() == ['test:', 'a1b2c3d4']


def test_what_an_operator_stopped_is_not_said_to_be_undone():
    found = Stopping('a1b2c3d4', False, True)
    own = 'OSDs that you stopped stay down until you start them'
    assert own not in listing.stopping(found)
    test = dataclasses.replace(found, test=True)
    assert f'undone; {own}; see' in listing.stopping(test)


def test_of_many_load_hosts_their_number_is_told():
    """Nor is it said that one loads: `stop` does not know."""
    for hosts, named in (
        (['a'], 'any load on a is '),
        (['a', 'b', 'c', 'd'], 'any load on a, b, c, d is '),
        (list('abcde'), 'any load on 5 load hosts is '),
    ):
        told = listing.stopping(
            Stopping('a1b2c3d4', False, True, tuple(hosts))
        )
        assert named in told and len(told) < 400


def test_what_is_left_of_a_run_is_a_range():
    now = Progress(
        'a1b2c3d4', RunState.TRIAL, 0.5, 380.0, 1, 3, '', eta_least=42.0
    )
    shown = listing.status(Status(now))
    assert 'left:      50 s to 6 min 20 s\n' in shown
    over = dataclasses.replace(now, state=RunState.FINISHING)
    assert 'left:      cleaning up\n' in listing.status(Status(over))


def test_a_run_is_called_one():
    first = listing.ticket(TICKET).splitlines()[0]
    assert (
        first == 'run a1b2c3d4 accepted: x86, arm, profile ' + TICKET.profile
    )


def test_a_list_says_who_is_faster():
    run = RunInfo(
        'a1b2c3d4',
        RunState.COMPLETED,
        '',
        'quick',
        ('x86', 'arm', 'old'),
        created=0.0,
        started=None,
        ended=None,
        reason='',
        origin='cli',
        fsid='',
        trials=0,
        bytes=0,
        verdicts=(
            RunVerdicts('arm', faster=1, open=2),
            RunVerdicts('old'),
            RunVerdicts('slow', slower=2, emulated=('slow',)),
        ),
    )
    text = listing.runs(RunPage((run,), 1, 0))
    assert 'x86,arm,old' in text
    assert 'arm: 1 faster, 2 open' in text
    assert 'old:' not in text
    assert 'slow: 2 slower (emulated: slow)' in text


def test_shown_runs_say_which_groups_were_emulated():
    run = make_run()
    trials = (
        Trial(
            run=run.id,
            round=1,
            block=0,
            attempt=1,
            position=0,
            workload='write-4K-c16',
            group='arm',
            started=0.0,
            ended=1.0,
            state=TrialState.OK,
            manifest={'emulated': True},
        ),
    )
    shown = listing.run(RunDetail(run, trials))
    (groups,) = [x for x in shown.splitlines() if x.startswith('groups')]
    assert groups.count('emulated') == 1 and '; emulated)' in groups
