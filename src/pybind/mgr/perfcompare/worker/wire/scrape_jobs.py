"""The job of scraping hosts, beside a trial's load."""

from typing import Iterator, Tuple

import dataclasses
import os

from .jobs import KINDS, NICE, Bare
from .strict import Malformed
from .urls import check_url

TARGETS_MAX = 10000
# columns that can be had alone, for a small part of what all take
ALONE = ('cpu_busy', 'cpu_iowait', 'psi_cpu', 'psi_io', 'psi_memory')


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise Malformed(message)


@dataclasses.dataclass(frozen=True)
class Past:
    """Hold what the trials before know of a further exporter."""

    took: float = 0.0  # seconds of its quickest answer; 0: it had none
    waited: float = 0.0  # seconds of the longest wait for one that never came
    late: int = 0  # trials for which its answers came too late
    unanswered: int = 0  # requests in a row that had no answer


@dataclasses.dataclass(frozen=True)
class Target:
    """Say how one host's figures can be had."""

    host: str  # our name of it, in results
    url: str  # of its node_exporter
    more: Tuple[str, ...] = ()  # further exporters of this host
    past: Tuple[Past, ...] = ()  # of each of these; () is nothing
    names: Tuple[str, ...] = ()  # names and addresses, for Prometheus
    settled: bool = False  # the URL is known, not guessed
    disks: Tuple[str, ...] = ()  # devices of OSDs

    @property
    def further(self) -> Iterator[Tuple[str, Past]]:
        """Return further exporters, and what is known of them."""
        return zip(self.more, self.past or (Past(),) * len(self.more))

    def check(self) -> None:
        """Raise Malformed where a value cannot be right."""
        _need(bool(self.host), 'a target without a host')
        _need(
            len(self.past) in (0, len(self.more)),
            f'{self.host}: not one past for each further exporter',
        )
        for url in (self.url,) + self.more:
            problem = check_url(url)
            _need(not problem, f'{self.host}: URL {url!r}: {problem}')


@dataclasses.dataclass(frozen=True)
class Scrape(Bare):
    """Read all targets every ``period`` s until stopped or the deadline.

    Further exporters of a host are asked at times of their own: from when
    the measured window is expected to open, ``opens`` s after the start. It
    ``lasts`` so many seconds; 0 is not known.

    With ``prometheus``, that server is asked where exporters are; with
    ``query`` it is asked for the samples too, at the end, and no exporter
    is. With ``columns``, no others are kept. Files: ``credentials`` and
    ``prometheus_credentials`` are JSON with username and password, mode
    0600; ``ca_file`` is PEM.
    """

    targets: Tuple[Target, ...] = ()
    period: float = 5.0
    timeout: float = 4.0  # seconds, of one scrape of one target
    ca_file: str = ''
    credentials: str = ''
    prometheus: str = ''
    prometheus_credentials: str = ''
    query: bool = False
    opens: float = 0.0
    lasts: float = 0.0
    columns: Tuple[str, ...] = ()  # of ALONE; () is all there are
    port: int = 9100  # of node_exporters, where a server's job does not tell
    nice: int = NICE

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        _need(self.deadline > 0, 'the deadline must be above 0 s')
        _need(0 <= self.nice <= 19, f'nice {self.nice} is not within 0 … 19')
        _need(bool(self.targets), 'no target is given')
        _need(
            len(self.targets) <= TARGETS_MAX,
            f'{len(self.targets)} targets are more than {TARGETS_MAX}',
        )
        for target in self.targets:
            target.check()
        hosts = [t.host for t in self.targets]
        _need(len(set(hosts)) == len(hosts), 'a host is named twice')
        _need(self.period >= 0.2, 'the period must be at least 0.2 s')
        _need(self.timeout > 0, 'the timeout must be above 0 s')
        for column in self.columns:
            _need(column in ALONE, f'column {column!r} is not had alone')
        _need(self.opens >= 0 <= self.lasts, 'a window before the start')
        for path in (
            self.ca_file,
            self.credentials,
            self.prometheus_credentials,
        ):
            _need(
                not path or os.path.isabs(path),
                f'{path!r} is not an absolute path',
            )
        if self.prometheus:
            problem = check_url(self.prometheus)
            _need(not problem, f'URL {self.prometheus!r}: {problem}')
        _need(
            not self.query or bool(self.prometheus),
            'no Prometheus server is given to be asked',
        )


KINDS['scrape'] = Scrape
