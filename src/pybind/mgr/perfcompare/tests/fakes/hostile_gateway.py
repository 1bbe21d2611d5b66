"""A gateway that breaks every rule, one of them at a time, and counts.

`python3 -m perfcompare.tests.fakes.hostile_gateway MODE` serves until its standard input ends, then
writes what it counted as one line of JSON. The first connection is treated
well: over it a worker prepares its load.
"""

from typing import Any, Callable, Dict, List, Optional, Set, Tuple

import argparse
import collections
import json
import random
import socket
import ssl
import struct
import sys
import threading
import time

from perfcompare.tests.fakes import aws_chunked, hostile_answers
from perfcompare.tests.fakes.hostile_asked import PLAIN, STEPS, kind_of, said

WINDOW = 2.0  # seconds over which connections/s are meant
PROBE = b'perfcompare-probe'


class Gone(Exception):
    """End a connection without another word, after a good answer or not."""

    def __init__(self, good: bool = False) -> None:
        super().__init__()
        self.good = good


class Talk:
    """Be one request of one connection; modes answer it."""

    def __init__(self, gateway: 'Gateway', sock: socket.socket) -> None:
        self.gateway = gateway
        self.sock = sock
        self.stream = sock.makefile('rb')
        self.method = self.path = self.query = b''
        self.fields: Dict[bytes, bytes] = {}
        self.content = b''  # of a request that is not an object's
        self.left = 0  # bytes of the request's content not read yet

    def head(self) -> bool:
        """Read the head of the next request; False at the end."""
        line = self.stream.readline(65536).split(b' ')
        if len(line) != 3:
            return False
        self.method, self.left = line[0], 0
        self.path, _, self.query = line[1].partition(b'?')
        self.fields, self.content = {}, b''
        if self.method not in (b'PUT', b'GET', b'HEAD', b'DELETE', b'POST'):
            self.gateway.count('garbage')
        while True:
            text = self.stream.readline(65536).strip()
            if not text:
                return True
            name, _, value = text.partition(b':')
            self.fields[name.lower()] = value.strip()
            if name.lower() == b'content-length':
                self.left = int(value)

    def body(self, most: int = 1 << 40) -> None:
        """Read the content of the request."""
        while self.left and most > 0:
            data = self.stream.read(min(self.left, most, 1 << 20))
            if not data:
                raise Gone
            if self.method == b'POST' or PROBE in self.path:
                self.content += data
            self.left -= len(data)
            most -= len(data)

    def send(self, data: bytes) -> None:
        self.sock.sendall(data)

    def reset(self) -> None:
        """Close without the courtesy of a FIN."""
        linger = struct.pack('ii', 1, 0)
        self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
        raise Gone

    def good(self, fields: bytes = b'', version: bytes = b'1.1') -> bytes:
        """Return the right response."""
        size = self.gateway.size
        line = b'HTTP/%b ' % version
        if self.method == b'DELETE':
            return line + b'204 No Content\r\n' + fields + b'\r\n'
        if self.kind not in PLAIN:
            return self.answer(*said(self), fields, version)
        length = 0 if self.method == b'PUT' else size
        found = b'%b200 OK\r\nContent-Length: %d\r\n%b\r\n' % (
            line,
            length,
            fields,
        )
        return found + bytes(size) if self.method == b'GET' else found

    def answer(
        self,
        content: bytes,
        more: bytes = b'',
        fields: bytes = b'',
        version: bytes = b'1.1',
        status: int = 200,
    ) -> bytes:
        """Return a response with a content; ``more`` are lines of its head."""
        status = 206 if b'Content-Range' in more else status
        head = b'HTTP/%b %d OK\r\nContent-Length: %d\r\n%b%b\r\n'
        return head % (version, status, len(content), more, fields) + content

    @property
    def kind(self) -> str:
        """Return what is asked for, in one word."""
        return kind_of(self.method, self.query, self.fields)

    def error(
        self, status: int, code: bytes, fields: bytes = b'', text: bytes = b''
    ) -> bytes:
        """Return an error response of S3."""
        body = b'<Error><Code>%b</Code>%b</Error>' % (code, text)
        head = b'HTTP/1.1 %d X\r\nContent-Length: %d\r\n%b\r\n' % (
            status,
            len(body),
            fields,
        )
        return head if self.method == b'HEAD' else head + body


