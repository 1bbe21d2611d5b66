"""A peer that drips bytes holds nobody longer than was asked for."""

from typing import Callable, Iterator, List, Tuple

import contextlib
import pathlib
import socket
import ssl
import threading
import time

import pytest

from ...worker.scrape.fetch import NoAnswer, Page
from ...worker.wire import answering
from ...worker.wire.answering import answers
from ..data import certificates

pytestmark = pytest.mark.process

HEADS = [
    (b'HTTP/1.1 200 OK\r\n', b'X: y\r\n' * 50),
    (b'', b'HTTP/1.1 100 Continue\r\n\r\n' * 50),
    (b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n', b'1' * 300),
]


class Server:
    """Answer each request by a head, and a text a byte at a time."""

    def __init__(self) -> None:
        self._sock = socket.create_server(('127.0.0.1', 0))
        self.port = self._sock.getsockname()[1]
        self.head = self.text = b''
        self.tls: List[ssl.SSLContext] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        self._sock.close()

    def _accept(self) -> None:
        while True:
            try:
                sock, _ = self._sock.accept()
            except OSError:
                return
            with contextlib.suppress(OSError):
                self._serve(sock)
            sock.close()

    def _serve(self, sock: socket.socket) -> None:
        for context in self.tls:
            sock = context.wrap_socket(sock, server_side=True)
        with sock:
            while sock.recv(65536):
                sock.sendall(self.head)
                for byte in self.text:
                    sock.sendall(bytes([byte]))
                    time.sleep(0.05)


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def took(work: Callable[[], object]) -> float:
    began = time.monotonic()
    work()
    return time.monotonic() - began


@pytest.mark.parametrize('head', HEADS)
def test_a_page_that_drips_is_given_up_in_time(
    server: Server, head: Tuple[bytes, bytes]
) -> None:
    server.head, server.text = head
    page = Page(f'http://127.0.0.1:{server.port}/')

    def get() -> None:
        with pytest.raises(NoAnswer, match='no answer within 0.5 s'):
            page.get(0.5)

    assert took(get) < 10.0


@pytest.mark.parametrize('head', HEADS[:2])
def test_a_gateway_that_drips_does_not_answer(
    server: Server,
    head: Tuple[bytes, bytes],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(answering, 'TIMEOUT', 0.5)
    server.head, server.text = head
    assert took(lambda: answers('127.0.0.1', server.port)) < 10.0
    assert not answers('127.0.0.1', server.port)


@pytest.mark.parametrize('secure', [False, True])
def test_the_connection_is_kept_and_closed(
    server: Server, tmp_path: pathlib.Path, secure: bool
) -> None:
    server.head = b'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'
    tls, scheme, ca_file = _secured(server, tmp_path) if secure else PLAIN
    assert answers('127.0.0.1', server.port, ca_file)
    page = Page(f'{scheme}://127.0.0.1:{server.port}/', tls)
    assert page.get(5.0) == b'ok'
    kept = page._connection
    assert kept is not None and kept.sock is not None
    assert (page.get(5.0), page._connection) == (b'ok', kept)
    page.close()
    assert kept.sock is None


PLAIN: Tuple[None, str, str] = (None, 'http', '')


def _secured(
    server: Server, folder: pathlib.Path
) -> Tuple[ssl.SSLContext, str, str]:
    cert, key = certificates.make(folder, 'IP:127.0.0.1')
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    server.tls.append(context)
    return ssl.create_default_context(cafile=cert), 'https', cert
