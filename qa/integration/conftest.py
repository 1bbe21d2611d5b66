"""Fixtures: one cluster at a time, shared by all tests that can share it."""

from typing import Any, Generator, Iterator, List

import os
import pathlib
import shutil
import signal
import sys
import tempfile

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from cluster import status  # noqa: E402
from integration.live import LiveCluster  # noqa: E402
from integration.provision import Provider  # noqa: E402


def pytest_configure(config: Any) -> None:
    """Declare the marker of what takes minutes."""
    config.addinivalue_line(
        'markers', 'slow: takes minutes; run only when -m slow asks for it'
    )


# each comes up once
ORDER = (
    'wide',
    'gateways',
    'pairs',
    'shared',
    'quads',
    'arm-pairs',
    'small',
    'figures',
    'cut',
    'hostile',
    'faults',
    'ceph-orch',
    'with-warp',
    'hosts',
    'limited',
    'load-hosts',
    'with-db',
    'packaged',
    'mixed',
    'old',
    'bare',
    'cephadm',
)


def pytest_collection_modifyitems(config: Any, items: List[Any]) -> None:
    """Group tests by their cluster; leave slow ones out unless wanted."""
    items.sort(
        key=lambda i: ORDER.index(getattr(i.module, 'CLUSTER', 'bare'))
    )
    if 'slow' in (config.option.markexpr or ''):
        return
    slow = [item for item in items if item.get_closest_marker('slow')]
    if slow:
        config.hook.pytest_deselected(items=slow)
        items[:] = [item for item in items if item not in slow]


@pytest.fixture(scope='session')
def provider() -> Iterator[Provider]:
    """Yield the one that brings clusters up, and takes them down."""
    given = os.environ.get('PERFCOMPARE_CLUSTERS')
    base = pathlib.Path(
        given or tempfile.mkdtemp(prefix='pc-', dir='/var/tmp')
    )
    found = Provider(base)
    try:
        yield found
    finally:
        found.close()
        if not given:
            shutil.rmtree(str(base), ignore_errors=True)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: Any) -> Generator[None, Any, Any]:
    """Show what daemons that are gone said last; their logs go, too."""
    report = yield
    if report.failed:
        for found in getattr(item, 'funcargs', {}).values():
            if isinstance(found, LiveCluster):
                said = status.last_words(found.folder())
                report.sections.append(('daemons that are gone', said))
    return report


@pytest.fixture(autouse=True)
def limit(request: Any) -> Iterator[None]:
    """End a test that hangs: a cluster may never answer."""
    slow = request.node.get_closest_marker('slow')
    seconds = 1200 if slow else 600

    def late(*_: Any) -> None:
        raise TimeoutError('the test took longer than %d s' % seconds)

    signal.signal(signal.SIGALRM, late)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
