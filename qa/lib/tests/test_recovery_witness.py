# mypy: ignore-errors
"""What the witness of recoveries says of states that it saw."""

from typing import Any, List, Tuple

import pathlib
import sys
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

with mock.patch.dict(sys.modules, rados=mock.MagicMock()):  # of the cluster
    import recovery_witness as witness


def course(*looks: Tuple[float, str, str]) -> List[Tuple[float, List[Any]]]:
    return [(at, [(a, [1], [1]), (b, [1], [1])]) for at, a, b in looks]


def degraded(seen: List[Tuple[float, List[Any]]]) -> Any:
    return witness.end_of(seen, lambda states: 'degraded' in states)


def test_a_pg_that_peers_is_as_degraded_as_it_was() -> None:
    lacking = 'active+undersized+degraded'
    seen = course(
        (1.0, lacking, lacking),
        (2.0, 'peering', lacking),
        (2.1, 'peering', 'peering'),
        (3.0, 'active+clean', 'peering'),
        (3.5, 'active+clean', 'active+clean'),
    )
    assert degraded(seen) == 3.5


def test_the_last_one_that_is_whole_is_the_end() -> None:
    seen = course(
        (1.0, 'active+recovering+degraded', 'active+clean'),
        (2.0, 'active+clean', 'active+clean'),
    )
    assert degraded(seen) == 2.0
    assert degraded(seen[:1]) is None
    assert degraded(course((1.0, 'active+clean', 'peering'))) is None
