"""What OSDs and a probe say of a run agrees with what its client did."""

from typing import Any, Dict, Iterator, List

import json
import subprocess
import threading

import pytest

from . import loads, runs, tenant
from .live import LiveCluster
from .provision import FIGURES, Provider

CLUSTER = FIGURES.name
GROUP = 'x86'
BOTH = (GROUP, 'alt')
PERIOD = 'mgr_stats_period'
FLYING = 16  # operations at a time
AGREE = 0.02  # what sums over OSDs and the client's may differ by, at least
COARSE = 0.2  # the same, when only whole seconds of a client are known
BASIS = 'as one more client sees it: probe'


class Neighbor:
    """Write to a pool of somebody else, until told to stop."""

    def __init__(self, cluster: LiveCluster) -> None:
        self._cluster = cluster
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._write, daemon=True)
        self.began = False

    def begin(self) -> None:
        """Start, unless it was started."""
        if not self.began:
            self.began = True
            self._thread.start()

    def _write(self) -> None:
        while not self._stop.is_set():
            try:
                self._cluster.exec(
                    ['rados', '-p', tenant.NAME, 'bench', '3', 'write', '-b',
                     '4096', '-t', '2']
                )  # fmt: skip
            except subprocess.SubprocessError:
                return

    def end(self) -> None:
        """Stop after the three seconds under way."""
        self._stop.set()
        if self.began:
            self._thread.join(60)


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[LiveCluster]:
    """Return a cluster with a pool of somebody else."""
    found = provider.get(FIGURES)
    tenant.create(found)
    yield found
    tenant.remove(found)


@pytest.fixture(scope='module')
def run(cluster: LiveCluster) -> Dict[str, Any]:
    """Return a run whose second half had a busy neighbor."""
    neighbor = Neighbor(cluster)
    periods = set()

    def look(status: Dict[str, Any]) -> None:
        if status['state'] == 'trial':
            periods.add(cluster.look('config get', who='mgr', key=PERIOD))
            if status['round'] == 1:
                neighbor.begin()

    name = runs.start(
        cluster, BOTH, '--profile', 'smoke', '--workload', 'write,rand',
        # long enough for ten operations beyond p95
        '--size', '4K', '--concurrency', str(FLYING), '--duration', '10',
        '--rounds', '1', '--stats-period', '1',
    )  # fmt: skip
    try:
        runs.wait_end(cluster, while_running=look)
    finally:
        neighbor.end()
    runs.ended(cluster, name)
    text = runs.export(cluster, name)
    found = {
        'shown': runs.show(cluster, name),
        'exported': json.loads(text)['content']['trials'],
        'periods': {str(p).strip() for p in periods},
    }
    assert found['shown']['run']['state'] == 'completed'
    return found


def trials(run: Dict[str, Any], number: int) -> List[Any]:
    """Return (trial, its series) of a round, in one group."""
    return [
        (shown, exported['series'])
        for shown, exported in zip(run['shown']['trials'], run['exported'])
        if (shown['round'], shown['group']) == (number, GROUP)
    ]


def agree(ops: float) -> float:
    """Return what sums may differ by, as a share of so many operations.

    Those under way at both edges are in one of the sums only.
    """
    return max(AGREE, 2 * FLYING / ops)


def test_sums_over_osds_are_what_the_client_did(run: Dict[str, Any]) -> None:
    """Operations and bytes agree, in each trial that nobody disturbed."""
    found = trials(run, 0)
    assert len(found) == 2
    for trial, series in found:
        evidence = trial['evidence']
        reads = trial['workload'].startswith('rand')
        osds = evidence['osds'].values()
        ops = sum(o['op_r' if reads else 'op_w'] for o in osds)
        moved = sum(o['op_out_bytes' if reads else 'op_in_bytes']
                    for o in osds)  # fmt: skip
        wanted = evidence['osd_client_ops']
        print('%s: OSDs %d, client %.0f operations: %.4f' % (
            trial['workload'], ops, wanted, ops / wanted))  # fmt: skip
        assert abs(ops / wanted - 1.0) < agree(wanted)
        assert abs(moved / (ops * 4096) - 1.0) < agree(ops)
        # the same in the series, whose seconds are too coarse for edges
        low, high = evidence['osd_window']
        client = loads.operations(series['client'], low, high)
        client += evidence['client']['probe']['ops_per_s'] * (high - low)
        assert abs(client / wanted - 1.0) < COARSE


def test_edges_lie_within_the_measured_window(run: Dict[str, Any]) -> None:
    """Counters are read where the window begins and ends, not outside.

    On a busy machine a load takes seconds to begin.
    """
    for trial, _ in trials(run, 1):
        ((begin, end),) = trial['evidence']['client']['window']
        first, last = trial['evidence']['osd_window']
        assert begin - 10.0 < first < begin + 5.0
        assert end - 5.0 < last < end + 5.0


