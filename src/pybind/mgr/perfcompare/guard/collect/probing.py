"""Find out which hosts accept connections, all at once, sending nothing."""

from typing import Dict, Mapping, NamedTuple

import os
import selectors
import socket

from ...common.clock import SYSTEM
from ...ports.clock import Clock


class Endpoint(NamedTuple):
    """Name where a host should answer."""

    address: str  # an IP: names would have to be looked up first
    port: int


def reach(
    endpoints: Mapping[str, Endpoint],
    timeout: float,
    clock: Clock = SYSTEM,
) -> Dict[str, str]:
    """Open a TCP connection to each host; return what is wrong with it.

    The problem of a host that answers is empty. Takes at most ``timeout``
    seconds, for all hosts together.
    """
    deadline = clock.monotonic() + timeout
    problems: Dict[str, str] = {}
    with selectors.DefaultSelector() as selector:
        waiting: Dict[socket.socket, str] = {}
        for host, (address, port) in endpoints.items():
            family = socket.AF_INET6 if ':' in address else socket.AF_INET
            probe = socket.socket(family, socket.SOCK_STREAM)
            probe.setblocking(False)
            try:
                probe.connect((address, port))
            except BlockingIOError:
                pass
            except OSError as error:
                problems[host] = error.strerror or str(error)
                probe.close()
                continue
            waiting[probe] = host
            selector.register(probe, selectors.EVENT_WRITE)
        while waiting:
            left = deadline - clock.monotonic()
            ready = selector.select(max(0.0, left)) if left > 0 else []
            if not ready:
                break
            for key, _ in ready:
                probe = key.fileobj  # type: ignore[assignment]
                host = waiting.pop(probe)
                code = probe.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR)
                problems[host] = os.strerror(code) if code else ''
                selector.unregister(probe)
                probe.close()
        for probe, host in waiting.items():
            problems[host] = f'no answer in {timeout:g} s'
            selector.unregister(probe)
            probe.close()
    return {host: problems[host] for host in endpoints}
