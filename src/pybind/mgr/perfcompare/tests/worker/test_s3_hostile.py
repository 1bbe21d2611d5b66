"""Real workers against every mode of the hostile gateway, in short.

`qa/bench/s3_hostile.py` is the long form.
"""

from typing import Dict, Iterator

import concurrent.futures
import pathlib

import pytest

from perfcompare.tests.data import certificates
from perfcompare.tests.fakes.hostile_gateway import MODES
from perfcompare.tests.fakes.hostile_run import Cell, Found, measure

pytestmark = pytest.mark.process

SECONDS = 1.0
PAUSE = 0.005  # at full speed, counts would say no more
AT_ONCE = 6
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


def _name(cell: Cell) -> str:
    return f'{cell.mode}-{cell.loop}-{cell.share:g}{cell.checksum}'


@pytest.fixture(scope='module')
def results(
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Dict[Cell, 'concurrent.futures.Future[Found]']]:
    folder = tmp_path_factory.mktemp('hostile')
    made = []
    for who in ('ours', 'stranger'):
        (folder / who).mkdir()
        made += certificates.make(folder / who, 'DNS:localhost')
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        yield {
            cell: pool.submit(
                measure,
                cell,
                pathlib.Path(folder, f'{i}'),
                SECONDS,
                tuple(made),
                PAUSE,
            )
            for i, cell in enumerate(CELLS)
        }


@pytest.mark.parametrize('cell', CELLS, ids=_name)
def test_a_load_holds_its_promises(
    results: Dict[Cell, 'concurrent.futures.Future[Found]'], cell: Cell
) -> None:
    found = results[cell].result()
    assert found.problems == (), found
