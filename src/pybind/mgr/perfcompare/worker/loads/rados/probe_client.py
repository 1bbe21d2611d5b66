"""Ask a pool at random moments, and tell how long each answer took.

Run as a file: python3 -I -B probe_client.py SPEC, a JSON object as
latency_probe.py makes it. Arrivals are Poisson, so that the probe sees
averages over time (PASTA); a latency counts from the moment that the
operation was due, whether or not others are still under way. Prints one
JSON object: for each operation when it was due, how late it was begun and
what it took, in nanoseconds, with NOT_ENDED and FAILED instead of times.
"""

from typing import Any, Dict, List, NoReturn, Optional

import errno
import gc
import json
import os
import random
import sys
import time

NOT_ENDED = -1
FAILED = -2
IN_FLIGHT = 4096  # operations
IN_FLIGHT_BYTES = 64 << 20
GRACE = 3.0  # seconds for what is under way at the end


def _say(**data: Any) -> NoReturn:
    sys.stdout.write(json.dumps(data, separators=(',', ':')))
    sys.stdout.flush()
    os._exit(0)  # no waiting for a cluster that does not answer


class Asking:
    """Begin operations when they are due and note how each ended."""

    def __init__(self, ioctx: Any, spec: Dict[str, Any]) -> None:
        self._ioctx = ioctx
        self._spec = spec
        self._size = int(spec['size'])
        self._random = random.Random(spec['seed'])
        self._body = self._random.randbytes(min(self._size, 1 << 20))
        self._body = (self._body * (1 + self._size // len(self._body)))[
            : self._size
        ]
        self._most = max(16, min(IN_FLIGHT, IN_FLIGHT_BYTES // self._size))
        self.due: List[float] = []
        self.late: List[float] = []
        self.took: List[Optional[float]] = []
        self.errors: Dict[str, int] = {}
        self._begun = 0
        self._ended = 0

    @property
    def flying(self) -> int:
        """Return how many operations are under way."""
        return self._begun - self._ended

    def run(self, until: float) -> float:
        """Go on to monotonic time ``until``; return when it began."""
        rate = float(self._spec['rate'])
        began = due = time.monotonic()
        free = began
        while True:
            due += self._random.expovariate(rate)
            if due > until:
                return began
            wait = due - time.monotonic()
            if wait > 0:
                time.sleep(wait)
            if self.flying >= self._most:
                # an OSD that hangs; that is no lateness of this host
                end = until + GRACE
                while self.flying >= self._most and time.monotonic() < end:
                    time.sleep(0.001)
                free = time.monotonic()
                if self.flying >= self._most:
                    # begun beyond the bound they would be a burst
                    self._note(due, 0.0)
                    continue
            self._begin(due, max(0.0, time.monotonic() - max(due, free)))

    def _note(self, due: float, late: float) -> int:
        """Keep an operation, which has not ended; return its place."""
        self.due.append(due)
        self.late.append(late)
        self.took.append(None)
        return len(self.due) - 1

    def _begin(self, due: float, late: float) -> None:
        index = self._note(due, late)
        spec = self._spec
        number = self._random.randrange(spec['objects'])
        if spec['op'] == 'write':
            number = index % spec['objects']

        def ended(completion: Any, data: Any = None) -> None:
            now = time.monotonic()
            code = completion.get_return_value()
            if code < 0:
                self._failed(index, -code)
            elif data is not None and code != self._size:
                self._failed(index, 0)
            else:
                self.took[index] = now - due
            self._ended += 1

        name = f'{spec["prefix"]}{number}'
        self._begun += 1
        try:
            if spec['op'] == 'write':
                self._ioctx.aio_write(name, self._body, 0, ended)
            else:
                self._ioctx.aio_read(name, self._size, 0, ended)
        except Exception as error:
            # of librados, which calls nobody back then
            self._begun -= 1
            self._failed(index, getattr(error, 'errno', None) or 5)

    def _failed(self, index: int, code: int) -> None:
        self.took[index] = FAILED
        name = errno.errorcode.get(code, str(code)) if code else 'SHORT'
        self.errors[name] = self.errors.get(name, 0) + 1


def _nanoseconds(value: Optional[float]) -> int:
    if value is None:
        return NOT_ENDED
    return FAILED if value == FAILED else int(value * 1e9)


def main() -> None:
    """Do as the only argument says."""
    spec = json.loads(sys.argv[1])
    try:
        import rados
    except ImportError as error:
        missing = 'No module' in str(error)
        why = 'is not installed' if missing else f'does not work: {error}'
        _say(problem=f'python3-rados {why} on the client host')
    gc.disable()
    try:
        cluster = rados.Rados(
            conffile=spec['conf'],
            name=spec['entity'],
            conf={
                'keyring': spec['keyring'],
                'log_file': '',
                'admin_socket': '',
                'objecter_inflight_ops': str(2 * IN_FLIGHT),
                'objecter_inflight_op_bytes': str(4 * IN_FLIGHT_BYTES),
            },
        )
        cluster.connect()
        asking = Asking(cluster.open_ioctx(spec['pool']), spec)
    except Exception as error:
        _say(problem=f'the probe cannot reach the pool: {error}')
    cpu = time.process_time()
    began = asking.run(spec['until'])
    end = spec['until'] + GRACE
    while asking.flying and time.monotonic() < end:
        time.sleep(0.005)
    ended = time.monotonic()
    took = list(asking.took)
    _say(
        began=began,
        ended=ended,
        cpu=time.process_time() - cpu,
        due=[int((due - began) * 1e9) for due in asking.due],
        late=[int(late * 1e9) for late in asking.late],
        took=[_nanoseconds(value) for value in took],
        errors=dict(asking.errors),
    )


if __name__ == '__main__':
    main()
