"""The HTTP reader, cut everywhere and fed with garbage."""

from typing import List, Optional, Tuple

import collections
import random
import time

import pytest

from perfcompare.worker.loads.s3 import response
from perfcompare.worker.loads.s3.response import (
    HEAD_MAX,
    KNOWN,
    BadResponse,
    Response,
    parse_head,
)

OK = b'HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello'
CONTINUE = b'HTTP/1.1 100 Continue\r\n\r\n'
EARLY = b'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'
CHUNKED = (
    b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'
    b'3;x=y\r\nhel\r\n2\r\nlo\r\n0\r\nTrailer: 1\r\n\r\n'
)
ERROR = (
    b'HTTP/1.1 503 Slow Down\r\ncontent-length: 28\r\nRetry-After: 7\r\n\r\n'
    b'<Error><Code>SlowDown</Code>'
)
NOTHING = b'HTTP/1.1 204 No Content\r\nx: y\r\n\r\n'
HEAD = b'HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n'
HUGE = b'HTTP/1.1 200 OK\r\n' + b''.join(
    b'x-header-%d: %s\r\n' % (i, b'v' * 900) for i in range(60)
)
HUGE += b'Content-Length: 5\r\n\r\nhello'

# bytes, of a HEAD request, status, length, body kept
Case = Tuple[bytes, bool, int, int, bytes]
GOOD: List[Case] = [
    (OK, False, 200, 5, b'hello'),
    (CONTINUE + OK, False, 200, 5, b'hello'),
    (EARLY + CONTINUE + OK, False, 200, 5, b'hello'),
    (CHUNKED, False, 200, 5, b'hello'),
    (CONTINUE + CHUNKED, False, 200, 5, b'hello'),
    (ERROR, False, 503, 28, b'<Error><Code>SlowDown</Code>'),
    (NOTHING, False, 204, 0, b''),
    (HEAD, True, 200, 4096, b''),
    (HUGE, False, 200, 5, b'hello'),
]


def read(
    pieces: List[bytes], head: bool = False, keep: int = 100
) -> Optional[Response]:
    """Feed pieces from a larger buffer; None when it stays incomplete."""
    response = Response()
    response.reset(head, keep)
    for number, piece in enumerate(pieces):
        buffer = bytearray(piece + b'HTTP/1.1 666 stale\r\n\r\n')
        if response.feed(buffer, len(piece)):
            assert number == len(pieces) - 1
            return response
    return None


def check(case: Case, found: Optional[Response]) -> None:
    _, _, status, length, body = case
    assert found is not None and found.head is not None
    assert (found.head.status, found.length) == (status, length)
    assert found.body == body


@pytest.mark.parametrize('case', GOOD)
def test_split_at_every_byte(case: Case) -> None:
    data, head = case[0], case[1]
    check(case, read([data], head))
    step = 1 if len(data) < 2000 else 997
    for cut in range(1, len(data), step):
        check(case, read([data[:cut], data[cut:]], head))


@pytest.mark.parametrize('case', GOOD)
def test_byte_by_byte(case: Case) -> None:
    data = case[0]
    if len(data) > 2000:
        data = data[:17] + data[-400:]
    check(case, read([data[i : i + 1] for i in range(len(data))], case[1]))


@pytest.mark.parametrize('case', GOOD)
def test_random_pieces(case: Case) -> None:
    rng = random.Random(len(case[0]))
    for _ in range(50):
        cuts = sorted(rng.choices(range(1, len(case[0])), k=5))
        edges = [0, *sorted(set(cuts)), len(case[0])]
        pieces = [case[0][a:b] for a, b in zip(edges, edges[1:])]
        check(case, read(pieces, case[1]))


@pytest.mark.parametrize('case', GOOD)
def test_a_part_is_never_complete(case: Case) -> None:
    data = case[0]
    for cut in range(0, len(data), 1 if len(data) < 2000 else 997):
        assert read([data[:cut]] if cut else [], case[1]) is None


@pytest.mark.parametrize('case', GOOD)
def test_bytes_beyond_the_end_are_an_error(case: Case) -> None:
    with pytest.raises(BadResponse, match='beyond'):
        read([case[0] + b'x'], case[1])


@pytest.mark.parametrize(
    'data',
    [
        b'SSH-2.0-OpenSSH_9.6\r\n',
        b'HTTP/2 200\r\n\r\n',
        b'HTTP/1.1 2000 x\r\n\r\n',
        b'HTTP/1.1 abc\r\n\r\n',
        b'HTTP/1.1 099 x\r\n\r\n',
        b'HTTP/1.1 101 Switching\r\n\r\n',
        b'HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n',
        b'HTTP/1.1 200 OK\r\nContent-Length: 1e3\r\n\r\n',
        b'HTTP/1.1 200 OK\r\nContent-Length: 1\r\ncontent-length: 2\r\n\r\n',
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\n',
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n',
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n',
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n',
        b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\na',
        b'HTTP/1.1 200 OK\r\n' + b'a' * (HEAD_MAX + 1),
    ],
)
def test_garbage_is_refused_whole_or_in_bytes(data: bytes) -> None:
    with pytest.raises(BadResponse):
        read([data])
    if len(data) < 1000:
        with pytest.raises(BadResponse):
            read([data[i : i + 1] for i in range(len(data))])


