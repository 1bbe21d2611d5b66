"""The tab in a real browser, in the dashboard of a cephadm cluster."""

from typing import Iterator

import json
import os
import pathlib
import shutil
import subprocess

import pytest

from managed.bootstrap import PASSWORD, USER
from managed.state import SWITCH

from . import installed, runs
from .orchestrated import TOP, CephadmCluster
from .provision import CEPHADM, Provider
from .waiting import wait_for

pytestmark = pytest.mark.slow
CLUSTER = CEPHADM.name
SECONDS = 120
E2E = TOP / 'dashboard-plugin/e2e'
BROWSER = os.environ.get('PERFCOMPARE_E2E_BROWSER', 'chromium-headless-shell')


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> Iterator[CephadmCluster]:
    """Yield a cluster with the module; skip where there is no browser."""
    ready = (E2E / 'node_modules/.bin/playwright').exists()
    if not ready or not shutil.which(BROWSER):
        pytest.skip('no browser; see dashboard-plugin/e2e/run --prepare')
    yield installed.with_module(provider)


def address(cluster: CephadmCluster) -> str:
    """Return the dashboard's address."""
    found: str = wait_for(
        lambda: cluster.ceph('mgr', 'services').get('dashboard'),
        60,
        'the dashboard has an address',
    )
    return found


def test_the_tab_shows_a_comparison(
    cluster: CephadmCluster, tmp_path: pathlib.Path
) -> None:
    """Chromium is in the network of the hosts, on which Managers serve it."""
    run = runs.start(cluster, ['x86', 'alt'], *runs.SHORT, '--rounds', '1')
    assert runs.ended(cluster, run)['state'] == 'completed'
    users = json.dumps({USER: PASSWORD})
    (tmp_path / 'e2e-users.json').write_text(users, 'utf-8')
    switch = cluster.folder().process(SWITCH)
    assert switch
    subprocess.run(
        ['nsenter', '--net=/proc/%d/ns/net' % switch.pid, 'npx',
         '--no-install', 'playwright', 'test', '--config', 'given.config.js'],
        cwd=str(E2E),
        env={
            **os.environ,
            'PERFCOMPARE_E2E_URL': address(cluster),
            'PERFCOMPARE_E2E_DIR': str(tmp_path),
            'PERFCOMPARE_E2E_RESULTS': str(tmp_path),
        },
        check=True,
    )  # fmt: skip
