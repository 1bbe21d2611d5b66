"""What the generator asks of its sockets beyond what Linux does unasked.

All of it saves CPU of the client and changes nothing that a gateway sees
of a request. The figures are of qa/bench/s3_vs_warp.py, objects of 4 MiB.
"""

import select
import socket

IN, OUT = select.EPOLLIN, select.EPOLLOUT

# Linux wakes us for each segment of a response. Waking when a part of it is
# there takes a quarter less CPU (under BBR). Over TLS it is what lets a tight
# loop over records save a seventh (under cubic): alone, neither does.
PART = 512 << 10
# below it a response is there at once, or nearly
LARGE = 128 << 10
# bytes that TLS may have taken in of a record that is not complete
RECORD = 20000

# A host that paces what it sends (BBR) does so by timers, also between two
# processes of its own. Buffers of these sizes keep it from that: for puts
# 0.5 times the CPU and 1.8 times the throughput, at 64 connections; reads
# over TLS gain less.
SENDS = 192 << 10
RECEIVES = 2 << 20


def fit(sock: socket.socket) -> None:
    """Suit a new connection to how its host paces what it sends.

    Buffers are sized for connections to this very host only: a long path
    needs larger ones than anybody would choose.
    """
    name = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, 16)
    if not name.startswith(b'bbr'):
        return
    if sock.getsockname()[0] == sock.getpeername()[0]:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SENDS)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, RECEIVES)


def part(need: int, tls: bool) -> int:
    """Return how many bytes of a response are worth to be woken for.

    ``need`` bytes of its content are still to come; no more than what is
    on its way may be waited for. The kernel waits for less, and wakes us
    at the connection's end, by itself.
    """
    if need < LARGE:
        return 1
    return min(PART, need - RECORD if tls else need)


def wake_at(sock: socket.socket, size: int) -> None:
    """Have epoll tell of a socket when ``size`` bytes are there."""
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVLOWAT, size)
