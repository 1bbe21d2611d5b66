"""How recoveries look on the fake cluster: a test says what PGs report."""

from typing import Dict, List, Tuple

import time

from ...ports.recovery_reads import (
    HINDERING,
    MapFacts,
    OsdFacts,
    PgFacts,
    PgSums,
    PoolFacts,
    Signs,
)
from .reads import FakeReads
from .state import verb


class FakeSights(FakeReads):
    """Implement ``recovery.sights.RecoveryReads``.

    Without a word in ``pg_reports`` all PGs are as ``pg_states_of`` says.
    """

    @property
    def pg_reports(self) -> List[PgFacts]:
        """Return what PGs report where a test has said so."""
        found: List[PgFacts] = self.__dict__.setdefault('_reports', [])
        return found

    @property
    def osd_epochs(self) -> Dict[int, Tuple[int, int, int]]:
        """Return up_from, up_thru and down_at by OSD, for tests to set."""
        found: Dict[int, Tuple[int, int, int]] = self.__dict__.setdefault(
            '_osd_epochs', {}
        )
        return found

    @verb
    def signs(self) -> Signs:
        reports = self._facts()
        return Signs(self.epoch, 1, sum(not pg.clean for pg in reports))

    @verb
    def map_facts(self) -> MapFacts:
        return MapFacts(
            epoch=self.epoch,
            modified=time.time(),
            osds={
                o.id: OsdFacts(
                    o.up,
                    o.in_,
                    1.0 if o.in_ else 0.0,
                    *self.osd_epochs.get(o.id, (1, 1, 0)),
                )
                for o in self.osds.values()
            },
            pools={
                p.id: PoolFacts(
                    p.crush_rule, p.size, p.min_size, p.pg_num, p.pgp_num
                )
                for p in self.pool_table.values()
            },
            crush=1,
            upmaps=hash(repr((self.upmaps, self.upmap_items))),
            temporary=0,
            temporaries=0,
            flags=HINDERING.intersection(self.flags),
        )

    @verb
    def pg_facts(self) -> List[PgFacts]:
        return self._facts()

    def _facts(self) -> List[PgFacts]:
        if self.pg_reports:
            return list(self.pg_reports)
        found = []
        for pool in self.pool_table.values():
            states = [
                state
                for state, count in self._states(pool).items()
                for _ in range(count)
            ]
            for state, mapping in zip(states, self._map(pool)):
                found.append(
                    PgFacts(
                        pgid=f'{pool.id}.{mapping.ps:x}',
                        pool=pool.id,
                        words=tuple(state.split('+')),
                        osds=tuple(o for o in mapping.up if o >= 0),
                        remapped=False,
                        moved=False,
                        copies=pool.objects * pool.size // pool.pg_num,
                        degraded=0,
                        misplaced=0,
                        unfound=0,
                        bytes_recovered=0,
                        objects_recovered=0,
                        last_change=1.0,
                        became_active=1.0,
                        mapping_epoch=1,
                    )
                )
        return found

    @verb
    def pg_sums(self) -> PgSums:
        pgs = self._facts()
        states: Dict[str, int] = {}
        by_osd: Dict[int, Dict[str, int]] = {}
        by_pool: Dict[int, Dict[str, int]] = {}
        for pg in pgs:
            state = '+'.join(pg.words)
            states[state] = states.get(state, 0) + 1
            own = by_pool.setdefault(pg.pool, {})
            own[state] = own.get(state, 0) + 1
            for osd in pg.osds:
                mine = by_osd.setdefault(osd, {})
                mine[state] = mine.get(state, 0) + 1
        return PgSums(
            copies=sum(p.copies for p in pgs),
            degraded=sum(p.degraded for p in pgs),
            misplaced=sum(p.misplaced for p in pgs),
            unfound=sum(p.unfound for p in pgs),
            bytes_recovered=sum(p.bytes_recovered for p in pgs),
            objects_recovered=sum(p.objects_recovered for p in pgs),
            states=states,
            by_osd=by_osd,
            by_pool=by_pool,
        )