Mode = Callable[[Talk], bool]  # says whether it answered as it should


class Spec:
    """Say of a mode what it is, and what the generator is to call it."""

    def __init__(self, serve: Mode, names: str = '', **facts: Any) -> None:
        self.serve = serve
        self.names = names  # pattern of the names of errors; '': none
        self.size = facts.get('size', 4096)
        self.ops = facts.get('ops', 'both')  # a mix of hostile_run
        self.verify = facts.get('verify', 0.0)
        self.fresh = facts.get('fresh', False)  # good, and then it closes
        self.tls = facts.get('tls', '')
        self.accept = facts.get('accept', False)  # before any request
        self.stays = facts.get('stays', False)  # it may last to a timeout
        self.narrow = facts.get('narrow', False)  # takes in little unread
        # the kind of requests that it is for; '': all
        self.aim = facts.get('aim', '')


MODES: Dict[str, Spec] = {}


def mode(names: str = '', **facts: Any) -> Callable[[Mode], Mode]:
    def keep(serve: Mode) -> Mode:
        MODES[serve.__name__] = Spec(serve, names, **facts)
        return serve

    return keep


@mode()
def polite(talk: Talk) -> bool:
    talk.body()
    talk.send(talk.good())
    return True


@mode()
def one_byte_writes(talk: Talk) -> bool:
    talk.body()
    data = talk.good()
    edge = data.find(b'\r\n\r\n') + 4
    for at in range(edge):
        talk.send(data[at : at + 1])
    talk.send(data[edge:])
    return True


@mode()
def interim_answers(talk: Talk) -> bool:
    talk.body()
    for status in (100, 102, 103):
        talk.send(b'HTTP/1.1 %d X\r\nLink: </x>\r\n\r\n' % status)
    talk.send(talk.good())
    return True


@mode('bad response: interim responses without end')
def interim_flood(talk: Talk) -> bool:
    talk.body()
    while True:
        talk.send(b'HTTP/1.1 102 Processing\r\n\r\n' * 1000)


@mode('ECONNRESET')
def reset_before_the_answer(talk: Talk) -> bool:
    talk.body()
    talk.reset()
    return False


@mode('ECONNRESET')
def reset_in_the_head(talk: Talk) -> bool:
    talk.body()
    talk.send(b'HTTP/1.1 200 OK\r\nContent-')
    time.sleep(0.002)
    talk.reset()
    return False


@mode('ECONNRESET', size=65536, ops='get')
def reset_in_the_content(talk: Talk) -> bool:
    talk.send(talk.good()[:9000])
    time.sleep(0.002)
    talk.reset()
    return False


@mode('ECONNRESET|EPIPE', size=1 << 20, ops='put')
def reset_in_the_request(talk: Talk) -> bool:
    talk.body(70000)
    talk.reset()
    return False


@mode('closed|closed at once')
def close_before_the_answer(talk: Talk) -> bool:
    talk.body()
    raise Gone


@mode('closed')
def close_in_the_head(talk: Talk) -> bool:
    talk.body()
    talk.send(b'HTTP/1.1 200 OK\r\nContent-Le')
    raise Gone


@mode(fresh=True)
def close_silently(talk: Talk) -> bool:
    talk.body()
    talk.send(talk.good())
    raise Gone(True)


@mode(fresh=True)
def close_announced(talk: Talk) -> bool:
    talk.body()
    talk.send(talk.good(b'Connection: close\r\n'))
    raise Gone(True)


@mode(fresh=True)
def old_protocol(talk: Talk) -> bool:
    talk.body()
    talk.send(talk.good(version=b'1.0'))
    raise Gone(True)


@mode('closed', ops='get')
def short_content(talk: Talk) -> bool:
    talk.send(talk.good()[:-7])
    raise Gone


@mode('bad response: bytes beyond the response')
def long_content(talk: Talk) -> bool:
    talk.body()
    talk.send(talk.good() + b'HTTP')
    return False


