"""TLS of the generator's connections, against OpenSSL's other side."""

from typing import Iterator, List, Tuple

import contextlib
import os
import select
import socket
import ssl

import pytest

from perfcompare.tests.data import certificates
from perfcompare.worker.loads.s3.payload import Payload
from perfcompare.worker.loads.s3.secured import CHUNK, Piece, Secured
from perfcompare.worker.loads.s3.site import RAW, Wire

VERSIONS = [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3]


@pytest.fixture(name='cert', scope='module')
def _cert(tmp_path_factory: pytest.TempPathFactory) -> Tuple[str, str]:
    folder = tmp_path_factory.mktemp('cert')
    return certificates.make(folder, 'DNS:localhost')


class Peer:
    """Be the server at the other end of a pair, one step at a time."""

    def __init__(
        self, cert: Tuple[str, str], version: ssl.TLSVersion
    ) -> None:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.maximum_version = version
        context.load_cert_chain(*cert)
        self.ours, self.theirs = socket.socketpair()
        for sock in (self.ours, self.theirs):
            sock.setblocking(False)
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self.tls = context.wrap_bio(self._in, self._out, server_side=True)
        self.got = b''
        self._left = b''  # of what TLS wrote

    def close(self) -> None:
        for sock in (self.ours, self.theirs):
            sock.close()

    def take(self, most: int = 1 << 20) -> int:
        """Let what came reach TLS; return how much it was."""
        try:
            data = self.theirs.recv(most)
        except BlockingIOError:
            return 0
        self._in.write(data)
        return len(data)

    def read(self) -> None:
        while self.take():
            pass
        try:
            while True:
                data = self.tls.read(1 << 20)
                if not data:
                    return
                self.got += data
        except ssl.SSLWantReadError:
            return

    def tell(self, most: int = 1 << 20) -> None:
        """Send at most so much of what TLS has written."""
        data = self._left + self._out.read()
        self._left = data[self.theirs.send(data[:most]) :] if data else b''

    def write(self, data: bytes) -> bytes:
        """Return data as TLS would send it."""
        while data:
            data = data[self.tls.write(data) :]
        return self._out.read()


@pytest.fixture(name='wire')
def _wire(cert: Tuple[str, str]) -> Wire:
    return Wire(Payload(1), ssl.create_default_context(cafile=cert[0]))


@pytest.fixture(name='peers')
def _peers(cert: Tuple[str, str]) -> Iterator[List[Peer]]:
    found: List[Peer] = []
    yield found
    for peer in found:
        peer.close()


@pytest.fixture(name='version', params=VERSIONS, ids=['1.2', '1.3'])
def _version(request: pytest.FixtureRequest) -> ssl.TLSVersion:
    found: ssl.TLSVersion = request.param
    return found


def secured(
    wire: Wire,
    cert: Tuple[str, str],
    peers: List[Peer],
    version: ssl.TLSVersion = ssl.TLSVersion.TLSv1_3,
    step: int = 1 << 20,
) -> Tuple[Secured, Peer]:
    """Return both sides after a handshake, ``step`` bytes at a time."""
    peer = Peer(cert, version)
    peers.append(peer)
    found = Secured(peer.ours, wire, 'localhost')
    done = agreed = False
    while not (done and agreed):
        done = found.handshake() == 0
        if peer.take(step) and not agreed:
            try:
                peer.tls.do_handshake()
                agreed = True
            except ssl.SSLWantReadError:
                pass
        peer.tell(step)
    assert peer.tls.version() == version.name.replace('_', '.')
    assert not wire.sealed.pending
    return found, peer


def greeted(
    wire: Wire, cert: Tuple[str, str], peers: List[Peer]
) -> Tuple[Secured, Peer]:
    """Return both sides when ours has begun the handshake."""
    peer = Peer(cert, ssl.TLSVersion.TLSv1_3)
    peers.append(peer)
    found = Secured(peer.ours, wire, 'localhost')
    assert found.handshake() == select.EPOLLIN
    return found, peer


@pytest.mark.process
@pytest.mark.parametrize('step', [1, 1000, 1 << 20])
def test_handshakes(
    wire: Wire,
    cert: Tuple[str, str],
    peers: List[Peer],
    version: ssl.TLSVersion,
    step: int,
) -> None:
    found, peer = secured(wire, cert, peers, version, step)
    found.send([b'hello'])
    peer.read()
    assert peer.got == b'hello'


@pytest.mark.parametrize('size', [1, CHUNK - 1, CHUNK, CHUNK + 1, 3 << 20])
def test_what_does_not_fit_is_sent_later(
    wire: Wire,
    cert: Tuple[str, str],
    peers: List[Peer],
    version: ssl.TLSVersion,
    size: int,
) -> None:
    found, peer = secured(wire, cert, peers, version)
    content = os.urandom(size)
    pieces: List[Piece] = [b'head', memoryview(content)]
    while len(peer.got) < 4 + size:
        with contextlib.suppress(BlockingIOError):
            found.send(pieces)
        assert not wire.sealed.pending
        peer.read()
    assert not pieces
    assert peer.got == b'head' + content


