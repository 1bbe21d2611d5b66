"""Read HTTP/1.1 responses from whatever pieces a socket delivers.

Source: RFC 9112. What is not of the protocol raises BadResponse; nothing
is guessed.
"""

from typing import Dict, Optional, Union

HEAD_MAX = 65536
INTERIM_MAX = 100  # responses before the final one
KEPT_MAX = 2048  # bytes of an error's body that are kept
_HEX = frozenset(b'0123456789abcdefABCDEF')

Buffer = Union[bytes, bytearray]


class BadResponse(Exception):
    """Say what a server sent that is no response to the request.

    ``name`` is one of few; what the server sent is in the text only.
    """

    def __init__(self, name: str, detail: str = '') -> None:
        super().__init__(f'{name}: {detail}' if detail else name)
        self.name = name
        self.detail = detail


class Head:
    """Hold what matters of a response's head.

    ``whole`` is the size of the content where a success tells it and has no
    other form, else -1. Fields of a named tuple take longer to read.
    """

    __slots__ = (
        'status',
        'length',
        'chunked',
        'close',
        'retry_after',
        'whole',
    )

    def __init__(
        self,
        status: int,
        length: Optional[int],
        chunked: bool,
        close: bool,
        retry_after: Optional[float],
    ) -> None:
        """Take ``length`` from Content-Length; ``retry_after`` in seconds."""
        self.status = status
        self.length = length
        self.chunked = chunked
        self.close = close
        self.retry_after = retry_after
        self.whole = -1
        if status == 200 and length is not None and not chunked:
            self.whole = length


KNOWN = 1024  # lengths whose heads are kept
_successes: Dict[bytes, Head] = {}  # by the line of the length

_SUCCESS = b'http/1.1 200 '
_LENGTH = b'\r\ncontent-length:'
_CODING = b'\r\ntransfer-encoding:'
_CONNECTION = b'\r\nconnection:'
_RETRY = b'\r\nretry-after:'


def _field(low: bytes, name: bytes) -> Optional[bytes]:
    """Return the value of a header; BadResponse when two differ.

    ``low`` is the head in lower case. Four searches take a tenth of the
    time of one pass with a pattern.
    """
    at = low.find(name)
    if at < 0:
        return None
    found: Optional[bytes] = None
    while at >= 0:
        at += len(name)
        end = low.find(b'\r\n', at)
        value = (low[at:end] if end >= 0 else low[at:]).strip()
        if found is not None and value != found:
            what = name[2:-1].decode()
            raise BadResponse(f'two {what} headers that differ')
        found = value
        at = low.find(name, end) if end >= 0 else -1
    return found


def parse_head(data: Buffer) -> Head:
    """Read a status line and headers, without the empty line."""
    low = data.lower()
    # most are a success with a length, of which little else is to be known
    if (
        low.startswith(_SUCCESS)
        and _CODING not in low
        and b'close' not in low
    ):
        at = low.find(_LENGTH)
        end = low.find(b'\r\n', at + 2)
        if 0 <= at < end and low.find(_LENGTH, end) < 0:
            line = bytes(low[at:end])
            head = _successes.get(line)
            if head is None:
                head = _parse(data, bytes(low))
                if len(_successes) < KNOWN:
                    _successes[line] = head
            return head
    return _parse(data, bytes(low))


def _parse(data: Buffer, low: bytes) -> Head:
    if low[:7] != b'http/1.' or data[8:9] != b' ' or len(data) < 12:
        raise BadResponse('no status line', repr(bytes(data[:40])))
    digits = data[9:12]
    if not digits.isdigit() or data[12:13] not in (b'', b' ', b'\r'):
        raise BadResponse('no status', repr(bytes(data[:40])))
    status = int(digits)
    if not 100 <= status < 600:
        raise BadResponse('status out of range', str(status))
    length = None
    text = _field(low, _LENGTH)
    if text is not None:
        if not text.isdigit() or len(text) > 18:
            raise BadResponse('Content-Length', repr(text[:40]))
        length = int(text)
    coding = _field(low, _CODING) if _CODING in low else None
    if coding is not None and coding not in (b'chunked', b'identity'):
        raise BadResponse('Transfer-Encoding', repr(coding[:40]))
    chunked = coding == b'chunked'
    connection = _field(low, _CONNECTION) or b''
    close = b'close' in connection or (
        data[7:8] == b'0' and b'keep-alive' not in connection
    )
    retry = None
    if status >= 429:
        wait = _field(low, _RETRY) or b''
        if wait.isdigit():
            retry = float(wait[:6])
    return Head(status, None if chunked else length, chunked, close, retry)


class Chunks:
    """Decode a chunked body; ``take`` returns the bytes of content."""

    def __init__(self) -> None:
        self.done = False
        self.used = 0  # bytes of the last piece that belong to the body
        self._line = b''
        self._left = 0  # of a chunk's content
        self._state = 'size'

    def take(self, data: bytes) -> bytes:
        """Consume ``data`` up to the end of the body."""
        found = []
        at, end = 0, len(data)
        while at < end and not self.done:
            if self._state == 'content':
                step = min(self._left, end - at)
                found.append(data[at : at + step])
                at += step
                self._left -= step
                if not self._left:
                    self._state = 'end of chunk'
                continue
            stop = data.find(b'\n', at)
            self._line += data[at : stop + 1 if stop >= 0 else end]
            if len(self._line) > 8192:
                raise BadResponse('chunk line without end')
            if stop < 0:
                at = end
                break
            at = stop + 1
            line, self._line = self._line, b''
            if not line.endswith(b'\r\n'):
                raise BadResponse('chunk line without CR')
            self._take_line(line[:-2])
        self.used = at
        return b''.join(found)

    def _take_line(self, line: bytes) -> None:
        if self._state == 'end of chunk':
            if line:
                raise BadResponse('chunk longer than it says')
            self._state = 'size'
        elif self._state == 'trailer':
            self.done = not line
        else:
            digits = line.split(b';', 1)[0].strip()
            if not digits or len(digits) > 15 or not _HEX.issuperset(digits):
                raise BadResponse('chunk size', repr(line[:40]))
            self._left = int(digits, 16)
            self._state = 'content' if self._left else 'trailer'


