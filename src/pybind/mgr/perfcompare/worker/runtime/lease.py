"""The worker's leash: it dies when nobody renews its lease."""

from typing import Any, Callable, Dict

import os
import select
import threading
import time

from ..wire.protocol import (
    LEASE_LOST,
    LEASE_MAX,
    LEASE_TTL,
    LINE_MAX,
    Ack,
    Event,
    parse_command,
)
from ..wire.strict import Malformed

Command = Dict[str, Any]
LOOK = 1.0  # seconds


def now() -> float:
    """Return seconds that go on while the machine is suspended."""
    return time.clock_gettime(time.CLOCK_BOOTTIME)


class Lease(threading.Thread):
    """Read commands; call ``lost`` when stdin ends or the lease runs out.

    It has a thread of its own, so that it works while the rest of the
    worker waits for a disk, and it does nothing but read and count.
    """

    def __init__(
        self,
        fd: int,
        deliver: Callable[[Command], None],
        answer: Callable[[Event], None],
        lost: Callable[[str], None],
        ttl: float = LEASE_TTL,
    ) -> None:
        super().__init__(name='lease', daemon=True)
        self._fd = fd
        self._deliver = deliver
        self._answer = answer
        self._lost = lost
        self._ttl = ttl
        self._end = now() + ttl

    def run(self) -> None:
        """Watch until the lease is lost; never return before."""
        try:
            reason = self._watch()
        except Exception as error:  # whatever it is, no load without leash
            reason = f'the lease watch failed: {error!r}'
        self._lost(reason)

    def _watch(self) -> str:
        buffer = b''
        while True:
            left = self._end - now()
            if left <= 0:
                return f'{LEASE_LOST} within {self._ttl:g} s'
            # a wait does not count the time in which the machine slept
            if not select.select([self._fd], [], [], min(left, LOOK))[0]:
                continue
            if self._end <= now():
                continue  # what came is too late
            data = os.read(self._fd, 65536)
            if not data:
                return 'the Manager is gone (standard input was closed)'
            buffer += data
            *lines, buffer = buffer.split(b'\n')
            for line in lines:
                self._command(line)
            if len(buffer) > LINE_MAX:
                return 'a command is too long'

    def _command(self, line: bytes) -> None:
        try:
            command = parse_command(line)
        except Malformed as error:
            self._answer(Ack(0, str(error)))
            return
        if command['cmd'] != 'lease':
            self._deliver(command)
            return
        ttl = command.get('ttl', LEASE_TTL)
        if type(ttl) not in (int, float) or not 0 < ttl <= LEASE_MAX:
            self._answer(Ack(command['id'], f'{ttl!r} s is not a lease'))
            return
        self._ttl = float(ttl)
        self._end = now() + self._ttl
