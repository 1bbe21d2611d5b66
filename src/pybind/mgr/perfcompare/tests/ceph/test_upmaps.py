"""Upmaps that go while OSDs are out, as the mgr's OSD map shows them."""

from ...ceph.cluster import MgrCluster

UP = {'4.1a': [5, 0, 3], '4.b': [0, 1, 3], '4.c': [1, 3, 2], '5.1a': [2, 9]}
MOVES = {'4.1a': (2, 3), '4.b': (2, 3), '4.c': (0, 2), '5.1a': (7, 9)}


class Osdmap:
    """Say where PGs are, by their whole names, as ceph-mgr does."""

    def get_epoch(self):
        return 100

    def pg_to_up_acting_osds(self, pool, ps):
        return {'up': UP[f'{pool}.{ps:x}']}

    def dump(self):
        pools = {4: 'rbd', 5: 'data'}
        return {
            'epoch': 100,
            'osds': [],
            'pools': [{'pool': i, 'pool_name': n} for i, n in pools.items()],
            'pg_upmap_items': [
                {'pgid': pg, 'mappings': [{'from': source, 'to': target}]}
                for pg, (source, target) in MOVES.items()
            ],
            'pg_upmap_primaries': [
                {'pgid': '4.b', 'primary_osd': 3},
                {'pgid': '5.1a', 'primary_osd': 9},
            ],
        }


class Mgr:
    """Be as much of a MgrModule as is asked for upmaps."""

    module_name = 'perfcompare'
    rados = None

    def get_osdmap(self):
        return Osdmap()


def _near(*osds):
    return sorted(MgrCluster(Mgr()).exceptions_near(osds).upmaps)


def test_upmaps_are_near_osds_that_they_name_or_that_have_the_pg():
    assert _near(0) == ['4.1a', '4.b', '4.c']
    assert _near(5) == ['4.1a']
    assert _near(1, 9) == ['4.b', '4.c', '5.1a']
    assert _near(7) == ['5.1a']
    assert _near(8) == []


def test_primaries_that_were_chosen_are_near_likewise():
    cluster = MgrCluster(Mgr())
    assert cluster.foreign_primaries() == {'4.b': 3, '5.1a': 9}
    assert cluster.exceptions_near([0]).primaries == {'4.b': 3}
    assert cluster.exceptions_near([3]).primaries == {'4.b': 3}
    assert cluster.exceptions_near([8]).primaries == {}


def test_a_primary_goes_with_the_upmap_of_its_pg():
    """An upmap that has become void takes the choice along."""
    near = MgrCluster(Mgr()).exceptions_near([7])  # in no up set, a source
    assert sorted(near.upmaps) == ['5.1a']
    assert near.primaries == {'5.1a': 9}


def test_the_map_is_asked_for_once_for_both():
    """The load goes on meanwhile: of a large cluster it is a long time."""
    mgr, asked = Mgr(), []
    osdmap = Osdmap()
    mapped = osdmap.pg_to_up_acting_osds
    osdmap.pg_to_up_acting_osds = lambda *pg: asked.append(pg) or mapped(*pg)
    mgr.get_osdmap = lambda: asked.append('osdmap') or osdmap
    found = MgrCluster(mgr).exceptions_near([3])
    assert found.upmaps and found.primaries
    pgs = {(4, 0x1A), (4, 0xB), (4, 0xC), (5, 0x1A)}  # of others none
    assert asked.count('osdmap') == 1
    assert sorted(pg for pg in asked if pg != 'osdmap') == sorted(pgs)