def test_connections_that_share_a_wire_do_not_mix(
    wire: Wire, cert: Tuple[str, str], peers: List[Peer]
) -> None:
    pairs = [secured(wire, cert, peers) for _ in range(5)]
    contents = [os.urandom(1 << 20) for _ in pairs]
    left: List[List[Piece]] = [[memoryview(item)] for item in contents]
    turn = 0
    while any(left):
        turn += 1
        i = turn % len(pairs)
        with contextlib.suppress(BlockingIOError):
            pairs[i][0].send(left[i])
        # others have their turn while this one is full
        pairs[i - 2][1].read()
    for (found, peer), content in zip(pairs, contents):
        while len(peer.got) < len(content):
            with contextlib.suppress(BlockingIOError):
                found.send([])
            peer.read()
        assert peer.got == content


@pytest.mark.parametrize('step', [1, 7, 5000, RAW, 1 << 20])
def test_reads_by_record(
    wire: Wire,
    cert: Tuple[str, str],
    peers: List[Peer],
    version: ssl.TLSVersion,
    step: int,
) -> None:
    found, peer = secured(wire, cert, peers, version)
    # more than one record of 16 KiB
    content = os.urandom(17000 if step == 1 else 40000)
    data = peer.write(content)
    got = b''
    for at in range(0, len(data), step):
        peer.theirs.sendall(data[at : at + step])
        try:
            while True:
                size = found.recv_into(wire.buffer)
                assert 0 < size <= 16384
                got += wire.view[:size]
        except BlockingIOError:
            continue
    assert got == content


@pytest.mark.parametrize('step', [1000, 30000, 1 << 20])
def test_discards_what_there_is_and_no_other_response(
    wire: Wire, cert: Tuple[str, str], peers: List[Peer], step: int
) -> None:
    found, peer = secured(wire, cert, peers)
    data = peer.write(os.urandom(100_000)) + peer.write(b'next')
    total = 0
    for at in range(0, len(data), step):
        peer.theirs.sendall(data[at : at + step])
        try:
            while total < 100_000:
                total += found.discard(100_000 - total)
        except BlockingIOError:
            continue
    assert total == 100_000
    # nothing more comes over the socket: it was taken in already
    assert found.recv_into(wire.buffer) == 4
    assert wire.buffer[:4] == b'next'


@pytest.mark.parametrize('said', [True, False], ids=['said', 'cut'])
def test_the_end_is_no_bytes(
    wire: Wire, cert: Tuple[str, str], peers: List[Peer], said: bool
) -> None:
    found, peer = secured(wire, cert, peers)
    data = peer.write(b'x' * 1000)
    peer.theirs.sendall(data)
    if said:
        with pytest.raises(ssl.SSLWantReadError):
            peer.tls.unwrap()
        peer.tell()
    peer.theirs.close()
    assert found.discard(5000) == 1000
    assert found.discard(4000) == 0
    assert found.recv_into(wire.buffer) == 0


def test_a_server_that_is_not_trusted_is_told(
    cert: Tuple[str, str], peers: List[Peer]
) -> None:
    wire = Wire(Payload(1), ssl.create_default_context())
    found, peer = greeted(wire, cert, peers)
    peer.take()
    with pytest.raises(ssl.SSLWantReadError):
        peer.tls.do_handshake()
    peer.tell()
    with pytest.raises(ssl.SSLCertVerificationError):
        found.handshake()
    assert not wire.sealed.pending
    peer.take()
    with pytest.raises(ssl.SSLError, match='ALERT_UNKNOWN_CA'):
        peer.tls.do_handshake()


def test_a_server_that_hangs_up_in_the_handshake(
    wire: Wire, cert: Tuple[str, str], peers: List[Peer]
) -> None:
    found, peer = greeted(wire, cert, peers)
    peer.theirs.shutdown(socket.SHUT_WR)
    with pytest.raises(ConnectionResetError):
        found.handshake()


def test_a_server_that_speaks_no_tls(
    wire: Wire, cert: Tuple[str, str], peers: List[Peer]
) -> None:
    found, peer = greeted(wire, cert, peers)
    peer.theirs.sendall(b'HTTP/1.1 400 Bad Request\r\n\r\n')
    with pytest.raises(ssl.SSLError):
        found.handshake()


def test_what_breaks_off_leaves_nothing_to_other_connections(
    wire: Wire, cert: Tuple[str, str], peers: List[Peer]
) -> None:
    found, peer = secured(wire, cert, peers)
    gone = memoryview(b'gone')
    gone.release()
    with pytest.raises(ValueError, match='released'):
        found.send([b'head', gone])
    assert not wire.sealed.pending
    peer.theirs.sendall(bytes(100))
    with pytest.raises(ssl.SSLError):
        found.recv_into(wire.buffer)
    assert not wire.sealed.pending


def test_a_socket_that_is_full_in_the_handshake_is_waited_for(
    wire: Wire, cert: Tuple[str, str], peers: List[Peer]
) -> None:
    peer = Peer(cert, ssl.TLSVersion.TLSv1_3)
    peers.append(peer)
    filler = 0
    with contextlib.suppress(BlockingIOError):
        while True:
            filler += peer.ours.send(bytes(1000))
    found = Secured(peer.ours, wire, 'localhost')
    assert found.handshake() == select.EPOLLOUT
    while filler:
        filler -= len(peer.theirs.recv(min(filler, 1 << 20)))
    assert found.handshake() == select.EPOLLIN
    assert peer.take() > 100
