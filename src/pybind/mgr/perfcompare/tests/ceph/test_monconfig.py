"""Which section of the central configuration gives a mon its value."""

import pytest

from perfcompare.ceph import monconfig

OPTION = 'mon_allow_pool_delete'
HOSTS = {'a': 'one.example.com', 'b': 'two', 'b.c': 'two', 'd': ''}


def entry(section, mask='', name=OPTION, value='false'):
    return {'section': section, 'name': name, 'value': value, 'mask': mask}


@pytest.mark.parametrize(
    'dump, found',
    [
        ([entry('global'), entry('mon')], {}),
        ([entry('mon.a', name='mon_data_avail_warn')], {}),
        ([entry('mon.a')], {'a': 'mon.a'}),
        # a prefix of an id, as mons take it
        ([entry('mon.b')], {'b': 'mon.b', 'b.c': 'mon.b'}),
        (
            [entry('mon', 'host:one')],
            {'a': 'mon/host:one', 'd': 'mon/host:one'},
        ),
        # racks are those of hosts in CRUSH: who knows
        ([entry('mon', 'rack:r')], {m: 'mon/rack:r' for m in HOSTS}),
        ([entry('mon.b', 'host:one')], {}),
        # mons have no device class, and `mon` goes before `global`
        ([entry('mon', 'class:ssd')], {}),
        ([entry('global', 'host:one')], {}),
        ([entry('osd.1'), entry('mona')], {}),
    ],
)
def test_sections_narrower_than_that_of_all_mons(dump, found):
    sections = monconfig.sections(dump, HOSTS, OPTION)
    assert sections == {m: (who, 'false') for m, who in found.items()}


def test_the_narrowest_section_counts():
    dump = [
        entry('mon.b.c', value='true'),
        entry('mon.b', value='false'),
        entry('mon', 'host:two', value='false'),
    ]
    for order in (dump, dump[::-1]):
        assert monconfig.sections(order, HOSTS, OPTION) == {
            'b': ('mon.b', 'false'),
            'b.c': ('mon.b.c', 'true'),
            'd': ('mon/host:two', 'false'),
        }
