"""What objects hold: bytes that no one can compress, known at each place.

The content of an object is a window of one random block, repeated; where
the window begins follows from the object's number. So nothing but the
number is needed to verify what a gateway returns.
"""

from typing import Dict, Iterator, Sequence, Tuple

import hashlib
import os
import random
import time

from .checksums import Algorithm, Windows

BLOCK = 4 << 20
STEP = 4096
STEPS = 509  # prime; offsets 0 … 2 MiB
PIECE = 1 << 20


class Payload:
    """Hold the block of a run; the same for the same seed, everywhere."""

    def __init__(self, seed: int) -> None:
        # getrandbits is there, and the same, in every Python
        bits = random.Random(seed).getrandbits(BLOCK * 8)
        self._block = bits.to_bytes(BLOCK, 'little')
        # a window never needs more than one piece beyond the block's end
        self._view = memoryview(self._block + self._block[:PIECE])
        self._fd = -1
        # of as many bodies as there are for each size
        self._digests: Dict[Tuple[int, int], bytes] = {}
        self._windows: Dict[str, Windows] = {}
        self._checksums: Dict[Tuple[str, int, int], bytes] = {}

    def offset(self, number: int) -> int:
        """Return where the content of object ``number`` begins."""
        return (number % STEPS) * STEP

    def view(self, number: int, start: int, size: int) -> memoryview:
        """Return at most PIECE bytes of an object's content, no copy."""
        at = (self.offset(number) + start) % BLOCK
        return self._view[at : at + min(size, PIECE)]

    def pieces(
        self, number: int, size: int, start: int = 0
    ) -> Iterator[memoryview]:
        """Yield ``size`` bytes of an object's content in pieces."""
        end = start + size
        while start < end:
            piece = self.view(number, start, end - start)
            yield piece
            start += len(piece)

    def content(self, number: int, size: int) -> bytes:
        """Return the whole content of an object."""
        return b''.join(self.pieces(number, size))

    def same(self, number: int, start: int, data: bytes) -> bool:
        """Say whether ``data`` is an object's content from ``start``."""
        at = 0
        while at < len(data):
            piece = self.view(number, start + at, len(data) - at)
            if data[at : at + len(piece)] != bytes(piece):
                return False
            at += len(piece)
        return True

    def digest(self, number: int, size: int, start: int = 0) -> bytes:
        """Return the SHA-256 of an object's bytes, in hexadecimal."""
        # chunks of different bodies are often the same
        key = (self.offset(number) + start) % BLOCK, size
        digest = self._digests.get(key)
        if digest is None:
            found = hashlib.sha256()
            for piece in self.pieces(number, size, start):
                found.update(piece)
            digest = self._digests[key] = found.hexdigest().encode()
        return digest

    def hash_ahead(
        self, sizes: Sequence[int], seconds: float, most: int = 0
    ) -> bool:
        """Hash the bodies of ``sizes``; return whether time was enough.

        With ``most``: in pieces of so many bytes.
        """
        end = time.monotonic() + seconds
        for size in sorted(sizes):
            for number in range(STEPS):
                # those further on are the same
                for at in range(0, min(size, BLOCK), most or size):
                    if time.monotonic() > end:
                        return False
                    self.digest(number, min(most or size, size - at), at)
        return True

    def prepare(self, algorithm: Algorithm) -> None:
        """Look at all bytes once, for the checksums of windows."""
        if algorithm.name not in self._windows:
            self._windows[algorithm.name] = Windows(algorithm, self._block)

    def checksum(
        self, algorithm: Algorithm, number: int, size: int, start: int = 0
    ) -> bytes:
        """Return a checksum of an object's bytes, as S3 writes it."""
        at = (self.offset(number) + start) % BLOCK
        key = algorithm.name, at, size
        found = self._checksums.get(key)
        if found is None:
            self.prepare(algorithm)
            value = self._windows[algorithm.name].of(at, size)
            found = self._checksums[key] = algorithm.text(value)
        return found

    def file(self) -> int:
        """Return a descriptor for sendfile, of the block twice.

        So BLOCK bytes from any place of the first one are content.
        """
        if self._fd < 0:
            fd = os.memfd_create('perfcompare', os.MFD_CLOEXEC)
            for _ in range(2):
                left = memoryview(self._block)
                while left:
                    left = left[os.write(fd, left) :]
            self._fd = fd
        return self._fd
