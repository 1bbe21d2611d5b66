"""What commands say of runs and of recovery tests."""

from ...app.requests import Status, Stopping, Ticket
from ...model.run import Progress, RunState
from ...report import listing

TICKET = Ticket(
    'a1b2c3d4', ('x86', 'arm'), 'recovery-osd-down', 60.0, 90.0, 1, (), 'next'
)


def test_a_recovery_test_is_not_called_a_run():
    first = listing.ticket(TICKET, 'osd-down').splitlines()[0]
    assert first == (
        'recovery test a1b2c3d4 accepted: x86, arm, scenario osd-down'
    )
    ended = listing.stopping(
        Stopping('a1b2c3d4', False, True), listing.RECOVERY_TEST
    )
    assert ended.startswith('recovery test a1b2c3d4 is ending: ')
    under_way = Progress(
        'a1b2c3d4', RunState.TRIAL, 0.5, 9.0, 1, 3, '', scenario='osd-down'
    )
    shown = listing.status(Status(under_way)).splitlines()[0]
    assert shown.split() == ['test:', 'a1b2c3d4']


def test_a_run_is_called_one():
    first = listing.ticket(TICKET).splitlines()[0]
    assert (
        first == 'run a1b2c3d4 accepted: x86, arm, profile ' + TICKET.profile
    )
