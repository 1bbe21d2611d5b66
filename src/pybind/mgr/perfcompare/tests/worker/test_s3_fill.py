"""Objects are written until all are there, or none more will be."""

from typing import Any, Dict, List

import pytest

from perfcompare.worker.loads.s3 import filling
from perfcompare.worker.loads.s3.fleet import Turn, turns_of
from perfcompare.worker.loads.s3.progress import Progress
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire.s3_spec import Phase


class Processes:
    """Be two processes that fail with as many objects as they say."""

    processes = 2

    def turns(self, count: int) -> List[Turn]:
        """Return what each of them has."""
        return turns_of(count, self.processes)

    def __init__(self, *missing: int, read: int = 0) -> None:
        self._missing = list(missing)
        self._ops = {'get': _row(read)} if read else {}
        self.phases: List[List[Phase]] = []

    def run(
        self, phases: List[Phase], seconds: float, watch: Any
    ) -> List[Dict[str, Any]]:
        self.phases.append(phases)
        missing = self._missing.pop(0)
        errors = {'put 503 SlowDown': missing} if missing else {}
        return [
            {
                'missing': missing if not i else 0,
                'endpoints': [
                    {
                        'url': 'u',
                        'intervals': [
                            {
                                'ops': self._ops if not i else {},
                                'errors': errors if not i else {},
                            }
                        ],
                    }
                ],
            }
            for i in range(2)
        ]


def _row(number: int) -> Dict[str, Any]:
    return {'histogram': {'1': number}, 'max': 1}


def fill(processes: Processes, count: int) -> None:
    progress = Progress.__new__(Progress)
    filling.fill(processes, progress, count)  # type: ignore[arg-type]


def test_all_at_once() -> None:
    processes = Processes(0)
    fill(processes, 10)
    assert [p.create for p in processes.phases[0]] == [(0, 2, 5), (1, 2, 5)]
    assert len(processes.phases) == 1


def test_what_failed_is_written_again() -> None:
    processes = Processes(5, 1, 0)
    fill(processes, 10)
    assert [[p.again for p in ps] for ps in processes.phases] == [
        [False, False],
        [True, True],
        [True, True],
    ]


@pytest.mark.parametrize('missing', [(10,), (5, 5), (5, 2, 2)])
def test_no_fewer_than_before_is_the_end(missing: Any) -> None:
    with pytest.raises(Failure) as caught:
        fill(Processes(*missing), 10)
    assert str(caught.value) == (
        f'{missing[-1]} of 10 objects could not be written; of '
        f"{sum(missing)} errors most were 'put 503 SlowDown'"
    )


def read(processes: Processes, count: int) -> int:
    progress = Progress.__new__(Progress)
    return filling.read_all(
        processes, progress, count  # type: ignore[arg-type]
    )


def test_each_object_is_read_once() -> None:
    processes = Processes(0, read=5)
    assert read(processes, 5) == 0
    assert [[p.read for p in ps] for ps in processes.phases] == [
        [(0, 2, 3), (1, 2, 2)]
    ]


def test_a_few_may_be_read_from_elsewhere() -> None:
    assert read(Processes(3, read=397), 400) == 3


def test_many_that_cannot_be_read_are_the_end() -> None:
    with pytest.raises(Failure) as caught:
        read(Processes(5, read=395), 400)
    assert str(caught.value) == (
        '5 of 400 objects could not be read; of 5 errors most were '
        "'put 503 SlowDown'"
    )
