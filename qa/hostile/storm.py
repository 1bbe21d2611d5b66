"""Throw bad input at the module of a real cluster, and look back."""

from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Tuple

import concurrent.futures
import dataclasses
import errno
import itertools
import json
import math
import pathlib
import time

import hypothesis

from cluster.admin import Admin, Request
from cluster.state import Cluster
from integration.live import LiveCluster
from integration.state import ClusterState, differences

from . import judge
from .commands import Line, lines
from .files import files
from .routes import Dashboard, cases, tame

TOGETHER = 16  # commands under way at once
THREADS = 4  # requests under way at once
ROUND = 500  # inputs that are drawn and thrown at a time
WARM = 0.2  # share of the rounds before memory is compared
GROWTH = 64 << 20  # bytes that memory may be more at the end
SETTLING = 60.0  # seconds until all must be as it was
KINDS = ('command lines', 'files', 'REST requests')


class Finding(NamedTuple):
    """Hold what was wrong, and with what."""

    what: str
    why: Tuple[str, ...]


@dataclasses.dataclass
class Report:
    """Count what was thrown, and what was found."""

    thrown: Dict[str, int]
    answers: Dict[str, Dict[str, int]]
    findings: List[Finding]
    changes: List[str]
    slowest: float = 0.0
    # bytes after each round, from when it was warm
    memory: List[int] = dataclasses.field(default_factory=list)
    seconds: float = 0.0

    def text(self) -> str:
        """Return a table and the findings."""
        rows = []
        for kind, number in self.thrown.items():
            told = ', '.join(
                '%s %d' % item for item in sorted(self.answers[kind].items())
            )
            rows.append('%-14s %6d   %s' % (kind, number, told))
        rows += [
            'slowest answer %.2f s; all in %.0f s'
            % (self.slowest, self.seconds),
            'memory of the mgr once warm, by round: %s MiB'
            % ' '.join('%.0f' % (size / 2**20) for size in self.memory),
            '%d wrong answers, %d changes'
            % (len(self.findings), len(self.changes)),
        ]
        for finding in self.findings[:40]:
            rows.append('%s\n    %s' % (finding.what, '; '.join(finding.why)))
        return '\n'.join(rows + self.changes[:40])

    @property
    def clean(self) -> bool:
        """Say whether nothing was found."""
        grown = self.memory[-1] - self.memory[0]
        return not (self.findings or self.changes or grown > GROWTH)


def drawn(strategy: Any, number: int, seed: int) -> List[Any]:
    """Return examples of a strategy."""
    found: List[Any] = []

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=number,
        deadline=None,
        database=None,
        phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )
    @hypothesis.given(strategy)
    def draw(example: Any) -> None:
        found.append(example)

    draw()
    return list(itertools.islice(itertools.cycle(found), number))


def parts(found: List[Any], size: int) -> Iterator[List[Any]]:
    """Yield parts of a list."""
    for at in range(0, len(found), size):
        yield found[at : at + size]


