"""What connections share: their endpoint, and what the process has once."""

from typing import List, Optional, Tuple

import ssl

from .payload import Payload

BUFFER = 1 << 20
# What is read at once of what is encrypted. With 256 KiB reads of 4 MiB take
# a quarter less CPU, but a sender on the same host waits for them: they have
# 0.84 times the throughput (under BBR).
RAW = 24 << 10

Address = Tuple[int, Tuple[object, ...]]  # family, what connect() takes


class Wire:
    """Hold what the connections of a process share."""

    def __init__(
        self, payload: Payload, context: Optional[ssl.SSLContext]
    ) -> None:
        self.payload = payload
        self.context = context
        self.buffer = bytearray(BUFFER)
        self.view = memoryview(self.buffer)
        self.raw = bytearray(RAW)
        self.raw_view = memoryview(self.raw)
        # empty between calls: one for all of them stays in the caches
        self.sealed = ssl.MemoryBIO()


class Site:
    """Hold one endpoint: where it is and what its requests look like."""

    def __init__(
        self, index: int, name: str, tls: bool, addresses: List[Address]
    ) -> None:
        self.index = index
        self.name = name  # for the certificate
        self.tls = tls
        self.addresses = addresses
        self.turn = 0

    def address(self) -> Address:
        """Return the addresses in turn."""
        self.turn += 1
        return self.addresses[self.turn % len(self.addresses)]
