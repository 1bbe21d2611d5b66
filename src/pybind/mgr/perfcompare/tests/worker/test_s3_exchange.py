"""Single requests to gateways that break the rules."""

from typing import Callable, Iterator, List, Optional

import os
import pathlib
import socket
import ssl
import threading
import time

import pytest

from ...worker.loads.s3.bucket import Client
from ...worker.loads.s3.exchange import BODY_MAX
from ...worker.runtime.failure import Failure, printable
from ...worker.wire.s3_spec import Endpoint, Target
from ..data import certificates

pytestmark = pytest.mark.process

Answer = Callable[[socket.socket, int], None]


class Server:
    """Answer each request by a function of the connection's number."""

    def __init__(
        self, answer: Answer, tls: Optional[ssl.SSLContext] = None
    ) -> None:
        self._answer = answer
        self._tls = tls
        self._sock = socket.create_server(('127.0.0.1', 0))
        self.port = self._sock.getsockname()[1]
        self.asked: List[int] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._sock.close()

    def _accept(self) -> None:
        number = 0
        while True:
            try:
                sock, _ = self._sock.accept()
            except OSError:
                return
            with sock:
                number += 1
                self._serve(sock, number)

    def _serve(self, sock: socket.socket, number: int) -> None:
        try:
            if self._tls is not None:
                sock = self._tls.wrap_socket(sock, server_side=True)
            while b'\r\n\r\n' in sock.recv(65536):
                self.asked.append(number)
                self._answer(sock, number)
        except OSError:
            pass


@pytest.fixture
def serve() -> Iterator[Callable[[Answer], Server]]:
    servers: List[Server] = []

    def start(answer: Answer) -> Server:
        servers.append(Server(answer))
        return servers[-1]

    yield start
    for server in servers:
        server.close()


def client(
    server: Server, left: Optional[Callable[[], float]] = None
) -> Client:
    target = Target((Endpoint('127.0.0.1', server.port),), 'A', 'S', 'b')
    return Client(target, left=left or (lambda: 5.0))


GOOD = b'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'


@pytest.mark.parametrize('status', [100, 102, 103])
def test_an_interim_response_is_not_the_final_one(
    serve: Callable[[Answer], Server], status: int
) -> None:
    server = serve(
        lambda sock, _: sock.sendall(b'HTTP/1.1 %d X\r\n\r\n' % status + GOOD)
    )
    assert client(server).request('GET', '/b/x') == (200, b'ok')


def test_an_endless_body_is_not_taken_in(
    serve: Callable[[Answer], Server],
) -> None:
    def answer(sock: socket.socket, number: int) -> None:
        sock.sendall(b'HTTP/1.1 200 OK\r\n\r\n')
        while True:
            sock.sendall(bytes(1 << 20))

    with pytest.raises(Failure, match=f'beyond {BODY_MAX} bytes'):
        client(serve(answer), lambda: 60.0).request('GET', '/b')


@pytest.mark.parametrize('step', [b'HTTP/1.1 102 X\r\n\r\n', b'x'])
def test_a_request_ends_with_its_deadline(
    serve: Callable[[Answer], Server], step: bytes
) -> None:
    end = time.monotonic() + 1.0

    def left() -> float:
        if time.monotonic() >= end:
            raise Failure('deadline', 'the load did not end within 1 s')
        return end - time.monotonic()

    def answer(sock: socket.socket, number: int) -> None:
        if step == b'x':
            sock.sendall(b'HTTP/1.1 200 OK\r\nContent-Length: 999\r\n\r\n')
        while True:
            sock.sendall(step)
            time.sleep(0.1)

    server = serve(answer)
    with pytest.raises(Failure) as caught:
        client(server, left).request('GET', '/b/x')
    assert caught.value.kind == 'deadline'
    assert len(server.asked) == 1


def test_what_a_server_sends_reaches_no_terminal(
    serve: Callable[[Answer], Server],
) -> None:
    server = serve(lambda sock, _: sock.sendall(b'\x1b[2J\x07 hello\r\n\r\n'))
    with pytest.raises(Failure) as caught:
        client(server).request('GET', '/b/x')
    assert str(caught.value).isprintable()
    assert printable('a\x1b[2Jb\n') == 'a.[2Jb.'


def test_a_kept_connection_that_was_closed_is_opened_again(
    serve: Callable[[Answer], Server],
) -> None:
    closed = threading.Event()

    def answer(sock: socket.socket, number: int) -> None:
        sock.sendall(GOOD)
        if number == 1:
            sock.shutdown(socket.SHUT_RDWR)
            closed.set()

    server = serve(answer)
    asking = client(server)
    assert asking.request('GET', '/b/x') == (200, b'ok')
    assert closed.wait(5)
    assert asking.request('GET', '/b/x') == (200, b'ok')
    assert server.asked == [1, 2]


def test_one_that_is_closed_again_and_again_is_not(
    serve: Callable[[Answer], Server],
) -> None:
    server = serve(lambda sock, _: sock.shutdown(socket.SHUT_RDWR))
    with pytest.raises(Failure, match='does not answer'):
        client(server).request('PUT', '/b/x', os.urandom(10))
    assert server.asked == [1]


@pytest.mark.parametrize(
    'name, ours, domain, why',
    [
        (
            'DNS:localhost,DNS:s3.test',
            True,
            's3.test',
            r'needs the name \*.s3.test',
        ),
        ('DNS:other', True, '', 'needs that name'),
        ('DNS:localhost', False, '', 'an authority that is known'),
        ('DNS:*.s3.test', True, 's3.test', ''),
        ('DNS:localhost', True, '', ''),
    ],
)
def test_a_certificate_has_the_name_of_the_bucket(
    tmp_path: pathlib.Path, name: str, ours: bool, domain: str, why: str
) -> None:
    cert, key = certificates.make(tmp_path, name)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    server = Server(lambda sock, _: sock.sendall(GOOD), context)
    endpoint = Endpoint('localhost', server.port, True, domain)
    asking = Client(
        Target((endpoint,), 'A', 'S', 'b', ca_file=cert if ours else ''),
        left=lambda: 5.0,
    )
    try:
        if not why:
            assert asking.request('GET', '/b/x') == (200, b'ok')
            return
        with pytest.raises(Failure, match=why) as error:
            asking.request('GET', '/b/x')
        assert 'is not trusted: ' in str(error.value)
        assert '_ssl.c' not in str(error.value)
        assert server.asked == []
    finally:
        asking.close()
        server.close()
