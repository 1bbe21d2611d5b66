"""What the metrics of OSDs cost: CPU of the mgr, bytes, and throughput.

    python qa/bench/sampling.py mgr            # phantom OSDs, no cluster
    python qa/bench/sampling.py throughput     # trials with and without

`mgr` and `throughput` aim at: under 1 % of a core for 1,000 OSDs, and a
ratio whose interval holds 1. `throughput` takes about ten minutes for 20
pairs of one operation.
"""

from typing import Any, Dict, List, Sequence, Tuple

import argparse
import json
import math
import random
import time

import rig

from cluster import admin, state
from perfcompare.metrics import histograms, osd_counters  # noqa: E402
from perfcompare.metrics.osd_edges import read_edge  # noqa: E402
from perfcompare.metrics.osd_sample import (  # noqa: E402
    DUMPED_OSDS,
    evenly,
    trial_evidence,
)
from perfcompare.metrics.osd_series import SeriesReader  # noqa: E402
from perfcompare.metrics.osd_watch import HISTOGRAM_OSDS  # noqa: E402
from perfcompare.ports.osds import OsdReads  # noqa: E402
from perfcompare.store import series_codec  # noqa: E402
from perfcompare.store.rows import pack  # noqa: E402

SIZES = (4, 100, 1000, 10000)
PERIOD = 5.0  # seconds between reports
TRIAL = 70.0  # seconds: the mgr keeps 20 reports, a reading covers 14
EDGES = 3  # of each trial
OPTION = 'mgr/perfcompare/osd_metrics'
BEGUN = 2.0  # seconds of a trial after which its watches have begun


class Phantoms:
    """Be a mgr whose OSDs answer at once with real dumps.

    The text of a real OSD is parsed for each of them, as the mgr does; its
    counters move as under load. What a real mgr adds is its own work per
    call, about 1 us.
    """

    def __init__(self, perf: str, histogram: str) -> None:
        self._perf = perf
        self._histogram = histogram
        self.started = time.time() - TRIAL
        self.now = time.time()

    def osd_perf_dump(self, osd: int, logger: str = '') -> Any:
        """Return the dump of an OSD."""
        return json.loads(self._perf)

    def osd_histograms(self, osd: int, counter: str = '') -> Any:
        """Return the histogram of an OSD that its trials ask for."""
        return json.loads(self._histogram)

    def osd_latest_counters(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, Tuple[float, ...]]:
        """Return a report of each counter."""
        now = time.time()
        return {
            path: (
                (now, osd * 1013.0, float(osd))
                if path.endswith(('_lat', '_latency'))
                else (now, float(osd))
            )
            for path in paths
        }

    def osd_counter_history(
        self, osd: int, paths: Sequence[str]
    ) -> Dict[str, List[Tuple[float, ...]]]:
        """Return 15 reports of each counter, irregular as real ones."""
        found: Dict[str, List[Tuple[float, ...]]] = {}
        times = [
            self.started - PERIOD + i * (PERIOD + 0.0007 * (i * osd % 7))
            for i in range(15)
        ]
        for path in paths:
            step = 1000 + (osd * 7919 + len(path) * 104729) % 1999
            found[path] = [
                (
                    (t, i * step * 1013.0, float(i * step))
                    if path.endswith(('_lat', '_latency'))
                    else (t, float(i * step))
                )
                for i, t in enumerate(times)
            ]
        return found


def text_of(cluster: Any, *words: str) -> str:
    """Return the compact JSON that osd.0 answers to a command."""
    done = cluster.exec(['ceph', 'tell', 'osd.0', *words, '--format', 'json'])
    if done.returncode:
        raise SystemExit(done.stderr.strip())
    return str(done.stdout)


def lively(evidence: Dict[str, Any]) -> Dict[str, Any]:
    """Return evidence in which every OSD has figures of its own."""
    draw = random.Random(1)
    return {
        osd: figures
        and {
            name: float(f'{draw.uniform(1.0, 9999.0):.7g}')
            for name in figures
        }
        for osd, figures in evidence.items()
    }


def measure(phantoms: Phantoms, osds: int) -> None:
    """Print what one trial on so many OSDs costs."""
    cluster: OsdReads = phantoms  # type: ignore[assignment]
    dumped = evenly(range(osds), DUMPED_OSDS)
    rest = sorted(set(range(osds)) - set(dumped))
    asked = evenly(dumped, HISTOGRAM_OSDS)
    paths = osd_counters.series_paths(phantoms.osd_perf_dump(0))
    light = {n: p for n, p in paths.items() if n in osd_counters.LIGHT}
    began = time.process_time()
    edge = read_edge(cluster, dumped, asked, rest, light)
    edge_cpu = time.process_time() - began
    reader = SeriesReader(cluster, dumped, paths, phantoms.started)
    began = time.process_time()
    reader.read(0.0)
    series_cpu = time.process_time() - began
    samples = TRIAL / PERIOD
    began = time.process_time()
    evidence = trial_evidence(edge.samples, edge.samples)
    spread = histograms.evidence(edge.histograms, edge.histograms)
    tables = reader.tables()
    reduce_cpu = time.process_time() - began
    began = time.process_time()
    blobs = [series_codec.encode(t) for t in tables.values()]
    body = pack({'osds': lively(evidence), 'histograms': spread})
    store_cpu = time.process_time() - began
    hour = sum(map(len, blobs)) / len(dumped) * 3600 / TRIAL
    whole = series_cpu + EDGES * edge_cpu + reduce_cpu + store_cpu
    print(
        f'{osds:6} OSDs: {1e3 * series_cpu / samples:.3f} ms per sample '
        f'({100 * series_cpu / samples / PERIOD:.3f} % of a core), '
        f'{1e3 * edge_cpu:.1f} ms per edge, '
        f'{1e3 * (reduce_cpu + store_cpu):.1f} ms to reduce and pack; '
        f'all of a {TRIAL:.0f} s trial: {100 * whole / TRIAL:.2f} % of a '
        f'core; {hour / 1024:.1f} KiB of series per OSD-hour, '
        f'{len(body) / osds:.0f} B of evidence per OSD and trial',
        flush=True,
    )


