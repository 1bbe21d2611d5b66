"""A page that is read while it is written tells what it told before."""

from typing import Iterator, Tuple

import multiprocessing
import pathlib

import pytest

from ...worker.loads.s3.shared_state import (
    FINISHED,
    LOADING,
    NOTHING,
    Order,
    SharedState,
    State,
    opened,
    sealed,
)

BEFORE = (1, 111_000_000_000)
AFTER = (2, 222_000_000_000)
LOAD = State(LOADING, 1, 1000, 3, 4000, 5000, 6)


def torn(new: bytes, old: bytes) -> Iterator[bytes]:
    """Say what a reader may see of two writes, whichever end comes first."""
    for at in range(1, len(new)):
        yield new[:at] + old[at:]
        yield old[:at] + new[at:]


@pytest.mark.parametrize('old', [bytes(len(sealed(BEFORE))), sealed(BEFORE)])
def test_half_of_a_write_is_never_taken(old: bytes) -> None:
    whole = (None, BEFORE, AFTER)
    for seen in torn(sealed(AFTER), old):
        assert opened(seen) in whole


def test_a_page_that_nobody_wrote_says_nothing(
    tmp_path: pathlib.Path,
) -> None:
    board = SharedState(str(tmp_path / 'board'), create=True)
    assert board.ordered() == Order(0, 0)
    assert board.told() == NOTHING


def test_what_was_whole_holds_until_the_next_is(
    tmp_path: pathlib.Path,
) -> None:
    path = str(tmp_path / 'board')
    leader, process = SharedState(path, create=True), SharedState(path)
    leader.order(*BEFORE)
    process.tell(LOAD)
    assert process.ordered() == Order(*BEFORE)
    assert leader.told() == LOAD
    with open(path, 'r+b') as file:  # as struct.pack_into() leaves them
        for at in (0, 1024):
            file.seek(at)
            file.write(bytes(16))
    assert process.ordered() == Order(*BEFORE)
    assert leader.told() == LOAD
    leader.order(*AFTER)
    process.tell(LOAD._replace(doing=FINISHED))
    assert process.ordered() == Order(*AFTER)
    assert leader.told().doing == FINISHED


def _write(path: str, count: int) -> None:
    board = SharedState(path)
    for number in range(1, count + 1):
        board.tell(State(LOADING, *(number,) * 6))
    board.tell(State(FINISHED, *(count,) * 6))


@pytest.mark.process
def test_a_reader_beside_a_writer_sees_whole_states(
    tmp_path: pathlib.Path,
) -> None:
    path = str(tmp_path / 'board')
    board = SharedState(path, create=True)
    fork = multiprocessing.get_context('fork')
    writer = fork.Process(target=_write, args=(path, 30_000), daemon=True)
    writer.start()
    seen: Tuple[int, ...] = NOTHING
    while seen[0] != FINISHED and writer.is_alive():
        seen = board.told()
        assert len(set(seen[1:])) == 1
    writer.join(30.0)
    assert board.told().doing == FINISHED
