"""Objects are written until all are there, or none more will be."""

from typing import Any, Dict, List

import pytest

from perfcompare.worker.loads.s3 import filling
from perfcompare.worker.loads.s3.progress import Progress
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire.s3_spec import Phase


class Processes:
    """Be two processes that fail to write as many objects as they say."""

    processes = 2

    def __init__(self, *missing: int) -> None:
        self._missing = list(missing)
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
                            {'ops': {}, 'errors': errors if not i else {}}
                        ],
                    }
                ],
            }
            for i in range(2)
        ]


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
