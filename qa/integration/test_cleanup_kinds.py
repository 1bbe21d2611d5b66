"""Each kind of journal entry is undone by plain commands, for real."""

from typing import Any, Iterator, List, Optional

import json
import re
import shlex

import pytest

from .hands import Orders
from .live import LiveCluster
from .provision import SMALL, Provider, enable
from .state import ClusterState, pg_mapping, wait_unchanged
from .test_cleanup import cleanup
from .waiting import wait_for

CLUSTER = SMALL.name
SECONDS = 150
RUN = '0badcafe'
NAME = 'perfcompare-0badcafe-x86'
MAPPED = 'mapped'  # a pool of an operator
JOURNAL = 'mgr/perfcompare/journal/%s/' % RUN
# so that the mons mark OSDs out at once, however many are
IMPATIENT = {'mon_osd_down_out_interval': '1', 'mon_osd_min_in_ratio': '0'}


@pytest.fixture
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Yield a cluster without the module."""
    found = provider.get(SMALL)
    found.ceph('mgr', 'module', 'disable', 'perfcompare', fmt='')
    yield found
    enable(found)


class Scene:
    """Do by hand what a run does, and note it as a run notes it."""

    def __init__(self, cluster: LiveCluster) -> None:
        self.cluster = cluster
        self.seq = 0
        self._lines: List[str] = []
        self.mapped: List[str] = []  # PGs, as entries name them

    def note(self, kind: str, name: str, **fields: Any) -> str:
        """Put an entry into the journal; return its key."""
        self.seq += 1
        key = '%s%06d' % (JOURNAL, self.seq)
        entry = {'run': RUN, 'seq': self.seq, 'kind': kind, 'name': name}
        text = json.dumps({**entry, 'step': 'done', **fields})
        self.ceph(shlex.join(['config-key', 'set', key, text]))
        return key

    def ceph(self, text: str) -> None:
        """Run a command with the others, at the next ``flush``."""
        self._lines.append(text)

    def flush(self) -> None:
        """Run the commands: one program for many is much quicker."""
        lines, self._lines = self._lines, []
        done = self.cluster.exec(['ceph'], '\n'.join(lines) + '\n', 300)
        said = done.stdout + done.stderr
        assert not re.search('Error E|Invalid command', said), said

    def option(
        self,
        who: str,
        name: str,
        value: str,
        previous: Optional[str] = None,
        **detail: str,
    ) -> None:
        """Change an option as a run does."""
        self.note(
            'config', name, value=value, previous=previous,
            was_set=previous is not None, detail={'who': who, **detail},
        )  # fmt: skip
        self.ceph('config set %s %s %s' % (who, name, value))

    def place(self) -> None:
        """Make what a run makes, in its order."""
        self.note('consent', 'pool_delete')
        self.note('root', NAME)
        self.ceph('osd crush add-bucket %s root' % NAME)
        for host in ('x86-1', 'x86-2'):
            self.note('link', host, detail={'root': NAME})
            self.ceph('osd crush link %s root=%s' % (host, NAME))
        self.note('rule', NAME)
        self.ceph(
            'osd crush rule create-replicated %s %s host' % (NAME, NAME)
        )
        self.note('ec_profile', NAME + '-ec')
        self.ceph(
            'osd erasure-code-profile set %s-ec k=2 m=1 plugin=jerasure '
            'crush-failure-domain=osd crush-root=%s' % (NAME, NAME)
        )
        self.note('key', 'client.perfcompare.' + RUN)
        self.ceph('auth get-or-create client.perfcompare.%s' % RUN)
        pool = 'perfcompare.%s.x86.write' % RUN
        self.note('pool', pool)
        self.ceph('osd pool create %s 4 4 replicated %s' % (pool, NAME))
        self.ceph('osd pool application enable %s perfcompare' % pool)
        words = 'osd pool application set %s perfcompare run %s'
        self.ceph(words % (pool, RUN))
        coded = 'perfcompare.%s.x86.coded' % RUN
        self.note('pool', coded, detail={'erasure': 'yes'})  # and cut off
        words = 'osd pool create %s 4 4 erasure %s-ec'
        self.ceph(words % (coded, NAME))

    def change(self) -> None:
        """Change options, flags and clients as a run does."""
        self.option('mgr', 'mgr_stats_period', '1', '7')
        self.option('mgr', 'mgr/balancer/mode', 'none', default='upmap')
        self.option('osd', 'osd_mclock_profile', 'high_recovery_ops')
        self.option('osd', 'osd_max_scrubs', '2')
        # an operator changes it meanwhile
        self.ceph('config set osd osd_max_scrubs 3')
        self.note('noout', 'alt-1')
        self.ceph('osd set-group noout alt-1')
        self.note('noout', 'alt-2', was_set=True)
        self.note('blocklist', '10.99.0.1:0/4711')
        self.ceph('osd blocklist add 10.99.0.1:0/4711 3600')

    def fail(self) -> None:
        """Take OSDs as recovery tests do."""
        self.note(
            'upmaps', 'osd.1.0', detail={'upmaps': ' '.join(self.mapped)}
        )
        self.note('osd_out', '1', detail={'weight': '0.5'})
        self.ceph('osd out 1')
        detail = {'by': 'orchestrator', 'weight': '1.0'}
        self.note('osd_stop', '3', detail=detail)
        self.note('osd_down', '2', detail={'weight': '1.0'})
        self.flush()
        self.cluster.osd_stop(3)
        self.cluster.osd_stop(2)  # as one that is marked down too often
        self.let_mons_mark_out(3)

    def let_mons_mark_out(self, osd: int) -> None:
        """Have the mons do at once what they do after ten minutes."""
        for name, value in IMPATIENT.items():
            self.ceph('config set mon %s %s' % (name, value))
        self.ceph('osd unset-group noout alt-2')  # else they do not
        self.flush()

        def out() -> bool:
            found = self.cluster.look('osd dump')['osds']
            return 'autoout' in found[osd]['state']

        wait_for(out, 60, 'the mons mark osd.%d out' % osd)
        self.ceph('osd set-group noout alt-2')
        for name in IMPATIENT:
            self.ceph('config rm mon %s' % name)
        self.flush()

    def map_by_name(self) -> None:
        """Map PGs of an operator to the OSD that goes out."""
        words = ('8', '8', '--autoscale-mode', 'off')
        self.cluster.ceph('osd', 'pool', 'create', MAPPED, *words, fmt='')
        words = ('application', 'enable', MAPPED, 'rbd')
        self.cluster.ceph('osd', 'pool', *words, fmt='')
        (pool,) = (
            found['pool']
            for found in self.cluster.look('osd dump')['pools']
            if found['pool_name'] == MAPPED
        )

        def told() -> Any:
            found = pg_mapping(self.cluster, [pool])
            return len(found) == 8 and all(u for u, _ in found.values())

        wait_for(told, 60, 'its PGs are reported')
        for pgid, (up, _) in sorted(pg_mapping(self.cluster, [pool]).items()):
            if 1 not in up:
                self.ceph('osd pg-upmap-items %s %d 1' % (pgid, up[-1]))
        self.flush()
        self.cluster.wait_clean()
        self.mapped = [
            '%s=%d>1' % (one['pgid'], one['mappings'][0]['from'])
            for one in self.cluster.look('osd dump')['pg_upmap_items']
        ]
        assert self.mapped

    def serve(self) -> None:
        """Order gateways, as a run does."""
        service = NAME + '-s3'
        self.note('service', service)
        spec = {
            'service_type': 'rgw',
            'service_id': service,
            'placement': {'hosts': ['x86-1']},
            'spec': {'rgw_realm': 'x', 'rgw_zonegroup': 'x', 'rgw_zone': 'x'},
        }
        path = self.cluster.dir / 'tmp' / 'spec.json'
        path.write_text(json.dumps(spec), encoding='utf-8')
        self.flush()
        self.cluster.ceph('orch', 'apply', '-i', str(path), fmt='')
        path.unlink()
        self.ceph('auth get-or-create client.rgw.%s.x86-1.abc' % service)


def _as_mapped(cluster: LiveCluster) -> bool:
    """Say whether each PG is reported where the OSD map has it."""
    told = pg_mapping(cluster)
    mapped = cluster.looks([('pg map', {'pgid': pgid}) for pgid in told])
    return all(
        list(up) == list(acting) == found['up']
        for found, (up, acting) in zip(mapped, told.values())
    )


def test_every_kind_of_entry_is_undone_without_the_module(
    cluster: LiveCluster,
) -> None:
    """OSDs, options, flags, gateways and placement are as before."""
    with Orders(cluster) as orders:
        orders.refuses = True  # no gateway can start without its zone
        scene = Scene(cluster)
        for text in (
            'osd reweight 1 0.5', 'osd set-group noout alt-2',
            'config set mgr mgr_stats_period 7',
            'config-key set mgr/test_orchestrator/services []',
            'balancer off',  # it maps by name, too
            # what the operator will have changed meanwhile
            'config set osd osd_max_scrubs 3',
        ):  # fmt: skip
            scene.ceph(text)
        scene.flush()
        scene.map_by_name()
        # OSDs that are late with the map still tell where PGs were
        wait_for(lambda: _as_mapped(cluster), 60, 'PGs are as mapped')
        cluster.wait_clean()
        tracker = ClusterState(cluster)
        before = tracker.snapshot()
        try:
            scene.place()
            scene.change()
            scene.serve()
            scene.fail()
            scene.flush()
            assert not cluster.look('osd dump')['pg_upmap_items']
            bucket = scene.note(
                'bucket', 'perfcompare-%s-g0-w' % RUN,
                detail={'gateways': 'x'},
            )  # fmt: skip
            odd = JOURNAL + 'x'
            scene.ceph('config-key set %s {' % odd)
            scene.flush()
            done = cleanup(cluster, '--yes')
            print(done.stdout)
            assert done.returncode == 1, done.stdout
            assert 'left: bucket' in done.stdout
            assert 'not touched: journal entry ' + odd in done.stdout
            assert 'kept: option osd_max_scrubs of osd' in done.stdout
            keys = cluster.look('config-key ls')
            left = {k for k in keys if k.startswith(JOURNAL)}
            # the consent stays for the next attempt
            assert len(left) == 3 and {bucket, odd} < left
            for key in (bucket, odd):  # as it was told
                assert 'ceph config-key rm ' + key in done.stdout
                scene.ceph('config-key rm ' + key)
            scene.flush()
            done = cleanup(cluster, '--yes')
            assert done.returncode == 0, done.stdout
            wait_unchanged(tracker, before, 60)
            assert orders.done == [
                ('apply', NAME + '-s3'), ('start', 'osd.3'),
                ('start', 'osd.2'), ('remove', NAME + '-s3'),
            ]  # fmt: skip
        finally:
            orders.refuses = False
            cleanup(cluster, '--yes')
            for text in (
                'osd reweight 1 1', 'osd unset-group noout alt-2',
                'config rm mgr mgr_stats_period',
                'config rm osd osd_max_scrubs',
                'config-key rm mgr/test_orchestrator/services',
                'balancer on', 'config rm mgr mgr/balancer/active',
                'config set mon mon_allow_pool_delete true',
                'osd pool rm %s %s --yes-i-really-really-mean-it'
                % (MAPPED, MAPPED),
                'config rm mon mon_allow_pool_delete',
            ):  # fmt: skip
                scene.ceph(text)
            scene.flush()
