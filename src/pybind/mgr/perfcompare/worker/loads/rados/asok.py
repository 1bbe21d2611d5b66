"""Ask the admin sockets of many clients at once, within one time limit."""

from typing import Any, Dict, Optional, Tuple

import json
import os
import selectors
import socket
import struct
import time

REPLY_MAX = 8 << 20
Replies = Dict[Any, Tuple[float, Any]]


class _Question:
    def __init__(self, sock: socket.socket, request: bytes) -> None:
        self.sock = sock
        self.rest = request
        self.reply = b''

    def write(self) -> bool:
        """Send on; return whether all was sent."""
        self.rest = self.rest[self.sock.send(self.rest) :]
        return not self.rest

    def read(self) -> bool:
        """Receive on; return whether the reply is complete."""
        data = self.sock.recv(65536)
        self.reply += data
        if not data or len(self.reply) > REPLY_MAX:
            return True
        if len(self.reply) < 4:
            return False
        (size,) = struct.unpack('>I', self.reply[:4])
        return len(self.reply) >= 4 + int(size)

    def result(self) -> Optional[Any]:
        """Return the decoded reply, or None when there is none."""
        if len(self.reply) < 4:
            return None
        (size,) = struct.unpack('>I', self.reply[:4])
        body = self.reply[4 : 4 + size]
        if len(body) < size:
            return None
        try:
            return json.loads(body)
        except ValueError:
            return None


def ask(
    folder: str, names: Dict[Any, str], timeout: float, **request: str
) -> Replies:
    """Send ``request`` to the sockets ``names`` (by key) in ``folder``.

    Returns by key when (monotonic) and what was answered; who does not
    answer within ``timeout`` seconds is left out. Long folder names are no
    problem: the sockets are reached through a descriptor of the folder.
    """
    line = json.dumps(request).encode() + b'\0'
    replies: Replies = {}
    try:
        fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    except OSError:
        return replies
    with selectors.DefaultSelector() as selector:
        try:
            for key, name in names.items():
                sock = _connect(f'/proc/self/fd/{fd}/{name}')
                if sock is not None:
                    selector.register(
                        sock,
                        selectors.EVENT_WRITE,
                        (key, _Question(sock, line)),
                    )
            _serve(selector, replies, time.monotonic() + timeout)
        finally:
            for entry in list(selector.get_map().values()):
                entry.fileobj.close()  # type: ignore[union-attr]
            os.close(fd)
    return replies


def _connect(path: str) -> Optional[socket.socket]:
    sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    sock.setblocking(False)
    try:
        sock.connect(path)
    except OSError:  # not there yet, gone, or too many wait already
        sock.close()
        return None
    return sock


def _serve(
    selector: selectors.BaseSelector, replies: Replies, end: float
) -> None:
    while selector.get_map():
        left = end - time.monotonic()
        ready = selector.select(max(0.0, left))
        if not ready and left <= 0:
            return
        for entry, _ in ready:
            key, question = entry.data
            try:
                if question.rest:
                    if question.write():
                        selector.modify(
                            question.sock, selectors.EVENT_READ, entry.data
                        )
                    continue
                if not question.read():
                    continue
                reply = question.result()
            except OSError:
                reply = None
            selector.unregister(question.sock)
            question.sock.close()
            if reply is not None:
                replies[key] = (time.monotonic(), reply)
