"""Real workers against every mode of the hostile gateway, in short.

`qa/bench/s3_hostile.py` is the long form.
"""

from typing import List, Tuple

import concurrent.futures
import pathlib

import pytest

from perfcompare.tests.data import certificates
from perfcompare.tests.fakes.hostile_gateway import MODES
from perfcompare.tests.fakes.hostile_run import Cell, measure

pytestmark = pytest.mark.process

SECONDS = 1.0
PAUSE = 0.005  # at full speed, counts would say no more
AT_ONCE = 6  # in one test: what tests share, each process of xdist would load
# half of what is asked goes wrong: closed and open loop in turn
SUMMED = ('polite', 'one_percent_of_many', 'tls_noise')
CELLS = [
    Cell(mode, ('closed', 'open')[i % 2], 0.5) for i, mode in enumerate(MODES)
] + [
    Cell(mode, 'closed', 1.0)
    for mode in (
        'early_refusal',
        'endless_codes',
        'no_answer',
        'reset_at_once',
        'reset_in_the_request',
        'status_403_conne',
    )
]
# contents in chunks, signed and not
CELLS += [
    Cell(mode, ('open', 'closed')[i % 2], 0.5, 'crc32')
    for i, mode in enumerate(
        mode for mode, spec in MODES.items()
        if mode in SUMMED or (spec.ops == 'put' and spec.size < 8 << 20)
    )
]  # fmt: skip


GROUPS = [CELLS[i : i + AT_ONCE] for i in range(0, len(CELLS), AT_ONCE)]


def _name(cells: List[Cell]) -> str:
    return '+'.join(
        f'{cell.mode}-{cell.loop}-{cell.share:g}{cell.checksum}'
        for cell in cells
    )


@pytest.fixture(scope='module')
def made(tmp_path_factory: pytest.TempPathFactory) -> Tuple[str, ...]:
    found: List[str] = []
    for who in ('ours', 'stranger'):
        folder = tmp_path_factory.mktemp(who)
        found += certificates.make(folder, 'DNS:localhost')
    return tuple(found)


@pytest.mark.parametrize('cells', GROUPS, ids=_name)
def test_loads_hold_their_promises(
    cells: List[Cell], made: Tuple[str, ...], tmp_path: pathlib.Path
) -> None:
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        loads = [
            pool.submit(
                measure, cell, tmp_path / f'{i}', SECONDS, made, PAUSE
            )
            for i, cell in enumerate(cells)
        ]
    broken = [load.result() for load in loads if load.result().problems]
    assert broken == []