@mode('wrong size', ops='get')
def small_object(talk: Talk) -> bool:
    talk.send(b'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabc')
    return False


@mode('corrupt', ops='get', verify=1.0)
def wrong_content(talk: Talk) -> bool:
    talk.send(talk.good())
    return False


@mode('bad response: two content-length headers that differ')
def two_lengths(talk: Talk) -> bool:
    talk.body()
    talk.send(talk.good(b'Content-Length: 5\r\n'))
    return False


@mode('bad response: Content-Length')
def no_length_at_all(talk: Talk) -> bool:
    talk.body()
    talk.send(b'HTTP/1.1 200 OK\r\nContent-Length: -%d\r\n\r\n' % 10**30)
    return False


@mode('bad response: chunk size')
def bad_chunks(talk: Talk) -> bool:
    talk.body()
    talk.send(b'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n')
    return False


@mode('bad response: no status')
def garbage_status_line(talk: Talk) -> bool:
    talk.body()
    talk.send(b'HTTP/1.x \x1b[31m%d yes\r\n\r\n' % random.getrandbits(60))
    return False


@mode('bad response: status out of range')
def status_out_of_range(talk: Talk) -> bool:
    talk.body()
    talk.send(b'HTTP/1.1 %d X\r\n\r\n' % random.randrange(600, 1000))
    return False


@mode('bad response: head too long|ECONNRESET')
def head_of_a_megabyte(talk: Talk) -> bool:
    talk.body()
    talk.send(b'HTTP/1.1 200 OK\r\nX: ' + b'x' * (1 << 20) + b'\r\n\r\n')
    return False


# larger than what sockets take in: to who has sent all no answer is early
@mode(
    'response before the request|ECONNRESET|EPIPE',
    size=8 << 20,
    ops='put',
    narrow=True,
)
def early_success(talk: Talk) -> bool:
    talk.send(talk.good())
    time.sleep(0.005)
    raise Gone


@mode('403 AccessDenied|ECONNRESET|EPIPE', size=1 << 20, ops='put')
def early_refusal(talk: Talk) -> bool:
    talk.send(talk.error(403, b'AccessDenied', b'Connection: close\r\n'))
    time.sleep(0.005)
    raise Gone


def _status(status: int, code: str, fields: bytes = b'') -> None:
    def serve(talk: Talk) -> bool:
        talk.body()
        talk.send(talk.error(status, code.encode(), fields))
        if b'close' in fields:
            raise Gone
        return False

    name = f'status_{status}'
    if fields:
        name += '_' + fields.partition(b':')[0].decode().lower()[:5]
    # a HEAD has no code: it has no body
    MODES[name] = Spec(serve, f'{status} {code}|{status}')


for _one in (
    (500, 'InternalError'),
    (503, 'SlowDown'),
    (429, 'TooManyRequests'),
    (403, 'AccessDenied'),
    (404, 'NoSuchKey'),
    (301, 'PermanentRedirect'),
    (503, 'SlowDown', b'Retry-After: 1\r\n'),
    (503, 'SlowDown', b'Connection: close\r\n'),
    (403, 'AccessDenied', b'Connection: close\r\n'),
):
    _status(*_one)


@mode('403 [A-Za-z]+|403|other errors')
def endless_codes(talk: Talk) -> bool:
    talk.body()
    letters = ''.join(random.choices('abcdefghijklmnop', k=12))
    talk.send(talk.error(403, letters.encode()))
    return False


@mode('400 Bad|400')
def escapes(talk: Talk) -> bool:
    talk.body()
    talk.send(talk.error(400, b'Bad', text=b'\x1b[2J\x1b]0;x\x07\r\n\x00'))
    return False


@mode()
def late_answers(talk: Talk) -> bool:
    talk.body()
    time.sleep(0.05)
    talk.send(talk.good())
    return True


@mode('timeout|unfinished', stays=True)
def no_answer(talk: Talk) -> bool:
    talk.body()
    talk.gateway.ended.wait()
    raise Gone


@mode('timeout|unfinished', stays=True)
def dripping_answers(talk: Talk) -> bool:
    talk.body()
    data = talk.good()
    for at in range(len(data)):
        talk.send(data[at : at + 1])
        if talk.gateway.ended.wait(0.05):
            raise Gone
    return True