class Response:
    """Read one response after another of one connection."""

    __slots__ = (
        'head',
        'need',
        'length',
        '_body',
        '_more',
        'closes',
        '_rest',
        '_bodiless',
        '_chunks',
        'kept',
        'interims',
        'raw',
        'looks',
    )

    def __init__(self) -> None:
        self._more = bytearray()  # of the body: what came since it was read
        self.reset(False)

    def reset(self, bodiless: bool, keep: int = 0) -> None:
        """Begin a response; ``bodiless`` is one to HEAD.

        Up to ``keep`` bytes of its body are kept, of an error KEPT_MAX.
        """
        self.head: Optional[Head] = None
        self.need = 0  # bytes of content that are still to come
        self.length = 0  # bytes of content so far, or announced by HEAD
        self._body = b''
        self._more.clear()
        self.raw = b''  # the head, where it or the body is looked at
        self.looks = False
        self.closes = False  # the body ends with the connection
        self._rest = b''
        self._bodiless = bodiless
        self._chunks: Optional[Chunks] = None
        self.kept = keep
        self.interims = 0

    @property
    def body(self) -> bytes:
        """Return what was kept of the body."""
        if self._more:
            self._body += self._more
            self._more.clear()
        return self._body

    @body.setter
    def body(self, data: bytes) -> None:
        self._body = data
        self._more.clear()

    @property
    def begun(self) -> bool:
        """Say whether any byte of a response came."""
        return bool(self._rest or self.interims or self.head is not None)

    def keep(self, size: int) -> None:
        """Keep at least ``size`` bytes of the body from here on."""
        self.kept = max(self.kept, size)

    def feed(self, data: Buffer, size: int) -> bool:
        """Take ``size`` bytes of ``data``; return whether it is complete.

        Raises BadResponse, also for bytes beyond the response's end.
        """
        if self.head is not None:
            return self._content(bytes(data[:size]))
        if self._rest:
            data = self._rest + data[:size]
            size = len(data)
        start = 0
        while True:
            end = data.find(b'\r\n\r\n', start, size)
            if end < 0:
                if size - start > HEAD_MAX:
                    raise BadResponse(
                        'head too long', f'beyond {HEAD_MAX} bytes'
                    )
                self._rest = bytes(data[start:size])
                if start == 0 and len(self._rest) >= 7:
                    if self._rest[:7].lower() != b'http/1.':
                        raise BadResponse('not HTTP', repr(self._rest[:40]))
                return False
            if end - start > HEAD_MAX:
                raise BadResponse('head too long', f'beyond {HEAD_MAX} bytes')
            head = parse_head(data[start:end])
            if self.kept or self.looks:
                self.raw = bytes(data[start:end])
            start = end + 4
            if head.whole == size - start and not (
                self.kept or self._bodiless
            ):
                self.head = head
                self.length = head.whole
                self._rest = b''
                return True
            if head.status >= 200:
                break
            if head.status == 101:
                raise BadResponse('an upgrade that was not asked for')
            self.interims += 1
            if self.interims > INTERIM_MAX:
                raise BadResponse('interim responses without end')
        self.head = head
        self._rest = b''
        status = head.status
        if status >= 300:
            self.kept = max(self.kept, KEPT_MAX)
        if self._bodiless or status == 204 or status == 304:
            self.length = head.length or 0
            return self._end(size - start)
        rest = size - start
        if head.chunked:
            self._chunks = Chunks()
        elif head.length is None:
            self.closes = True
        else:
            self.need = head.length
            if not self.need:
                return self._end(rest)
        if not rest:
            return False
        if self._chunks is None and not self.kept:
            return self.skip(rest)
        return self._content(bytes(data[start:size]))

    def skip(self, size: int) -> bool:
        """Count ``size`` bytes of content that nobody looks at."""
        self.length += size
        if self.closes:
            return False
        self.need -= size
        if self.need < 0:
            return self._end(-self.need)
        return self.need == 0

    def _content(self, data: bytes) -> bool:
        if self._chunks is not None:
            content = self._chunks.take(data)
            self._add(content)
            self.length += len(content)
            if self._chunks.done:
                return self._end(len(data) - self._chunks.used)
            return False
        self._add(data)
        return self.skip(len(data))

    def _add(self, data: bytes) -> None:
        room = self.kept - len(self._body) - len(self._more)
        if room <= 0:
            return
        if self._body or self._more:
            self._more += data[:room]
        else:
            self._body = data[:room]

    def _end(self, beyond: int) -> bool:
        if beyond:
            raise BadResponse('bytes beyond the response', str(beyond))
        return True

    def ended(self) -> bool:
        """Say whether a response is complete now that the peer closed."""
        return self.head is not None and self.closes
