"""Exporters and a Prometheus server that want TLS and a password."""

from typing import Any, Iterator, List

import contextlib
import json
import os
import pathlib
import shutil
import signal
import ssl
import subprocess
import urllib.error
import urllib.request

from cluster import exporters
from cluster.state import Cluster

from .live import LiveCluster
from .waiting import wait_for

USER, PASSWORD = 'prom', 'of a test'
HASH = '$2b$04$Mha3GV.2qamDKDCkl/Ct7OtGCPICRkxl1xWETeXnFnKbnwGZAZEX.'
SECURE_PORT = 9143
PROMETHEUS_PORT = 9495
# a program, of any release; Debian's package `prometheus` has it
PROMETHEUS = os.environ.get('PERFCOMPARE_PROMETHEUS') or shutil.which(
    'prometheus'
)


def access(cluster: LiveCluster, prefix: str = '') -> str:
    """Return a file for `exporter set`: our CA, user and password."""
    ca = (_folder(cluster) / 'cert.pem').read_text(encoding='utf-8')
    lines = ['ca: |'] + ['  ' + line for line in ca.splitlines()]
    lines += ['%susername: %s' % (prefix, USER)]
    lines += ['%spassword: %s' % (prefix, PASSWORD)]
    return '\n'.join(lines) + '\n'


@contextlib.contextmanager
def secured_exporters(cluster: LiveCluster) -> Iterator[str]:
    """Start one more exporter on each host; yield a template of URLs."""
    found = Cluster(cluster.dir)
    web = _web_config(cluster)
    names = []
    try:
        for exporter in exporters.exporters_of(found.settings):
            names.append('secured.' + exporter.name)
            exporters.start_one(
                found,
                exporter,
                SECURE_PORT,
                'secured',
                ['--web.config.file=%s' % web],
            )
        for exporter in exporters.exporters_of(found.settings):
            _wait_refuses(cluster, exporter.address, SECURE_PORT)
        yield 'https://{addr}:%d/metrics' % SECURE_PORT
    finally:
        for name in names:
            process = found.process(name)
            if process is not None and process.alive():
                os.kill(process.pid, signal.SIGKILL)


@contextlib.contextmanager
def prometheus(cluster: LiveCluster) -> Iterator[str]:
    """Start a Prometheus server that reads all exporters; yield its URL."""
    assert PROMETHEUS is not None
    folder = _folder(cluster)
    web = _web_config(cluster)
    found = exporters.exporters_of(Cluster(cluster.dir).settings)
    targets = ['%s:%d' % (e.address, exporters.PORT) for e in found]
    config = folder / 'prometheus.yml'
    config.write_text(
        json.dumps(  # which is YAML
            {
                'global': {'scrape_interval': '1s', 'scrape_timeout': '1s'},
                'scrape_configs': [
                    {
                        'job_name': 'node',
                        'static_configs': [{'targets': targets}],
                    }
                ],
            }
        ),
        encoding='utf-8',
    )
    address = found[-1].address  # the machine's own
    with open(folder / 'prometheus.out', 'ab') as out:
        server = subprocess.Popen(
            [
                PROMETHEUS,
                '--config.file=%s' % config,
                '--storage.tsdb.path=%s' % (folder / 'tsdb'),
                '--web.listen-address=%s:%d' % (address, PROMETHEUS_PORT),
                '--web.config.file=%s' % web,
            ],
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=out,
        )
    try:
        _wait_refuses(cluster, address, PROMETHEUS_PORT)
        yield 'https://%s:%d' % (address, PROMETHEUS_PORT)
    finally:
        server.kill()
        server.wait()


def _folder(cluster: LiveCluster) -> pathlib.Path:
    folder = cluster.dir / 'tmp' / 'secured'
    folder.mkdir(exist_ok=True)
    return folder


def _web_config(cluster: LiveCluster) -> pathlib.Path:
    """Make a certificate of all hosts' addresses; return what names it."""
    folder = _folder(cluster)
    cert, key, web = (folder / n for n in ('cert.pem', 'key.pem', 'web.yml'))
    if web.exists():
        return web
    found = exporters.exporters_of(Cluster(cluster.dir).settings)
    names = ','.join('IP:' + exporter.address for exporter in found)
    argv: List[str] = ['openssl', 'req', '-x509', '-newkey', 'rsa:2048']
    argv += ['-nodes', '-keyout', str(key), '-out', str(cert), '-days', '2']
    argv += ['-subj', '/CN=hosts', '-addext', 'subjectAltName=' + names]
    subprocess.run(argv, check=True, capture_output=True)
    files = {'cert_file': str(cert), 'key_file': str(key)}
    told: Any = {'tls_server_config': files, 'basic_auth_users': {USER: HASH}}
    web.write_text(json.dumps(told), encoding='utf-8')
    return web


def _wait_refuses(cluster: LiveCluster, address: str, port: int) -> None:
    """Wait until it serves, and serves nobody without the password."""
    context = ssl.create_default_context(
        cafile=str(_folder(cluster) / 'cert.pem')
    )
    url = 'https://%s:%d/metrics' % (address, port)

    def refused() -> bool:
        try:
            urllib.request.urlopen(url, timeout=2, context=context).close()
        except urllib.error.HTTPError as error:
            return error.code == 401
        except OSError:
            return False
        raise AssertionError('%s asks for no password' % url)

    wait_for(refused, 30, '%s asks for a password' % url)