@mode('timeout|unfinished', size=8 << 20, ops='put', stays=True)
def zero_window(talk: Talk) -> bool:
    talk.gateway.ended.wait()
    raise Gone


@mode('ECONNRESET|closed at once', accept=True)
def reset_at_once(talk: Talk) -> bool:
    talk.reset()
    return False


@mode('ECONNRESET|closed at once', accept=True)
def close_at_once(talk: Talk) -> bool:
    raise Gone


@mode(tls='raw', accept=True)
def tls_garbage(talk: Talk) -> bool:
    talk.send(b'\x16\x03\x03\x00\x05HELLO' * 20)
    time.sleep(0.01)
    raise Gone


@mode(tls='raw', accept=True)
def tls_cut_in_the_handshake(talk: Talk) -> bool:
    talk.sock.recv(1)
    raise Gone


@mode(tls='raw', accept=True, stays=True)
def tls_silence(talk: Talk) -> bool:
    talk.gateway.ended.wait()
    raise Gone


@mode('TLS: .*', tls='yes')
def tls_noise(talk: Talk) -> bool:
    talk.body()
    raw = socket.socket(fileno=socket.dup(talk.sock.fileno()))
    with raw:
        raw.sendall(b'\x17\x03\x03\x00\x20' + bytes(32))
        time.sleep(0.002)
    raise Gone


@mode('closed|TLS: .*|ECONNRESET', tls='yes', ops='get')
def tls_cut_short(talk: Talk) -> bool:
    talk.send(talk.good()[:-9])
    raise Gone


@mode(tls='stranger', accept=True)
def tls_stranger(talk: Talk) -> bool:
    return True


@mode('.*')
def one_percent_of_each(talk: Talk) -> bool:
    pick = random.randrange(100)
    names = [
        n
        for n, s in MODES.items()
        if not s.accept and not s.tls and s.ops == 'both' and not s.stays
        if n not in ('one_percent_of_each', 'polite')
    ]
    serve = MODES[names[pick]].serve if pick < len(names) else polite
    return serve(talk)


@mode('.*', ops='many')
def one_percent_of_many(talk: Talk) -> bool:
    if random.randrange(100):
        return one_percent_of_each(talk)
    lies = [s for s in MODES.values() if s.aim == talk.kind and not s.verify]
    return random.choice(lies).serve(talk) if lies else polite(talk)


hostile_answers.add(mode)