def test_random_garbage_raises_nothing_else() -> None:
    rng = random.Random(7)
    material = [OK, CHUNKED, ERROR, NOTHING, CONTINUE]
    became = collections.Counter()
    for _ in range(3000):
        data = bytearray(rng.choice(material))
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        cut = rng.randrange(1, len(data))
        response = Response()
        response.reset(False, 100)
        try:
            # complete by the first piece already, or by the second one
            complete = any(
                response.feed(piece + b'HTTP/1.1 666 stale\r\n', len(piece))
                for piece in (data[:cut], data[cut:])
            )
        except BadResponse:
            became['refused'] += 1
            continue
        became['complete' if complete else 'cut off'] += 1
        if complete:
            assert response.head is not None
            assert 200 <= response.head.status <= 999
            assert response.head.status != 666 and response.length >= 0
    assert min(became[w] for w in ('refused', 'complete', 'cut off')) > 100


def test_a_body_without_length_ends_with_the_connection() -> None:
    response = Response()
    response.reset(False)
    data = b'HTTP/1.0 200 OK\r\n\r\nhel'
    assert not response.feed(data, len(data))
    assert not response.feed(b'lo', 2)
    assert response.ended() and response.length == 5


def test_equal_lengths_twice_are_one() -> None:
    head = parse_head(
        b'HTTP/1.1 200 OK\r\nContent-Length: 7\r\nContent-Length:7'
    )
    assert head.length == 7


@pytest.mark.parametrize(
    'line, close',
    [
        (b'HTTP/1.1 200 OK\r\nConnection: close', True),
        (b'HTTP/1.1 200 OK\r\nConnection: Keep-Alive', False),
        (b'HTTP/1.1 200 OK', False),
        (b'HTTP/1.0 200 OK', True),
        (b'HTTP/1.0 200 OK\r\nConnection: keep-alive', False),
    ],
)
def test_whether_the_connection_stays(line: bytes, close: bool) -> None:
    assert parse_head(line).close is close


@pytest.mark.parametrize(
    'lines, length, close',
    [
        ([b'Content-Length: 12', b'ETag: "close"'], 12, False),
        ([b'ETag: x', b'Content-Length: 12'], 12, False),  # in the end
        ([b'Content-Length: 1', b'ETag: x'], 1, False),
        ([b'content-length:12 ', b'Connection: Close'], 12, True),
        (
            [b'Content-Length: 12', b'Content-Length: 12', b'ETag: x'],
            12,
            False,
        ),
    ],
)
def test_heads_that_are_known_are_read_like_others(
    lines: List[bytes], length: Optional[int], close: bool
) -> None:
    head = b'\r\n'.join([b'HTTP/1.1 200 OK', *lines])
    for _ in range(3):
        found = parse_head(head)
        assert (found.status, found.length) == (200, length)
        assert found.close == close and not found.chunked
        # what was learned from it holds for no other one
        with pytest.raises(BadResponse, match='two content-length'):
            parse_head(b'\r\n'.join([head, b'Content-Length: 7', b'x: y']))
        chunked = parse_head(head + b'\r\nTransfer-Encoding: chunked')
        assert chunked.chunked and chunked.length is None
        assert parse_head(head.replace(b'/1.1', b'/1.0')).close != (
            b'Keep-Alive' in head
        )


def test_a_length_that_is_none_is_refused_each_time() -> None:
    head = b'HTTP/1.1 200 OK\r\nContent-Length: 1x\r\nETag: y'
    for _ in range(2):
        with pytest.raises(BadResponse, match='Content-Length'):
            parse_head(head)


def test_few_lengths_are_known() -> None:
    for length in range(3 * KNOWN):
        head = b'HTTP/1.1 200 OK\r\nContent-Length: %d\r\nx: y' % length
        assert parse_head(head).length == length
    assert len(response._successes) <= KNOWN


def test_a_connection_is_used_again_after_each_response() -> None:
    response = Response()
    for data in (CHUNKED, OK, NOTHING, ERROR, OK):
        response.reset(False, 64)
        assert response.feed(data, len(data))
    assert response.body == b'hello'


def test_a_body_that_comes_byte_by_byte_is_kept_at_once() -> None:
    size = 1 << 19
    head = b'HTTP/1.1 200 OK\r\nContent-Length: %d\r\n\r\n' % size
    response = Response()
    response.reset(False, size - 5)
    assert not response.feed(head, len(head))
    began = time.process_time()
    for number in range(size):
        done = response.feed(b'%d' % (number % 10), 1)
    # to copy all that is there with each of them takes seconds
    assert time.process_time() - began < 2.0
    assert done and response.body == (b'0123456789' * size)[: size - 5]


def test_a_body_that_was_taken_goes_on_empty() -> None:
    response = Response()
    response.reset(False, 64)
    response.feed(OK[:-3], len(OK) - 3)
    assert response.body == b'he'
    response.body = b''
    for piece in (b'l', b'l', b'o'):
        response.feed(piece, 1)
    assert response.body == b'llo'
