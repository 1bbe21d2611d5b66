"""What a recovery test holds is given back where it cannot be made."""

import pytest

from ...model.recovery import TestState
from ...recovery.run import assembly
from ..data.recovery_rig import request


@pytest.mark.parametrize('part', ['HostWatch', 'LoadRun', 'RecoveryContext'])
def test_the_query_of_the_abort_watch_ends(rig, monkeypatch, part):
    rig.cluster.add_pool('data', objects=5)

    def broken(*args, **kwargs):
        raise OSError(28, 'no space left on device')

    with monkeypatch.context() as patch:
        patch.setattr(assembly, part, broken)
        found = rig.execute(request('backfill', consent=True))
    assert found.state is TestState.FAILED
    names = [c.verb for c in rig.cluster.calls]
    assert names.count('pool_latency') == 1
    assert names.count('pool_latency_end') == 1
    assert not list(rig.folder.glob('perfcompare-*'))
