"""A plugin of pytest: tests in tiers, each of which can be run alone.

``unit``: no process and no socket (it says so where one is opened, so that
the tier stays quick); ``process``: marked so, real processes and sockets on
this machine; what has a ``CLUSTER`` runs on a mini cluster of that name.
``--cluster`` chooses the tests of one, ``--clusters-to`` writes which there
are, about how many seconds each takes, and the files of its tests: a file
says its ``SECONDS`` where a test of it takes much more, or much less, than
another. ``--process-to`` writes how many process tests there are, and their
files. Who is given the files need not import all the others.
"""

from typing import Any, Dict, List, Optional, Tuple

import collections
import pathlib
import sys

import pytest

# what a unit test does not do, by the interpreter's own audit events
FORBIDDEN = {
    'os.fork': 'starts a process',
    'os.posix_spawn': 'starts a process',
    'os.system': 'starts a process',
    'subprocess.Popen': 'starts a process',
    'socket.bind': 'opens a socket',
    'socket.connect': 'opens a socket',
}
OWN = 'own'  # of tests on a cluster that they bring up themselves
UP = 60.0  # seconds in which a cluster comes up, and goes
EACH = 25.0  # seconds of a test on a cluster, if its file says no others


class Guard:
    """Refuse what the tier of the test under way does not do."""

    def __init__(self) -> None:
        self.unit = ''  # the unit test under way
        self.broken = ''

    def hook(self, event: str, _: Tuple[Any, ...]) -> None:
        """Be an audit hook; it is called for everything, and quick."""
        if self.unit and event in FORBIDDEN:
            self.broken = (
                f'{self.unit} {FORBIDDEN[event]}: a unit test does not; '
                'mark it with pytest.mark.process'
            )
            raise RuntimeError(self.broken)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the options that choose by cluster."""
    group = parser.getgroup('tiers')
    group.addoption('--cluster', help='only tests on this mini cluster')
    group.addoption(
        '--clusters-to', help='write clusters, their seconds and files'
    )
    group.addoption(
        '--process-to', help='write the count of process tests, and files'
    )


def pytest_configure(config: pytest.Config) -> None:
    """Begin to watch."""
    guard = Guard()
    sys.addaudithook(guard.hook)
    config.pluginmanager.register(Watch(guard), 'tiers-watch')


class Watch:
    """Tell the guard which test is under way."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Any:
        """Fail a unit test that does what its tier does not."""
        guard = self._guard
        guard.broken = ''
        guard.unit = item.nodeid if item.get_closest_marker('unit') else ''
        try:
            found = yield
        finally:
            guard.unit = ''
        assert not guard.broken, guard.broken
        return found


def cluster_of(item: pytest.Item) -> Optional[str]:
    """Return the name of the cluster that a test asks for."""
    own = OWN if 'integration' in item.path.parts else None
    found: Optional[str] = getattr(
        getattr(item, 'module', None), 'CLUSTER', own
    )
    return found


def _tier(item: pytest.Item) -> str:
    if cluster_of(item) is not None:
        return 'integration'
    return 'process' if item.get_closest_marker('process') else 'unit'


def seconds_of(items: List[pytest.Item]) -> List[Tuple[str, float]]:
    """Return the clusters of tests, each with its seconds, about."""
    count = collections.Counter(
        getattr(item, 'module', None) for item in items
    )
    found: Dict[str, float] = {}
    for item in items:
        name = cluster_of(item)
        module = getattr(item, 'module', None)
        if name is not None:
            own = getattr(module, 'SECONDS', None)
            took = EACH if own is None else own / count[module]
            found[name] = found.get(name, UP) + took
    return list(found.items())


def files_of(items: List[pytest.Item]) -> str:
    """Return the files of tests in their order, as pytest takes them."""
    found = dict.fromkeys(item.nodeid.split('::')[0] for item in items)
    return ' '.join(found)


def _on(name: str, items: List[pytest.Item]) -> List[pytest.Item]:
    return [item for item in items if cluster_of(item) == name]


# first, as -m chooses by what is marked here
@pytest.hookimpl(tryfirst=True)
def pytest_itemcollected(item: pytest.Item) -> None:
    """Mark a test with its tier."""
    item.add_marker(_tier(item))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(
    config: pytest.Config, items: List[pytest.Item]
) -> None:
    """Choose the tests of one cluster; write how long each takes."""
    wanted = config.getoption('--cluster')
    if wanted:
        others = [item for item in items if cluster_of(item) != wanted]
        config.hook.pytest_deselected(items=others)
        items[:] = _on(wanted, items)
    path = config.getoption('--clusters-to')
    if path:
        pathlib.Path(path).write_text(
            ''.join(
                f'{name} {n:.0f} {files_of(_on(name, items))}\n'
                for name, n in seconds_of(items)
            ),
            encoding='utf-8',
        )
    path = config.getoption('--process-to')
    if path:
        chosen = [item for item in items if _tier(item) == 'process']
        pathlib.Path(path).write_text(
            f'{len(chosen)} {files_of(chosen)}\n', encoding='utf-8'
        )
