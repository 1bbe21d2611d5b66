"""How one cell goes, with a cluster that is not there."""

from typing import Any, Dict, List, Optional

import errno
import re

import pytest

from cluster.api import CommandFailed

from .. import cell, kinds  # noqa: F401
from ..cell import Cells, length, stored_as
from ..fault import REGISTRY, Fault, Scene
from ..lab import Refused
from ..results import FAILED, MISSED, SURVIVED, Result
from ..states import BY_NAME


class _Lab:
    """A cluster on which nothing runs and nothing is wrong."""

    def __init__(self) -> None:
        self.repaired = 0
        self.asked: List[str] = []

    def start_all(self) -> None:
        """Count."""
        self.repaired += 1

    def wait_well(self) -> None:
        """Return at once."""

    def status(self) -> Optional[Dict[str, Any]]:
        """Tell of no run."""
        return {'progress': None, 'warnings': []}

    def ask(self, prefix: str, **fields: Any) -> None:
        """Note what was asked."""
        self.asked.append(prefix)


class _Observer:
    noted = False

    def remember(self) -> None:
        """Note that it was asked to."""
        self.noted = True

    def changes(self) -> List[str]:
        """Tell of none."""
        return []

    def module_errors(self) -> List[str]:
        """Tell of none."""
        return []


class _Odd(Fault):
    """A fault that cannot be done."""

    name = 'odd'

    def ready(self, scene: Scene) -> None:
        """Fail as the `ceph` tool does."""
        raise CommandFailed(['ceph', 'x'], 110, 'timed out\nat last')


def test_a_fault_that_cannot_be_done_fails_its_cell_and_no_other() -> None:
    lab: Any = _Lab()
    observer: Any = _Observer()
    result = Cells(lab, observer).run(BY_NAME['trial'], _Odd())
    assert result.verdict == FAILED
    assert len(result.problems) == 1
    assert result.problems[0].startswith('CommandFailed: ')
    assert lab.repaired == 2  # after the fault, and before the next cell
    assert set(result.steps) == {'ready', 'repair', 'start over'}


def test_what_an_interrupted_piece_left_is_no_part_of_what_was() -> None:
    lab: Any = _Lab()
    observer: Any = _Observer()
    Cells(lab, observer).begin()
    assert lab.asked == ['perfcompare cleanup']
    assert observer.noted


def test_only_who_may_die_of_a_fault_may_die() -> None:
    pattern = REGISTRY['bucket-rm'].kills
    assert re.search(pattern, 'client.perfcompare.1b8417bd: 2026')
    assert not re.search(pattern, 'mgr.x: 2026')
    assert not re.search(pattern, 'client.rgw.a: 2026')
    assert {f.name for f in REGISTRY.values() if f.kills} == {
        'blocklist-db',
        'bucket-rm',
    }


def test_an_error_of_ours_is_no_reason_to_end_anywhere() -> None:
    """A fault may end a run that has not begun, but not for that."""
    odd = _Odd()
    odd.outcomes = {'failed': '.'}
    for reason in ('internal error: OSError', 'No space left on device'):
        lab: Any = _Lab()
        observer: Any = _Observer()
        result = Result('pools', 'odd')
        cells = Cells(lab, observer)
        scene = Scene(lab, BY_NAME['pools'])
        cells._judge(scene, odd, ('failed', reason), result)
        assert bool(result.problems) is reason.startswith('internal')


def test_a_trial_is_long_only_where_a_rule_has_to_notice() -> None:
    assert length(BY_NAME['trial'], REGISTRY['osd-kill']) == 15.0
    assert length(BY_NAME['finishing'], REGISTRY['osd-kill']) == 3.0


def test_a_test_that_is_cut_is_stored_as_stopped() -> None:
    test, run = BY_NAME['test-fill'], BY_NAME['trial']
    assert stored_as(test, 'aborted') == 'stopped'
    assert stored_as(test, 'failed') == 'failed'
    assert stored_as(test, 'completed') == 'completed'
    assert stored_as(run, 'aborted') == 'aborted'


class _Starting(_Lab):
    """Refuse to start as often as there are texts, then start."""

    def __init__(self, *texts: str) -> None:
        super().__init__()
        self.texts = list(texts)

    def ask(self, prefix: str, **fields: Any) -> Any:
        """Refuse, or name a run."""
        super().ask(prefix)
        if self.texts:
            raise Refused(prefix, errno.EINVAL, self.texts.pop(0))
        return {'run': '0a1b2c3d'}


def test_a_manager_that_just_started_is_asked_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """It has no statistics of OSDs for some seconds."""
    monkeypatch.setattr(cell.time, 'sleep', lambda seconds: None)
    state = BY_NAME['test-baseline']
    why = "osd-out is not possible in group 'xs': the fill of the remaining"
    lab: Any = _Starting(
        why + ' OSDs is not known', why + ' OSDs is not known'
    )
    assert cell.start(lab, state, 8.0) == '0a1b2c3d'
    assert len(lab.asked) == 3
    lab = _Starting('group xs: no such group')
    with pytest.raises(Refused, match='no such group'):
        cell.start(lab, state, 8.0)
    assert len(lab.asked) == 1


def test_a_state_that_was_missed_is_gone_to_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    lab: Any = _Lab()
    observer: Any = _Observer()
    cells, seen = Cells(lab, observer), []

    def once(state: Any, fault: Any) -> Result:
        seen.append(state.name)
        verdict = MISSED if len(seen) < 3 else SURVIVED
        return Result(state.name, fault.name, verdict)

    monkeypatch.setattr(cells, '_once', once)
    assert cells.run(BY_NAME['preflight'], _Odd()).verdict == SURVIVED
    assert seen == ['preflight'] * 3
    monkeypatch.setattr(
        cells, '_once', lambda s, f: Result(s.name, f.name, MISSED)
    )
    assert cells.run(BY_NAME['preflight'], _Odd()).verdict == MISSED
