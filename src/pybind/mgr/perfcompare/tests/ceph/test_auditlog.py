"""Tests of ceph/audit_log.py, with lines as mons of 18.2 and 20.2 write them."""

import json

import pytest

from ...ceph import audit_log as auditlog
from ...ceph.audit_log import asked

T0 = 1795210800.0  # 2026-11-21T21:00:00Z


def line(
    command, at='21:05:00', entity='client.admin', form='cmd={} : dispatch'
):
    text = form.replace('{}', json.dumps(command))
    return {
        'stamp': f'2026-11-20T{at}.000000+0000',
        'message': f"from='client.? 192.0.2.1:0/5' entity='{entity}' {text}",
    }


def flag(verb='set', who=('arm-1',), flags='noout', **more):
    return dict(
        {'prefix': f'osd {verb}-group', 'flags': flags, 'who': list(who)},
        **more,
    )


@pytest.fixture(autouse=True)
def begin(monkeypatch):
    stamp = auditlog._at(line({}, '21:00:00'))
    monkeypatch.setattr(f'{__name__}.T0', stamp)


def test_whoever_sets_a_flag_is_named():
    for form in ("cmd={} : dispatch", "cmd='[{}]': finished", 'cmd=[{}]: x'):
        assert asked([line(flag(), form=form)], 'noout', 'arm-1', T0) == (
            'client.admin'
        )
    several = flag(who=('a', 'arm-1'), flags='noup,noout')
    assert asked([line(several, entity='mgr.x')], 'noout', 'arm-1', T0)


@pytest.mark.parametrize(
    'found',
    [
        line(flag(**auditlog.MARK)),
        line(flag(), at='20:59:00'),
        line(flag(who=('arm-2',))),
        line(flag(flags='noup')),
        line({'prefix': 'osd dump'}),
        {'message': 'osd set-group noout arm-1', 'stamp': ''},
        {'message': "set-group {\"prefix\": "},
        {'message': 'set-group ' + '{' * 5000 + '}' * 5000},
        {'message': 'set-group [{"who": 5}]'},
        {},
    ],
)
def test_what_is_no_wish_of_others_counts_for_nothing(found):
    assert asked([found], 'noout', 'arm-1', T0) == ''


def test_a_log_that_begins_later_tells_nothing_of_before():
    lines = [line({'prefix': 'osd dump'}, '21:05:00'), line(flag('unset'))]
    assert not auditlog.reaches(lines, T0)
    assert auditlog.reaches([line({}, '20:59:00'), *lines], T0)
    # what was done ourselves, at about that time, is in it
    assert auditlog.reaches([line({}, '21:00:01'), *lines], T0)
    assert auditlog.reaches([], T0)  # none is kept
    assert auditlog.reaches([{}], T0)


def test_the_last_wish_counts():
    lines = [line(flag()), line(flag('unset'), '21:06:00')]
    assert asked(lines, 'noout', 'arm-1', T0) == ''
    assert asked(lines[::-1], 'noout', 'arm-1', T0) == 'client.admin'