class Gateway:
    """Serve in threads; ``counts`` says what was done."""

    def __init__(
        self,
        name: str,
        peace: int = 0,
        certificates: Tuple[str, ...] = (),
        share: float = 1.0,
        pause: float = 0.0,
    ) -> None:
        """Be hostile in mode ``name`` after ``peace`` connections.

        A ``share`` of what comes then is treated so, of requests or, in
        modes that begin before any, of connections.
        ``certificates`` are certificate and key, and those of a stranger.
        After a good answer a connection is not read for ``pause`` seconds.
        """
        self.name, self.spec = name, MODES[name]
        self.size = self.spec.size
        self.ended = threading.Event()
        self._peace, self._share = peace, share
        self._pause = pause
        self._lock = threading.Lock()
        self._counts: Dict[str, int] = collections.Counter()
        self._number = 0
        self._probe = b''
        self._spoilt: Set[bytes] = set()  # uploads
        self.times: List[float] = []  # of connections, after the peaceful
        self._contexts = [
            _context(*certificates[i : i + 2])
            for i in range(0, len(certificates), 2)
        ]
        self._sock = socket.socket()
        if self.spec.narrow:
            # accepted sockets have it, too
            self._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
        self._sock.bind(('127.0.0.1', 0))
        self._sock.listen(1024)
        self.host, self.port = self._sock.getsockname()
        threading.Thread(target=self._accept, daemon=True).start()

    def count(self, what: str) -> None:
        with self._lock:
            self._counts[what] += 1

    @property
    def counts(self) -> Dict[str, int]:
        """Return how many requests were answered well and badly."""
        with self._lock:
            return dict(self._counts)

    def crowd(self, burst: int) -> float:
        """Return the most connections/s, but for the first ``burst``."""
        times, worst, at = self.times[burst:], 0, 0
        for end, when in enumerate(times):
            while times[at] <= when - WINDOW:
                at += 1
            worst = max(worst, end - at + 1)
        return worst / WINDOW

    def close(self) -> None:
        self.ended.set()
        try:
            self._sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self._sock.close()

    def _accept(self) -> None:
        number = 0
        while True:
            try:
                sock, _ = self._sock.accept()
            except OSError:
                return
            first = number < self._peace
            number += 1
            if not first:
                self.times.append(time.monotonic())
            threading.Thread(
                target=self._serve, args=(sock, first), daemon=True
            ).start()

    def _spares(self) -> bool:
        return self._share < 1.0 and random.random() >= self._share

    def _serve(self, sock: socket.socket, first: bool) -> None:
        spec = self.spec
        rude = spec.accept and not first and not self._spares()
        try:
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            if self._contexts and not (rude and spec.tls == 'raw'):
                strange = rude and spec.tls == 'stranger'
                context = self._contexts[1 if strange else 0]
                sock = context.wrap_socket(sock, server_side=True)
            talk = Talk(self, sock)
            with talk.stream:
                if rude:
                    spec.serve(talk)
                else:
                    self._talk(talk, first)
        except (OSError, Gone, ValueError):
            pass
        finally:
            sock.close()

    def _talk(self, talk: Talk, first: bool) -> None:
        aim = self.spec.aim
        while talk.head():
            if PROBE in talk.path:
                self._probed(talk)
                continue
            if first:
                polite(talk)
                continue
            aimed = not aim or talk.kind == aim
            well = not aimed or self.spec.accept or self._spares()
            good = False
            try:
                good = (polite if well else self.spec.serve)(talk)
            except Gone as gone:
                good = gone.good
                raise
            finally:
                self._judge(talk, good)
            if good:
                time.sleep(self._pause)

    def _probed(self, talk: Talk) -> None:
        """Keep what a load looks at before it begins, and verify it."""
        talk.body()
        content = talk.content
        if talk.fields.get(b'content-encoding') == b'aws-chunked':
            try:
                content, _ = aws_chunked.decode(content, talk.fields)
            except ValueError:
                talk.send(talk.error(400, b'BadDigest'))
                return
        if talk.method == b'PUT':
            self._probe = content
        plain = talk.method != b'GET'
        talk.send(talk.good() if plain else talk.answer(self._probe))

    def _judge(self, talk: Talk, good: bool) -> None:
        if good and talk.kind in STEPS:
            return  # the end of an upload is what counts
        if not good and talk.kind == 'part':
            # an upload fails once, whatever becomes of its other parts
            with self._lock:
                if talk.query.rpartition(b'&')[2] in self._spoilt:
                    return
                self._spoilt.add(talk.query.rpartition(b'&')[2])
        self.count('good' if good else 'bad')

    def number(self) -> int:
        """Return a number that was never there."""
        with self._lock:
            self._number += 1
            return self._number


def _context(cert: str, key: str) -> ssl.SSLContext:
    found = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    found.load_cert_chain(cert, key)
    return found


def main(argv: Optional[List[str]] = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('mode', choices=sorted(MODES))
    parser.add_argument('--peace', type=int, default=1)
    parser.add_argument('--burst', type=int, default=0)
    parser.add_argument('--share', type=float, default=1.0)
    parser.add_argument('--pause', type=float, default=0.0)
    parser.add_argument('--certificates', nargs='*', default=())
    args = parser.parse_args(argv)
    gateway = Gateway(
        args.mode,
        args.peace,
        tuple(args.certificates),
        args.share,
        args.pause,
    )
    print(gateway.port, flush=True)
    sys.stdin.read()
    gateway.close()
    time.sleep(0.3)  # what was held back ends
    found = {
        **gateway.counts,
        'connections': len(gateway.times),
        'crowd': gateway.crowd(args.burst),
    }
    print(json.dumps(found), flush=True)


if __name__ == '__main__':
    main()
