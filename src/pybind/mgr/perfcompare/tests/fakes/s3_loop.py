"""The event loop of the S3 generator, with all that it needs."""

from typing import Any, Dict, Optional, Tuple

import random
import socket
import ssl
import time

from perfcompare.tests.fakes.s3_server import S3Server
from perfcompare.worker.loads.s3.extras import NOTHING, Extras
from perfcompare.worker.loads.s3.keys import Namer, Population
from perfcompare.worker.loads.s3.loop import Loop
from perfcompare.worker.loads.s3.mix import Fill, Mix
from perfcompare.worker.loads.s3.payload import Payload
from perfcompare.worker.loads.s3.recorder import Recorder
from perfcompare.worker.loads.s3.results import Window
from perfcompare.worker.loads.s3.sigv4 import Signer
from perfcompare.worker.loads.s3.site import Site, Wire
from perfcompare.worker.wire.s3_spec import Objects, Phase, Weighted

READ, WRITE = (0.0, 1.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
MIXED = (35.0, 45.0, 15.0, 5.0)


class Bench:
    """Hold a loop with all that it needs."""

    def __init__(
        self,
        server: S3Server,
        sizes: Tuple[Weighted, ...] = (Weighted(4096),),
        connections: int = 4,
        timeout: float = 60.0,
        verify: float = 0.0,
        signed: bool = False,
        context: Optional[ssl.SSLContext] = None,
        name: str = 'localhost',
        spread: Tuple[int, int] = (1, 1),
        checksum: str = '',
        more: Extras = NOTHING,
        signer: Optional[Signer] = None,
    ) -> None:
        self.server = server
        rng = random.Random(1)
        self.payload = Payload(1)
        self.existing = Namer('b', Objects('r-', 0, sizes, 0, *spread))
        self.population = Population(
            self.existing,
            Namer('b', Objects('w-', 0, sizes, 0, *spread)),
            0,
            1,
            rng,
        )
        self.rng = rng
        family = socket.AF_INET6 if ':' in server.host else socket.AF_INET
        self.loop = Loop(
            [
                Site(
                    0,
                    name,
                    context is not None,
                    [(family, (server.host, server.port))],
                )
            ],
            [signer or Signer('A', 'S', 'us-east-1', 'x', more)],
            Wire(self.payload, context),
            self.population,
            connections,
            rng,
            timeout,
            verify,
            signed,
            checksum=checksum,
            extras=more,
        )

    def fill(self, count: int) -> None:
        self.loop.connect(time.perf_counter_ns() + 10**9)
        now = time.perf_counter_ns()
        recorder = Recorder(now, 0.0, 0.0)
        source = Fill(self.existing, range(count))
        self.loop.run(source, [recorder], now, recorder.end)
        assert recorder.totals().finished == count
        del self.population._live[:]
        self.population.adopt(count)

    def run(
        self,
        mix: Tuple[float, ...],
        seconds: float,
        rate: float = 0.0,
        bound: int = 0,
    ) -> Tuple[Window, Recorder]:
        self.loop.connect(time.perf_counter_ns() + 10**9)
        start = time.perf_counter_ns()
        recorder = Recorder(start, 0.0, seconds)
        phase = Phase('x', mix, 0.0, seconds, rate=rate, bound=bound)
        source = Mix(phase, self.population, self.rng)
        self.loop.run(source, [recorder], start, recorder.end, rate)
        recorder.finish(time.perf_counter_ns())
        result: Dict[str, Any] = {
            'begin': recorder.begin,
            'end': recorder.end,
            'endpoints': [
                {
                    'url': 'u',
                    'intervals': recorder.intervals,
                    'unfinished': recorder.pending(),
                }
            ],
        }
        return Window([result], bool(rate)), recorder