def test_distributions_fit_what_was_measured(run: Dict[str, Any]) -> None:
    """Histograms count what the counters count, around the mean latency."""
    for trial, _ in trials(run, 0):
        kind = 'read' if trial['workload'].startswith('rand') else 'write'
        name = 'op_r' if kind == 'read' else 'op_w'
        found = trial['evidence']['histograms'][kind]
        osds = list(trial['evidence']['osds'].values())
        ops = sum(o[name] for o in osds)
        assert abs(found['count'] / ops - 1.0) < agree(ops)
        low, high = 0.0, 0.0
        before = 0.0
        for upper, number in found['buckets']:
            low += number * before
            high += number * (upper or 2 * before)
            before = upper or before
        mean = sum(o[name] * o[name + '_latency'] for o in osds) / ops
        # one operation that took long may be in one of both only
        assert low / found['count'] * 0.8 <= mean
        assert mean <= high / found['count'] * 1.25
        # what a client waits for contains what the primary took
        assert found['bounds']['p50'][0] < 2 * trial['summary']['latency_avg']
        stated = [found[name] for name in ('p50', 'p95', 'p99')]
        stated = [value for value in stated if value is not None]
        assert stated == sorted(stated)


def test_series_hold_what_the_counters_hold(run: Dict[str, Any]) -> None:
    """Each OSD of the group has a series, at the period asked for."""
    for trial, series in trials(run, 1):
        osds = {f'osd.{o}' for o in trial['evidence']['osds']}
        assert osds == {s for s in series if s.startswith('osd.')}
        for name in osds:
            table = series[name]
            columns = {c['name']: c['values'] for c in table['columns']}
            assert {'op_w', 'op_r', 'op_wip', 'onode_hits'} <= set(columns)
            # at the usual period there would be two
            assert len(columns['op_w']) >= 4, columns['op_w']


def test_a_neighbor_is_told_apart(run: Dict[str, Any]) -> None:
    """Other pools' traffic is not ours, and is in the manifest."""
    for trial, _ in trials(run, 0):
        assert trial['evidence']['tenants']['ops_per_s'] == 0.0
    seen = [t['evidence']['tenants'] for t, _ in trials(run, 1)]
    busy = [s for s in seen if s['ops_per_s'] > 0]
    assert busy
    for found in busy:
        assert [p['pool'] for p in found['pools']] == [tenant.NAME]
        assert 0.0 < found['share'] < 1.0
    for trial, _ in trials(run, 1):
        tenants = trial['evidence']['tenants']['ops_per_s']
        assert trial['manifest']['tenant_ops_per_s'] == tenants


def test_stats_period_is_lowered_and_restored(
    cluster: LiveCluster, run: Dict[str, Any]
) -> None:
    """Only during the run, and nothing of it stays."""
    assert run['periods'] == {'1'}
    assert PERIOD not in cluster.ceph('config', 'dump', fmt='')


def test_osds_are_shown(cluster: LiveCluster, run: Dict[str, Any]) -> None:
    """`show --osds` has a table in each format."""
    name = run['shown']['run']['id']
    text = cluster.ceph('perfcompare', 'show', name, '--osds', fmt='')
    for trial in run['shown']['trials']:
        for osd in trial['evidence']['osds']:
            assert f'osd.{osd} ' in text
    assert 'write latency of all: p50' in text
    assert 'other pools on these OSDs' in text
    found = cluster.ceph('perfcompare', 'show', name, '--osds')
    assert [t['group'] for t in found['tables']].count(GROUP) == 2
    assert all(len(t['rows']) == 2 for t in found['tables'])
    text = cluster.ceph('perfcompare', 'show', name, '--osds', fmt='yaml')
    assert 'ops_per_s:' in text


def test_rows_have_percentiles(
    cluster: LiveCluster, run: Dict[str, Any]
) -> None:
    """`compare` and `show` state what the probe saw, and whose it is."""
    judged = runs.judged(run['shown']['trials'])
    assert judged
    for trial in judged:
        probe = trial['evidence']['client']['probe']
        assert not probe['reason'], probe
        assert probe['ops'] > 0 and probe['errors'] == {}
        # the load may have become slower than it was a round before
        assert 0 < probe['share'] < 0.15
        stated = trial['summary']['percentiles']
        # a busy machine has none, and says so
        for name in ('p50', 'p95', 'p99'):
            assert name in stated or name in probe['missing'], probe
        assert sorted(stated.values()) == [
            stated[k] for k in sorted(stated, key=lambda n: float(n[1:]))
        ]
    name = run['shown']['run']['id']
    rows = cluster.ceph('perfcompare', 'compare', *BOTH, '--run', name)[
        'rows'
    ]
    assert len(rows) == 2
    for row in rows:
        for side in (row['baseline'], row['candidate']):
            assert (
                BASIS in side['percentiles_basis']
                or side['percentiles_reason']
            )
    for words in (('compare', *BOTH, '--run', name), ('show', name)):
        text = cluster.ceph('perfcompare', *words, fmt='')
        assert BASIS in text or 'too busy' in text, text
