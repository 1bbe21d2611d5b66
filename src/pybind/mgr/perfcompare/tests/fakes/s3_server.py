"""A small S3-like server with faults to order, for tests."""

from typing import Callable, Dict, List, Optional, Tuple

import socket
import ssl
import threading
import time

# method, path, body -> None: behave; else what to send (b'': hang up)
Fault = Callable[[bytes, bytes, int], Optional[bytes]]


class S3Server:
    """Keep objects in memory; one thread per connection."""

    def __init__(
        self,
        family: int = socket.AF_INET,
        tls: Optional[ssl.SSLContext] = None,
    ) -> None:
        self._tls = tls
        self.objects: Dict[bytes, bytes] = {}
        self.fault: Fault = lambda method, path, serial: None
        self.stall_until = 0.0  # monotonic
        self.serial = 0
        self.pause = 0.0  # seconds between head and content
        self.drip = 0  # bytes that are sent at once, 0: all
        self.last = -1  # the request after which its connection closes
        self.not_signed = 0
        self.dates: List[bytes] = []  # of the signatures
        self._lock = threading.Lock()
        self._sock = socket.socket(family, socket.SOCK_STREAM)
        self._sock.bind(
            ('127.0.0.1' if family == socket.AF_INET else '::1', 0)
        )
        self._sock.listen(512)
        self.host, self.port = self._sock.getsockname()[:2]
        self._closed = False
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Accept no more."""
        if not self._closed:
            self._closed = True
            self._sock.shutdown(socket.SHUT_RDWR)  # wakes accept() up
            self._sock.close()

    def _accept(self) -> None:
        while not self._closed:
            try:
                sock, _ = self._sock.accept()
            except OSError:
                return
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(
                target=self._serve, args=(sock,), daemon=True
            ).start()

    def _serve(self, sock: socket.socket) -> None:
        if self._tls is not None:
            try:
                sock = self._tls.wrap_socket(sock, server_side=True)
            except OSError:  # a client that does not trust us
                return
        stream = sock.makefile('rb')
        try:
            while True:
                line = stream.readline().split(b' ')
                if len(line) != 3:
                    return
                headers = {}
                while True:
                    text = stream.readline().strip()
                    if not text:
                        break
                    name, _, value = text.partition(b':')
                    headers[name.lower()] = value.strip()
                size = int(headers.get(b'content-length', b'0'))
                body = stream.read(size) if size else b''
                if b'authorization' not in headers:
                    self.not_signed += 1
                self.dates.append(headers.get(b'x-amz-date', b''))
                with self._lock:
                    self.serial += 1
                    serial = self.serial
                wait = self.stall_until - time.monotonic()
                if wait > 0:
                    time.sleep(wait)
                reply = self.fault(line[0], line[1], serial)
                if reply is None:
                    reply = self._answer(line[0], line[1], body)
                if not reply:
                    return
                if self.pause:
                    head, between, reply = reply.partition(b'\r\n\r\n')
                    sock.sendall(head + between)
                    time.sleep(self.pause)
                step = self.drip or len(reply)
                for at in range(0, len(reply), step):
                    sock.sendall(reply[at : at + step])
                if serial == self.last:
                    return
        except OSError:
            return
        finally:
            sock.close()
            stream.close()

    def _answer(self, method: bytes, path: bytes, body: bytes) -> bytes:
        head = b'HTTP/1.1 %b\r\nContent-Length: %d\r\n\r\n'
        with self._lock:
            if method == b'PUT':
                self.objects[path] = body
                return head % (b'200 OK', 0)
            content = self.objects.get(path)
            if content is None:
                text = b'<Error><Code>NoSuchKey</Code></Error>'
                if method == b'HEAD':
                    return head % (b'404 Not Found', len(text))
                return head % (b'404 Not Found', len(text)) + text
            if method == b'DELETE':
                del self.objects[path]
                return b'HTTP/1.1 204 No Content\r\n\r\n'
            found = head % (b'200 OK', len(content))
            return found if method == b'HEAD' else found + content


SLOW_DOWN: Tuple[bytes, ...] = (
    b'HTTP/1.1 503 Slow Down\r\nContent-Length: 28\r\n\r\n'
    b'<Error><Code>SlowDown</Code>',
)
