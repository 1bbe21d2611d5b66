"""The bytes of a file: decompressed, bounded, line by line.

`ceph … -i` carries text only, so that a compressed file comes in base64.
"""

from typing import IO, Any, BinaryIO, List, Optional

import base64
import binascii
import gzip
import io
import os
import re
import shutil
import subprocess
import zlib

from ..wire.strict import Malformed

ZSTD = b'\x28\xb5\x2f\xfd'
GZIP = b'\x1f\x8b'
# how base64 begins of what begins so
_BASE64 = (b'KLUv/', b'H4sI')
_NOT_BASE64 = re.compile(rb'[^A-Za-z0-9+/=\s]')
MAX_BYTES = 1 << 30  # decompressed
SUMMARY = 'import a summary instead, such as of `warp analyze --json`'


class Bounded(io.RawIOBase):
    """Read a stream up to a bound; more is Malformed."""

    def __init__(self, stream: IO[bytes], limit: int, advice: str) -> None:
        self._stream = stream
        self._limit = limit
        self._advice = advice
        self._seen = 0

    def readable(self) -> bool:
        """Say that it can be read."""
        return True

    def readinto(self, buffer: Any) -> int:
        """Fill ``buffer`` as far as the stream goes."""
        try:
            data = self._stream.read(len(buffer))
        except (OSError, EOFError, zlib.error) as error:
            raise Malformed(f'it is damaged or cut: {error}') from None
        self._seen += len(data)
        if self._seen > self._limit:
            raise Malformed(
                f'it has more than {self._limit >> 20} MiB of data; '
                + self._advice
            )
        buffer[: len(data)] = data
        return len(data)


class Content:
    """Open a file whatever it is packed in; a context manager."""

    def __init__(
        self, path: str, limit: int = MAX_BYTES, advice: str = SUMMARY
    ) -> None:
        """Read ``limit`` bytes at most; ``advice`` is what else to do."""
        self._path = path
        self._limit = limit
        self._advice = advice
        self._child: Optional['subprocess.Popen[bytes]'] = None
        self._open: List[IO[Any]] = []

    def __enter__(self) -> io.BufferedReader:
        try:
            return self._begin()
        except (OSError, EOFError) as error:
            raise Malformed(f'it cannot be read: {error}') from None

    def _begin(self) -> io.BufferedReader:
        head = self._head(self._path)
        if head.startswith(_BASE64) and not _NOT_BASE64.search(head):
            self._unpack()
            head = self._head(self._path)
        stream: IO[bytes]
        if head.startswith(ZSTD):
            stream = self._zstd()
        elif head.startswith(GZIP):
            stream = self._keep(gzip.open(self._path, 'rb'))
        else:
            stream = self._keep(open(self._path, 'rb'))
        bounded = Bounded(stream, self._limit, self._advice)
        return io.BufferedReader(bounded, 1 << 20)

    def _head(self, path: str) -> bytes:
        with open(path, 'rb') as file:
            return file.read(256)

    def _keep(self, stream: Any) -> Any:
        self._open.append(stream)
        return stream

    def _unpack(self) -> None:
        with open(self._path, 'rb') as file:
            text = file.read()
        try:
            data = base64.b64decode(
                text.translate(None, b' \r\n\t'), None, True
            )
        except binascii.Error as error:
            raise Malformed(f'its base64 is damaged: {error}') from None
        self._path += '.unpacked'
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
        with os.fdopen(os.open(self._path, flags, 0o600), 'wb') as out:
            out.write(data)

    def _zstd(self) -> BinaryIO:
        program = shutil.which('zstd')
        if program is None:
            raise Malformed(
                "it is compressed by zstd, and the Manager's host has no "
                'program `zstd`; decompress it first: zstd -d <file>'
            )
        self._child = subprocess.Popen(
            [program, '-dcq', '--', self._path],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self._child.stdout is not None
        return self._keep(self._child.stdout)  # type: ignore[no-any-return]

    def check(self) -> None:
        """Raise Malformed when the data ended because of damage."""
        if self._child is None:
            return
        assert self._child.stderr is not None
        why = self._child.stderr.read(2000).decode('utf-8', 'replace')
        if self._child.wait(timeout=10):
            raise Malformed(
                'zstd cannot decompress it: ' + ' '.join(why.split())[:160]
            )

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if self._child is not None:
            if self._child.poll() is None:
                self._child.kill()
            self._child.wait()
            if self._child.stderr is not None:
                self._child.stderr.close()
        for stream in self._open:
            stream.close()