def phantoms_only(cluster: Any) -> None:
    """Measure with dumps of a real OSD after some load."""
    with cluster:
        cluster.exec(
            ['sh', '-c', 'ceph osd pool create x 8; rados -p x bench 5 write '
             '-b 4096 -t 8 --no-cleanup; rados -p x bench 3 rand -t 8']
        )  # fmt: skip
        perf = text_of(cluster, 'perf', 'dump')
        histogram = text_of(
            cluster, 'perf', 'histogram', 'dump', 'osd', histograms.WRITE
        )
    print(f'a dump has {len(perf)} B, a histogram dump {len(histogram)} B')
    for osds in SIZES:
        measure(Phantoms(perf, histogram), osds)
    print(rig.load())


class Switch:
    """Have every other trial of a run watched, in the order ABBA."""

    def __init__(self, cluster: Any) -> None:
        self._admin = admin.Admin(state.Cluster(cluster.dir))
        self._round = -1
        self._due = math.inf

    def turn(self) -> bool:
        """Decide on the next round once one has begun; False at the end.

        By a standing connection: the `ceph` tool would take half a second
        of CPU from the trial.
        """
        found = json.loads(
            self._admin.mgr('perfcompare status', format='json')
        )['progress']
        if found and found['state'] == 'trial':
            if found['round'] != self._round:
                self._round = found['round']
                self._due = time.monotonic() + BEGUN
            elif time.monotonic() > self._due:
                self._due = math.inf
                on = (self._round + 1) % 4 in (1, 0)
                self._admin.mon(
                    'config set',
                    who='mgr',
                    name=OPTION,
                    value=str(on).lower(),
                )
        return found is not None

    def close(self) -> None:
        """End the connection."""
        self._admin.close()


def throughput(options: argparse.Namespace) -> None:
    """Compare trials with and without the watches, next to each other."""
    with rig.native_cluster() as cluster:
        rig.enable(cluster)
        switch = Switch(cluster)
        for op in options.ops:
            cluster.exec(['ceph', 'config', 'set', 'mgr', OPTION, 'false'])
            run = rig.command(
                cluster, 'run', '--group', 'x86', '--profile', 'smoke',
                '--workload', op, '--size', '4K', '--concurrency', '4',
                '--duration', str(options.seconds), '--rounds',
                str(2 * options.pairs), '--allow-local-client',
                '--yes-i-really-mean-it',
            )['run']  # fmt: skip
            began = time.monotonic()
            while switch.turn():
                time.sleep(0.3)
            pairs = paired(rig.command(cluster, 'show', run)['trials'])
            if not pairs:
                raise SystemExit('no two trials next to each other differ')
            print(
                f'{op}, with/without: {rig.ratio(pairs)}, '
                f'{time.monotonic() - began:.0f} s; {rig.load()}',
                flush=True,
            )
        switch.close()


def paired(trials: Sequence[Any]) -> List[Tuple[float, float]]:
    """Return (with, without) of rounds 1 and 2, 3 and 4, …

    A pair that lacks a trial, or one kind, is left out.
    """
    judged = {
        t['round']: t for t in trials if t['round'] and t['state'] == 'ok'
    }
    kinds = ['osds' in t['evidence'] for _, t in sorted(judged.items())]
    print('watched:', ''.join('-x'[kind] for kind in kinds))
    found = []
    for number in range(1, max(judged, default=0), 2):
        rates = {
            'osds' in t['evidence']: t['summary']['ops_per_s']
            for t in (judged.get(number), judged.get(number + 1))
            if t is not None
        }
        if len(rates) == 2:
            found.append((rates[True], rates[False]))
    return found


def main() -> None:
    """Do what is asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('what', choices=('mgr', 'throughput'))
    parser.add_argument('--pairs', type=int, default=20)
    parser.add_argument('--seconds', type=int, default=5)
    parser.add_argument('--ops', nargs='+', default=['rand'])
    options = parser.parse_args()
    if options.what == 'mgr':
        phantoms_only(rig.native_cluster())
    else:
        throughput(options)


if __name__ == '__main__':
    main()
