"""Carry out a scrape job: until it is stopped, or its deadline."""

from typing import Any, Dict, List, Optional, Tuple

import concurrent.futures
import dataclasses
import math
import os
import ssl
import threading
import time

from ..runtime.context import Context
from ..runtime.failure import Failure
from ..wire.scrape_jobs import Scrape, Target
from . import prometheus
from .fetch import FetchError, Page, read_credentials, tls_context
from .further import TIMEOUT
from .hosts import HostPoll
from .kept import Kept
from .node import Reading
from .power import best
from .summary import (
    COVERED,
    Window,
    intervals,
    static,
    summarize,
    with_power,
)
from .tables import pack
from .turns import Turns, apart

QUERIES = 16  # of a Prometheus server, at the same time
WITHIN = 12.0  # seconds that a result may take, where nothing else is said
# Of these, that the server is asked. Figures of hosts with many drives take
# as long as reading their samples.
ASKING = 0.5
LAST = 1.5  # seconds that the last scrape may take, after the load

Readings = List[Tuple[float, Reading]]


class ScrapeRun:
    """Read hosts beside a trial; nothing that fails here ends it."""

    def __init__(self, job: Scrape, context: Context) -> None:
        self._job = job
        self._context = context
        self._polls: List[HostPoll] = []
        self._instances: Dict[str, str] = {}  # host -> label of Prometheus
        self._problems: Dict[str, str] = {}
        self._notes: List[str] = []
        self._tls: Optional[ssl.SSLContext] = None
        self._server: Dict[str, str] = {}  # its credentials
        self._cpu = 0.0

    def prepare(self) -> None:
        """Find the exporters; Failure where files cannot be used."""
        job = self._job
        os.nice(job.nice)
        try:
            credentials = read_credentials(job.credentials)
            self._server = read_credentials(job.prometheus_credentials)
            self._tls = tls_context(job.ca_file)
        except FetchError as error:
            raise Failure('access', str(error)) from None
        known = self._ask_server() if job.prometheus else {}
        if job.query:
            for target in job.targets:
                if target.host in known:
                    self._instances[target.host] = known[target.host][1]
                elif target.host not in self._problems:
                    self._problems[target.host] = (
                        'the Prometheus server has no node_exporter target'
                    )
            return
        for target in job.targets:
            url = target.url
            if not target.settled and target.host in known:
                url = known[target.host][0]
            try:
                poll = HostPoll(
                    target,
                    url,
                    self._tls,
                    credentials,
                    self._context.wall,
                    job.lasts or math.inf,
                    job.columns,
                )
            except FetchError as error:
                self._problems[target.host] = str(error)
                continue
            self._polls.append(poll)

    def _ask_server(self) -> Dict[str, prometheus.Found]:
        job = self._job
        page = self._page('targets')
        found: Dict[str, prometheus.Found] = {}
        try:
            known = prometheus.targets(page, job.timeout, job.port)
        except FetchError as error:
            self._notes.append(f'Prometheus server: {error}')
            if job.query:
                for target in job.targets:
                    self._problems[target.host] = f'Prometheus: {error}'
            return {}
        finally:
            page.close()
        for target in job.targets:
            chosen = prometheus.choose(known, (target.host,) + target.names)
            if chosen is not None:
                found[target.host] = chosen
        return found

    def _page(self, name: str) -> Page:
        url = prometheus.api(self._job.prometheus, name)
        return Page(url, self._tls, self._server, prometheus.BODY_MAX)

    def run(self) -> Dict[str, Any]:
        """Read until the end; return figures and series of all hosts."""
        started = self._context.start[0]
        self._cpu = time.process_time()  # what starting took is no scrape's
        window: Optional[Window] = None
        within: Optional[float] = None
        try:
            self._watch()
        except Failure as failure:
            if failure.kind not in ('stopped', 'deadline'):
                raise
            window, within = failure.window, failure.within
        ended = time.time()
        if self._job.query:
            found = self._asked(started, ended, within or WITHIN)
        else:
            found = {p.target.host: p.kept for p in self._polls}
        return self._result(found, window, started, ended)

    def _watch(self) -> None:
        """Read all hosts every period, each in its own time."""
        period, timeout = self._job.period, self._job.timeout
        hosts = Turns(self._polls)
        slow = [one for p in self._polls for one in p.further]
        further = Turns(slow)
        due = time.monotonic()
        opens = due + self._job.opens
        for one in slow:
            one.begin(opens)
        try:
            while True:
                hosts.ask(time.monotonic(), timeout)
                further.ask(time.monotonic(), TIMEOUT)
                now = time.monotonic()
                pause = apart(period, now - opens, len(self._polls))
                due += pause
                if due < now:
                    due = now + pause
                while time.monotonic() < due:
                    self._context.pause(due - time.monotonic())
        finally:
            # once more, so that the last interval is closed
            hosts.last([p for p in self._polls if p.kept], min(LAST, timeout))

    def _asked(
        self, start: float, end: float, within: float
    ) -> Dict[str, Kept]:
        """Return what the Prometheus server has of hosts.

        Of as many as can be read in time for a result ``within`` so many
        seconds; the others are problems.
        """
        asking = ASKING * within
        until = time.monotonic() + asking
        late = f'Prometheus: not read within {asking:.0f} s after the trial'
        disks = {t.host: t.disks for t in self._job.targets}
        # one sample before the start closes the first interval
        start -= 60.0
        # reading takes the interpreter: it would keep others from fetching
        alone = threading.Lock()

        def ask(host: str, instance: str) -> Kept:
            page = self._page('query')
            left = max(0.0, until - time.monotonic())
            try:
                body = prometheus.ask(
                    page, instance, start, end, min(left, self._job.timeout)
                )
            finally:
                page.close()
            kept = Kept(self._job.columns)
            with alone:
                for at, one in prometheus.readings(body, disks[host], until):
                    kept.add(at, one)
            return kept

        def tried(host: str, instance: str) -> Optional[Kept]:
            try:
                return ask(host, instance)
            except FetchError as error:
                over = time.monotonic() >= until
                self._problems[host] = (
                    late if over else f'Prometheus: {error}'
                )
                return None

        pool = concurrent.futures.ThreadPoolExecutor(max_workers=QUERIES)
        futures = {
            host: pool.submit(tried, host, instance)
            for host, instance in self._instances.items()
        }
        concurrent.futures.wait(
            futures.values(), max(0.0, until - time.monotonic())
        )
        found: Dict[str, Kept] = {}
        for host, future in futures.items():
            kept = None
            if future.done():
                kept = future.result()
            else:
                future.cancel()
                self._problems[host] = late
            if kept is not None:
                found[host] = kept
        return found

    def _result(
        self,
        found: Dict[str, Kept],
        window: Optional[Window],
        started: float,
        ended: float,
    ) -> Dict[str, Any]:
        hosts: Dict[str, Any] = {}
        tables: Dict[str, Any] = {}
        for poll in self._polls:
            if poll.problem and not poll.kept:
                self._problems[poll.target.host] = poll.problem
        sources = {p.target.host: p.url for p in self._polls}
        failed = {p.target.host: p.failed for p in self._polls if p.failed}
        gaps = {
            p.target.host: p.problem
            for p in self._polls
            if p.failed and p.kept
        }
        silent = {
            p.target.host: p.silent
            for p in self._polls
            if p.silent and p.kept
        }
        past = {
            p.target.host: [dataclasses.asdict(f.past) for f in p.further]
            for p in self._polls
        }
        for target in self._job.targets:
            host = target.host
            readings = found[host].readings() if host in found else []
            rows = intervals(readings)
            figures = summarize(readings, window) if rows else {}
            covered = figures.get('covered', 0.0)
            if covered < COVERED:
                self._problems.setdefault(
                    host,
                    (
                        f'figures cover {100 * covered:.0f} % of the window'
                        if rows
                        else f'{len(readings)} samples are too few'
                    ),
                )
                figures = _bare(readings)
            if figures:
                figures['source'] = sources.get(host) or self._job.prometheus
                if host in failed:
                    figures['failed'] = failed[host]
                hosts[host] = figures
            # a Prometheus server has what was before the trial as well
            during = [one for one in rows if one.end > started]
            if during:
                source = figures.get('watts_source') or best(
                    one.watts for one in during
                )
                tables[host] = pack(
                    with_power(during, source), started, self._job.columns
                )
        return {
            'started': started,
            'ended': ended,
            'notes': self._notes,
            'evidence': {
                'hosts': hosts,
                'tables': tables,
                'problems': self._problems,
                'gaps': gaps,
                'silent': silent,
                'past': past,
                'cpu_seconds': time.process_time() - self._cpu,
            },
        }

    def facts(self, target: Target) -> str:
        """Return the address that is used for a target."""
        for poll in self._polls:
            if poll.target == target:
                return poll.url
        return target.url


def _bare(readings: Readings) -> Dict[str, Any]:
    """Return what a host is, where what it did is not known; {} of none."""
    found = static(readings[-1][1]) if readings else {}
    return {'samples': 0, **found} if found else {}
