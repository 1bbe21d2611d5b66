"""Pages of recoveries while one is under way."""

import pytest

from ...model.recovery import State
from ...recovery.store import recoveries as store
from ...report.recovery import text
from ..fakes.cluster import FakeCluster
from ..fakes.running import Rig
from .test_store import episode, recovery_test

OPEN = '000000ff'


@pytest.fixture
def listing(tmp_path, monkeypatch):
    """Store three episodes, a test, and (perhaps) the one under way."""
    rig = Rig(FakeCluster(), tmp_path)
    recoveries = rig.service.recoveries
    now = episode(OPEN, began=2e9, state=State.OPEN)

    def begun(stored):
        items = [episode(f'0000000{n}', began=1e9 + n) for n in range(3)]
        items += [recovery_test(), *([now] if stored else [])]
        for item in items:
            recoveries._database.call(lambda s, i=item: store.put(s, i, {}))
        monkeypatch.setattr(recoveries.observer, 'current', lambda: now)
        return recoveries.list

    yield begun
    rig.stop()


@pytest.mark.parametrize('stored', [False, True])
def test_it_is_on_the_first_page_only_and_counts_on_none(listing, stored):
    ask = listing(stored)
    first, second = ask(2, 0), ask(2, 2)
    assert first.current.id == OPEN and second.current is None
    ids = [i.id for page in (first, second) for i in page.items]
    assert len(set(ids)) == 4 and OPEN not in ids
    assert first.total == second.total == 4
    assert '2 older ones: --offset 2' in text.listed(first)
    assert 'older' not in text.listed(second)
    assert OPEN not in text.listed(second)


@pytest.mark.parametrize('stored', [False, True])
def test_it_is_no_test(listing, stored):
    ask = listing(stored)
    found = ask(10, 0, 'test')
    assert found.current is None and found.total == 1
    assert [i.kind for i in found.items] == ['test']
    found = ask(10, 0, 'episode')
    assert found.current.id == OPEN
    assert (found.total, len(found.items)) == (3, 3)
