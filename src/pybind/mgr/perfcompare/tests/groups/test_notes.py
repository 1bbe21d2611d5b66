"""Tests of what notes of groups say, in the languages of the page."""

import pytest

from ...groups.repository import GroupRepository
from ...model.group import says_emulated
from ...recovery.observe.scopes import group_scopes
from ..fakes.cluster import FakeCluster


@pytest.mark.parametrize(
    'note',
    [
        'emulated',
        'Emulated, 2 hosts',
        'emuliert',
        'Emuliert mit QEMU',
        'emulierte OSDs',
        '仿真',
        '两台仿真主机',
    ],
)
def test_a_note_says_that_a_group_is_emulated(note):
    assert says_emulated(note)


@pytest.mark.parametrize(
    'note',
    [
        '',
        'not emulated',
        'non-emulated boards',
        'no emulated OSDs',
        'nicht emuliert',
        'nicht-emulierte Karten',
        'keine emulierten OSDs',
        'keinen emulierten Host',
        'keiner emuliert',
        'mit keinem emulierten OSD',
        'nicht mehr emuliert',
        'no longer emulated',
        '不再仿真',
        'Emulation',
        '非仿真',
        '未仿真',
        '没有仿真主机',
        '不是仿真',
    ],
)
def test_a_note_says_that_a_group_is_not_emulated(note):
    assert not says_emulated(note)


def test_what_is_observed_knows_what_the_note_of_a_group_says():
    cluster = FakeCluster()
    book = GroupRepository(cluster)
    host = cluster.osds[0].host
    book.set('slow', [host], None, None, None, 'emulated')
    book.set('fast', [host], None, None, None, 'not emulated')
    found = {s.name: s for s in group_scopes(book, cluster.topology())}
    assert found['slow'].emulated
    assert not found['fast'].emulated
