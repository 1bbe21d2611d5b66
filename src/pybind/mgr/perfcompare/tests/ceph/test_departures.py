"""Whither PGs go without OSDs: as if all were mapped, at less cost."""

import collections
import random

import pytest

from ...ceph import osdmap as osdmap_data
from ...ceph.cluster import MgrCluster

PGS = 64
# pool -> its rule, and the OSDs that this reaches
POOLS = {1: (0, range(0, 12)), 2: (1, range(12, 20)), 3: (0, range(0, 12))}
SIZE = 3


class Osdmap:
    """Map PGs as CRUSH does: an OSD that is out is passed over."""

    def __init__(self, mgr, out=()):
        self.mgr, self.out = mgr, frozenset(out)

    def get_epoch(self):
        return 100

    def new_incremental(self):
        return Change()

    def apply_incremental(self, change):
        self.mgr.asked['copies'] += 1
        return Osdmap(self.mgr, change.out)

    def pg_to_up_acting_osds(self, pool, ps):
        self.mgr.asked['now' if not self.out else 'then'] += 1
        self.mgr.pools.add(pool)
        return {'up': self.up(pool, ps)}

    def up(self, pool, ps):
        osds = list(POOLS[pool][1])
        random.Random(pool * 1000 + ps).shuffle(osds)
        raw = [o for o in osds if o not in self.out][:SIZE]
        for source, target in self.mgr.upmaps.get((pool, ps), ()):
            if source in raw and target not in self.out:
                raw[raw.index(source)] = target
        return [o for o in raw if o not in self.mgr.down]

    def dump(self):
        return {
            'epoch': 100,
            'osds': [
                {'osd': o, 'up': int(o not in self.mgr.down)}
                for o in range(20)
            ],
            'pools': [
                {
                    'pool': pool,
                    'pool_name': f'pool-{pool}',
                    'pg_num': PGS,
                    'crush_rule': rule,
                }
                for pool, (rule, _) in POOLS.items()
            ],
            'pg_upmap_items': [
                {
                    'pgid': f'{pool}.{ps:x}',
                    'mappings': [{'from': a, 'to': b} for a, b in pairs],
                }
                for (pool, ps), pairs in self.mgr.upmaps.items()
            ],
        }


class Change:
    def set_osd_reweights(self, weights):
        self.out = [o for o, weight in weights.items() if not weight]


class Mgr:
    module_name = 'perfcompare'
    rados = None

    def __init__(self):
        self.asked = collections.Counter()
        self.pools, self.down, self.upmaps = set(), set(), {}

    def get_osdmap(self):
        return Osdmap(self)

    def get(self, name):
        assert name == 'osd_map_crush'
        takes = [('one', -1, range(12)), ('two~ssd', -4, range(12, 20))]
        return {
            'buckets': [
                {'id': i, 'name': n, 'items': [{'id': o} for o in osds]}
                for n, i, osds in takes
            ]
            + [{'id': -2, 'name': 'two', 'items': [{'id': -1}]}],
            'rules': [
                {
                    'rule_id': rule,
                    'steps': [
                        {'op': 'take', 'item': takes[rule][1]},
                        {'op': 'emit'},
                    ],
                }
                for rule in (0, 1)
            ],
        }


@pytest.fixture
def mgr():
    return Mgr()


def whole(mgr, osds):
    """Compare all PGs of all pools."""
    now, then = Osdmap(mgr), Osdmap(mgr, osds)
    found = {}
    for pool in POOLS:
        ids = range(PGS)
        left = osdmap_data.departure(
            osds,
            {f'{pool}.{ps:x}': now.up(pool, ps) for ps in ids},
            {f'{pool}.{ps:x}': then.up(pool, ps) for ps in ids},
        )
        if left.pgs:
            found[f'pool-{pool}'] = left
    return found


@pytest.mark.parametrize('osds', [[0], [3, 4], [12], [0, 13], [19]])
@pytest.mark.parametrize('down', [(), (3,), (3, 12)])
def test_the_answer_is_that_of_all_pgs(mgr, osds, down):
    mgr.down = set(down)
    mgr.upmaps = {(1, 5): [(0, 7)], (1, 9): [(3, 0)], (2, 1): [(12, 13)]}
    assert MgrCluster(mgr).pgs_without(osds) == whole(mgr, osds)


def test_pgs_that_an_upmap_took_from_the_osd_move_as_well(mgr):
    ps = next(p for p in range(PGS) if 0 in Osdmap(mgr).up(1, p))
    others = set(range(12)) - set(Osdmap(mgr).up(1, ps))
    mgr.upmaps = {(1, ps): [(0, min(others))]}
    assert 0 not in Osdmap(mgr).up(1, ps)
    found = MgrCluster(mgr).pgs_without([0])
    assert found == whole(mgr, [0])


def test_a_plan_maps_the_pools_of_a_rule_once(mgr):
    leaving = MgrCluster(mgr).departures()
    for osd in range(12):
        leaving.without([osd])
    assert mgr.pools == {1, 3}  # no rule of 2 reaches them
    pgs = 2 * PGS
    assert mgr.asked['then'] == SIZE * pgs  # each PG with its OSDs
    assert mgr.asked['now'] == pgs + SIZE * pgs
    assert mgr.asked['copies'] == 12
