"""What ceph-mgr is told again is told once."""

from typing import Any, Dict, List

from ...ceph.commands import Commands
from ...ceph.voice import MgrVoice


class _Mgr:
    """Note the health checks that are set."""

    def __init__(self) -> None:
        self.told: List[Dict[str, Any]] = []

    def set_health_checks(self, checks: Dict[str, Any]) -> None:
        self.told.append(checks)


def test_a_warning_that_stays_as_it_was_is_not_raised_again() -> None:
    """ceph-mgr keeps for ever what it is told of health."""
    mgr = _Mgr()
    voice = MgrVoice(mgr, Commands(mgr))
    for _ in range(3):
        voice.set_health_warning('A', 'two things', ['x', 'y'])
    assert len(mgr.told) == 1
    voice.set_health_warning('A', 'one thing', ['x'])
    voice.set_health_warning('B', 'another', [])
    assert [sorted(told) for told in mgr.told] == [['A'], ['A'], ['A', 'B']]
    assert mgr.told[-1]['A']['summary'] == 'one thing'
    voice.clear_health_warning('A')
    voice.clear_health_warning('A')
    voice.set_health_warning('A', 'one thing', ['x'])
    assert [sorted(told) for told in mgr.told[3:]] == [['B'], ['A', 'B']]
