"""What figures of hosts cost: CPU of a scrape on both sides, bytes stored.

One real node_exporter with its default collectors stands for all hosts; its
CPU is read from /proc, the worker tells its own.
"""

from typing import Any, Dict, List, Tuple

import argparse
import json
import os
import pathlib
import random
import socket
import subprocess
import tempfile
import time
import urllib.request

import rig

from cluster.settings import cache_folder
from perfcompare.hosts import tables
from perfcompare.store import series_codec
from perfcompare.worker.scrape import exposition, node, summary
from perfcompare.worker.scrape import tables as packing
from perfcompare.worker.wire.protocol import LEASE_MAX, Ended, Started
from perfcompare.worker.wire.scrape_jobs import Scrape, Target
from perfcompare.workers.process import ProcessLauncher

PERIOD = 5.0  # seconds, the default of host_metrics_period
PROGRAM = 'root/usr/bin/prometheus-node-exporter'
TICKS = os.sysconf('SC_CLK_TCK')


def start_exporter(program: str) -> Tuple['subprocess.Popen[bytes]', str]:
    """Start an exporter on a free port of the loopback."""
    with socket.socket() as probe:
        probe.bind(('127.0.0.1', 0))
        port = probe.getsockname()[1]
    child = subprocess.Popen(
        [
            program,
            f'--web.listen-address=127.0.0.1:{port}',
            '--web.max-requests=0',  # it stands for many
        ],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    url = f'http://127.0.0.1:{port}/metrics'
    for _ in range(100):
        try:
            urllib.request.urlopen(url, timeout=5).read()
            return child, url
        except OSError:
            time.sleep(0.1)
    raise SystemExit('the exporter does not answer')


def cpu_of(pid: int) -> float:
    """Return the CPU seconds of a process."""
    text = pathlib.Path(f'/proc/{pid}/stat').read_text(encoding='utf-8')
    fields = text.rpartition(')')[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def scrape(
    folder: str, url: str, hosts: int, period: float, seconds: float
) -> Dict[str, Any]:
    """Run a scrape job; return what it found and what it used."""
    worker = ProcessLauncher(folder).worker(f'{time.monotonic_ns()}')
    worker.start(
        Scrape(
            deadline=seconds + 60.0,
            targets=tuple(Target(f'h{i}', url) for i in range(hosts)),
            period=period,
        )
    )
    worker.renew(LEASE_MAX)
    worker.go()
    end = time.monotonic() + 60
    while not any(isinstance(e, Started) for e in worker.poll()):
        if worker.ended or time.monotonic() > end:
            worker.outcome()
        time.sleep(0.01)
    time.sleep(seconds)
    worker.stop(30.0)
    while not any(isinstance(e, Ended) for e in worker.poll()):
        time.sleep(0.01)
    found: Dict[str, Any] = worker.outcome().evidence
    worker.discard()
    return found


def served(url: str) -> float:
    """Return how many scrapes the exporter has answered."""
    name = 'promhttp_metric_handler_requests_total'
    body = urllib.request.urlopen(url, timeout=10).read().decode('utf-8')
    samples = exposition.parse(body, [name]).samples
    return sum(s.value for s in samples if s.labels['code'] == '200')


def scrape_cost(options: argparse.Namespace, url: str, pid: int) -> None:
    """Print the CPU of a scrape on the host and in the worker."""
    with tempfile.TemporaryDirectory(dir='/var/tmp') as folder:
        for hosts in options.hosts:
            theirs: List[float] = []
            ours: List[float] = []
            for _ in range(options.repeat):
                # one exporter answers for all: give it the time
                period = max(0.5, 0.05 * hosts)
                answered, before = served(url), cpu_of(pid)
                found = scrape(
                    folder, url, hosts, period, options.rounds * period
                )
                used = cpu_of(pid) - before
                count = served(url) - answered
                theirs.append(used / count * 1e3)
                ours.append(found['cpu_seconds'] / count * 1e3)
            print(
                f'{hosts} hosts: exporter {rig.spread(theirs, "ms")}, '
                f'worker {rig.spread(ours, "ms")} of CPU for each scrape'
            )
            share = (max(theirs)) / 1e3 / PERIOD
            print(
                f'  every {PERIOD:g} s: at most {100 * share:.2f} % of a '
                'core of each host, '
                f'{100 * hosts * max(ours) / 1e3 / PERIOD:.2f} % of a core '
                'of the client'
            )


def texts(url: str, count: int, period: float) -> List[Tuple[float, str]]:
    """Return what a real host shows, again and again."""
    found = []
    for _ in range(count):
        body = urllib.request.urlopen(url, timeout=10).read()
        found.append((time.time(), body.decode('utf-8')))
        time.sleep(period)
    return found


class Drives:
    """Add 24 busy drives and 4 interfaces to what a host shows."""

    RATES = {
        'io_time_seconds': 0.6,
        'io_time_weighted_seconds': 3.0,
        'read_bytes': 6e7,
        'written_bytes': 9e7,
        'reads_completed': 900.0,
        'writes_completed': 1400.0,
        'read_time_seconds': 0.9,
        'write_time_seconds': 2.1,
    }

    def __init__(self) -> None:
        self._rng = random.Random(1)
        self._counters: Dict[str, float] = {}

    def _line(self, series: str, rate: float) -> str:
        grown = rate * PERIOD * self._rng.uniform(0.9, 1.1)
        self._counters[series] = self._counters.get(series, 0.0) + grown
        return f'{series} {self._counters[series]}'

    def add(self, text: str) -> str:
        """Return the text, with another period of theirs."""
        lines = [
            self._line(f'node_disk_{n}_total{{device="sd{d}"}}', rate)
            for d in 'abcdefghijklmnopqrstuvwx'
            for n, rate in self.RATES.items()
        ]
        lines += [
            self._line(f'node_network_{n}_bytes_total{{device="e{i}"}}', 4e8)
            for i in range(4)
            for n in ('receive', 'transmit')
        ]
        return text + '\n'.join(lines) + '\n'


def stored(name: str, shown: List[Tuple[float, str]]) -> None:
    """Print what one host's series and figures take in the database."""
    readings = [
        (at, node.reading(exposition.parse(text, node.WANTED).samples, at))
        for at, text in shown
    ]
    rows = summary.intervals(readings)
    table = tables.table(packing.pack(rows, shown[0][0]))
    size = len(series_codec.encode(table))
    empty = len(series_codec.encode(tables.table(packing.pack(rows[:1], 0))))
    each = (size - empty) / max(1, len(rows) - 1)
    figures = json.dumps(summary.summarize(readings))
    print(
        f'{name}: {len(table.columns)} columns, {each:.0f} bytes for each '
        f'sample and {empty} for each trial: '
        f'{(each * 3600 / PERIOD) / 1024:.0f} KiB per host-hour; figures of '
        f'a trial {len(figures)} bytes before compression'
    )


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--exporter', default='', help='program')
    parser.add_argument('--hosts', type=int, nargs='+', default=[1, 10, 100])
    parser.add_argument('--rounds', type=int, default=10)
    parser.add_argument('--repeat', type=int, default=3)
    parser.add_argument('--samples', type=int, default=60)
    options = parser.parse_args()
    program = options.exporter or str(cache_folder() / 'tentacle' / PROGRAM)
    child, url = start_exporter(program)
    try:
        body = urllib.request.urlopen(url, timeout=10).read()
        print(
            f'one scrape: {len(body)} bytes, '
            f'{body.count(10)} lines; {rig.load()}'
        )
        scrape_cost(options, url, child.pid)
        shown = texts(url, options.samples, 0.5)
        stored('this machine', shown)
        drives = Drives()
        many = [(at, drives.add(text)) for at, text in shown]
        stored('24 drives, 4 interfaces', many)
    finally:
        child.kill()
        child.wait()


if __name__ == '__main__':
    main()
