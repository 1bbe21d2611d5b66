"""What the generator asks of its sockets, against real ones."""

from typing import Iterator, Tuple

import select
import socket

import pytest

from perfcompare.worker.loads.s3 import sockets

Pair = Tuple[socket.socket, socket.socket]


@pytest.fixture(name='pair')
def _pair() -> Iterator[Pair]:
    with socket.create_server(('127.0.0.1', 0)) as server:
        ours = socket.create_connection(server.getsockname())
        theirs, _ = server.accept()
    with ours, theirs:
        yield ours, theirs


def buffers(sock: socket.socket) -> Tuple[int, int]:
    """Return the sizes of a socket's buffers."""
    return (
        sock.getsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF),
        sock.getsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF),
    )


def control(sock: socket.socket, name: bytes) -> None:
    """Choose a congestion control."""
    try:
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, name)
    except OSError:
        pytest.skip(f'this kernel has no {name.decode()}')


@pytest.mark.process
def test_buffers_are_fixed_where_the_host_paces(pair: Pair) -> None:
    sock = pair[0]
    control(sock, b'bbr')
    sockets.fit(sock)
    # the kernel doubles it, for what it keeps beside the bytes
    assert buffers(sock)[0] == 2 * sockets.SENDS


@pytest.mark.process
def test_buffers_are_left_to_linux_elsewhere(pair: Pair) -> None:
    sock = pair[0]
    control(sock, b'reno')
    before = buffers(sock)
    sockets.fit(sock)
    assert buffers(sock) == before


@pytest.mark.process
def test_buffers_are_left_to_linux_on_the_way_to_other_hosts() -> None:
    with socket.create_server(('127.0.0.1', 0)) as server:
        sock = socket.socket()
        with sock:
            sock.bind(('127.0.0.2', 0))
            sock.connect(server.getsockname())
            control(sock, b'bbr')
            before = buffers(sock)
            sockets.fit(sock)
            assert buffers(sock) == before


@pytest.mark.parametrize(
    'need, tls, size',
    [
        (0, False, 1),  # a head, or nobody knows
        (4096, True, 1),
        (131071, False, 1),
        (131072, False, 131072),
        (131072, True, 111072),
        (4 << 20, False, 524288),
        (4 << 20, True, 524288),
    ],
)
def test_part(need: int, tls: bool, size: int) -> None:
    assert sockets.part(need, tls) == size


@pytest.mark.process
def test_woken_by_the_part_or_by_the_end(pair: Pair) -> None:
    ours, theirs = pair
    with select.epoll() as poll:
        poll.register(ours.fileno(), select.EPOLLIN)
        sockets.wake_at(ours, 3000)
        theirs.sendall(bytes(2999))
        assert not poll.poll(0.1)
        theirs.sendall(bytes(1))
        assert poll.poll(5)
        assert len(ours.recv(8192)) == 3000
        theirs.sendall(bytes(7))
        assert not poll.poll(0.1)
        theirs.close()
        assert poll.poll(5)
