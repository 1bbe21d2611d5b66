"""Browsers that download large files slowly leave the dashboard usable."""

from typing import Any, Dict, Iterator, List

import http.client
import json
import pathlib
import socket
import ssl
import sys
import time
import urllib.parse

import pytest

from hostile.routes import Dashboard

from .live import LiveCluster
from .provision import HOSTILE, Provider

SOURCES = pathlib.Path(__file__).parents[2] / 'src' / 'pybind' / 'mgr'
sys.path.insert(0, str(SOURCES))

from perfcompare.drivers import registry  # noqa: E402, F401
from perfcompare.store import archive  # noqa: E402
from perfcompare.tests.data import run_data  # noqa: E402

CLUSTER = HOSTILE.name
RUN = '5ca1ab1e'
ROUNDS = 100  # of a run whose file has 8 MB
BROWSERS = 60  # the dashboard of 20.2 has 30 threads
MANY = 10  # of them that are sent it
LOOKING = 4.0  # of looking, while none of them reads on
BUFFER = 8192  # bytes that the kernel takes for a browser
SOON = 20.0  # seconds, where other tests may have the machine as well


class Browser:
    """Ask for a file, and read no more than how it is answered."""

    def __init__(self, dashboard: Dashboard, path: str) -> None:
        url = urllib.parse.urlsplit(dashboard.url)
        assert url.hostname and url.port
        plain = socket.socket()
        plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, BUFFER)
        plain.settimeout(60)
        plain.connect((url.hostname, url.port))
        self._socket = plain
        if url.scheme == 'https':
            context = ssl.create_default_context()
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
            self._socket = context.wrap_socket(plain)
        headers = ''.join(
            '%s: %s\r\n' % item for item in dashboard.headers.items()
        )
        self._socket.sendall(
            f'GET {path} HTTP/1.1\r\nHost: {url.netloc}\r\n{headers}\r\n'
            .encode()
        )  # fmt: skip

    def status(self) -> int:
        """Return the status of the answer, and read nothing else of it."""
        answer = http.client.HTTPResponse(self._socket)
        answer.begin()
        return answer.status

    def close(self) -> None:
        """Leave."""
        self._socket.close()


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with a dashboard."""
    return provider.get(HOSTILE)


@pytest.fixture
def dashboard(cluster: LiveCluster) -> Iterator[Dashboard]:
    """Return a dashboard with a large run."""
    run = run_data.make_run(RUN, rounds=ROUNDS)
    records = run_data.make_records(RUN, rounds=ROUNDS, n=1000)
    text = archive.export(run, records)
    path = pathlib.Path(cluster.dir) / 'large.json'
    path.write_text(text, encoding='utf-8')
    while True:
        done = cluster.exec(
            ['ceph', 'perfcompare', 'import', '-i', str(path)]
        )
        if done.returncode != 11:
            break
        time.sleep(1)
    path.unlink()
    assert not done.returncode, done.stderr
    login = cluster.status()['dashboard']
    yield Dashboard(login['urls']['x'], login['user'], login['password'])
    cluster.exec(['ceph', 'perfcompare', 'rm', RUN])


def _seconds(dashboard: Dashboard, path: str) -> float:
    """Return how long the dashboard takes for what everybody asks."""
    began = time.monotonic()
    found: Any = dashboard.get(path)
    assert found is not None
    return time.monotonic() - began


def test_slow_downloads_leave_threads_for_others(
    dashboard: Dashboard,
) -> None:
    """All were held, until each browser had its last byte."""
    path = f'/api/perfcompare/run/{RUN}/export'
    while True:
        first = Browser(dashboard, path)
        status = first.status()
        first.close()
        if status != 202:
            break
        time.sleep(0.5)
    assert status == 200
    browsers: List[Browser] = []
    took: List[float] = []
    try:
        browsers += [Browser(dashboard, path) for _ in range(BROWSERS)]
        began = time.monotonic()
        while time.monotonic() < began + LOOKING:
            took.append(_seconds(dashboard, '/api/summary'))
            took.append(_seconds(dashboard, '/api/perfcompare/status'))
            time.sleep(0.2)
        answers: Dict[int, int] = {}
        for browser in browsers:
            status = browser.status()
            answers[status] = answers.get(status, 0) + 1
        print(json.dumps(answers), 'longest', round(max(took), 3), 's')
    finally:
        for browser in browsers:
            browser.close()
    assert max(took) < SOON
    # those that were not sent it are told to ask again
    assert set(answers) == {200, 202} and answers[200] < MANY