class Storm:
    """Throw everything at one cluster."""

    def __init__(self, cluster: LiveCluster, patience: float) -> None:
        self._cluster = cluster
        self._patience = patience
        self._admin = Admin(Cluster(cluster.dir))
        self._report = Report(
            {kind: 0 for kind in KINDS}, {kind: {} for kind in KINDS}, [], []
        )
        self._pid = cluster.pid('mgr.x')

    def run(
        self, number: int, seed: int, seconds: float = math.inf
    ) -> Report:
        """Throw ``number`` inputs, most of them command lines.

        They are drawn and thrown in rounds; none begins after ``seconds``.
        """
        began = time.monotonic()
        tracker = ClusterState(self._cluster)
        login = self._cluster.status()['dashboard']
        dashboard = Dashboard(
            login['urls']['x'], login['user'], login['password']
        )
        self._empty()
        before = tracker.snapshot()  # a login changes the dashboard's own
        mark = self._log_size()
        described = self._cluster.look('get_command_descriptions', 'mgr')
        all_lines = lines(described, files())
        all_cases = cases(dashboard.description()).map(tame)
        rounds = max(2, round(number / ROUND))
        for i in range(rounds):
            some = number * (i + 1) // rounds - number * i // rounds
            of_files, requests = max(1, some // 50), some // 5
            of_lines = some - 2 * of_files - requests
            self._lines(drawn(all_lines, of_lines, seed + i))
            self._files(drawn(files(), of_files, seed + i))
            self._requests(dashboard, drawn(all_cases, requests, seed + i))
            late = time.monotonic() - began > seconds
            if i + 1 >= rounds * WARM or late:
                self._report.memory.append(self._memory())
            if late:
                break
        self._empty()
        self._look_back(mark)
        self._report.changes = self._changes(tracker, before)
        self._report.seconds = time.monotonic() - began
        self._admin.close()
        return self._report

    def _changes(self, tracker: ClusterState, before: Any) -> List[str]:
        """Return what is not as it was, when what goes on has had its time.

        A reader of an import has a folder for as long as it reads.
        """
        deadline = time.monotonic() + SETTLING
        while True:
            found = differences(before, tracker.snapshot())
            if not found or time.monotonic() > deadline:
                return found
            time.sleep(1.0)

    def _count(self, kind: str, answer: str) -> None:
        self._report.thrown[kind] += 1
        known = self._report.answers[kind]
        known[answer] = known.get(answer, 0) + 1

    def _found(self, what: str, why: List[str]) -> None:
        if why:
            self._report.findings.append(Finding(what[:600], tuple(why)))

    def _lines(self, found: List[Line]) -> None:
        for part in parts(found, TOGETHER):
            self._alive()
            began = time.monotonic()
            answers = self._admin.ask(
                [Request('mgr', one.fields, one.file) for one in part]
            )
            # all of them came one after the other: this is the sum
            seconds = (time.monotonic() - began) / len(part)
            self._report.slowest = max(self._report.slowest, seconds)
            for one, answer in zip(part, answers):
                self._judge('command lines', one, answer, seconds)

    def _judge(
        self, kind: str, one: Line, answer: Dict[str, Any], seconds: float
    ) -> None:
        code = -answer['rc']
        self._count(kind, errno.errorcode.get(code, str(code)))
        why = judge.command(
            answer['rc'], answer['out'], answer['err'], seconds,
            self._patience,
        )  # fmt: skip
        what = '%s %.300r -i %.200r' % (kind, one.fields, one.file)
        self._found(what + '\n    ' + answer['err'][:200], why)

    def _files(self, found: List[str]) -> None:
        for text in found:
            for prefix in ('import', 'recovery import'):
                fields = {'prefix': 'perfcompare ' + prefix}
                if prefix == 'import' and len(text) % 2:
                    fields['group'] = 'a'
                line = Line(fields, text)
                for _ in range(100):
                    began = time.monotonic()
                    (answer,) = self._admin.ask([Request('mgr', *line)])
                    seconds = time.monotonic() - began
                    if answer['rc'] not in (-errno.EAGAIN, -errno.EBUSY):
                        break
                    time.sleep(0.2)
                self._judge('files', line, answer, seconds)

    def _requests(self, dashboard: Dashboard, found: List[Any]) -> None:
        def ask(case: Any) -> Tuple[Any, Any, float]:
            began = time.monotonic()
            try:
                answer = case.call(
                    base_url=dashboard.url,
                    headers=dashboard.headers,
                    timeout=4 * self._patience,
                )
            except Exception as error:  # no HTTP, or none in time
                return case, error, time.monotonic() - began
            return case, answer, time.monotonic() - began

        with concurrent.futures.ThreadPoolExecutor(THREADS) as pool:
            for case, answer, seconds in pool.map(ask, found):
                what = '%s %s %.200r %.300r' % (
                    case.method,
                    case.formatted_path,
                    case.query,
                    case.body,
                )
                self._report.slowest = max(self._report.slowest, seconds)
                if isinstance(answer, Exception):
                    self._count('REST requests', type(answer).__name__)
                    if 'Invalid' not in type(answer).__name__:
                        self._found(what, [repr(answer)[:200]])
                    continue
                self._count('REST requests', str(answer.status_code))
                why = judge.request(answer, seconds, self._patience)
                self._found(what + '\n    ' + answer.text[:200], why)

    def _alive(self) -> None:
        if not pathlib.Path('/proc/%d' % self._pid).exists():
            raise RuntimeError('the mgr died; see its log')

    def _memory(self) -> int:
        text = pathlib.Path('/proc/%d/statm' % self._pid).read_text()
        return int(text.split()[1]) * 4096

    def _log(self) -> pathlib.Path:
        return self._cluster.dir / 'log' / 'mgr.x.log'

    def _log_size(self) -> int:
        return self._log().stat().st_size

    def _look_back(self, mark: int) -> None:
        """Look for tracebacks in the log, and for a mgr that died."""
        with open(self._log(), 'rb') as log:
            log.seek(mark)
            text = log.read().decode('utf-8', 'replace')
        for at in _all(text, 'Traceback (most recent call last)'):
            self._found('the log', [text[at : at + 1500]])
        crashes = self._cluster.look('crash ls', 'mgr') or []
        if crashes:
            self._found('ceph crash ls', [json.dumps(crashes)[:500]])

    def _empty(self) -> None:
        """Take away what good words among the bad ones made."""
        look = self._cluster.look
        for entry in look('perfcompare group ls', 'mgr') or []:
            if entry['defined']:
                self._mgr('group rm', group=entry['spec']['name'])
        for entry in look('perfcompare gateways ls', 'mgr') or []:
            self._mgr('gateways rm', group=entry['group'])
        self._mgr('exporter rm')
        for entry in look('perfcompare load-host ls', 'mgr') or []:
            self._mgr('load-host rm', host=entry['host'])
        runs: Callable[[], Any] = lambda: look('perfcompare ls', 'mgr')
        for entry in (runs() or {'runs': []})['runs']:
            self._mgr('rm', run=entry['id'])
        time.sleep(3)  # what answered EAGAIN goes on

    def _mgr(self, prefix: str, **fields: str) -> None:
        fields['prefix'] = 'perfcompare ' + prefix
        self._admin.ask([Request('mgr', dict(fields))])


def _all(text: str, word: str) -> Iterator[int]:
    at = text.find(word)
    while at >= 0:
        yield at
        at = text.find(word, at + 1)
