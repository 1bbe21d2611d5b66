"""Objects to be read: written once per client, checked, warmed."""

from typing import Any, Dict, List, Optional, Sequence, Union

import concurrent.futures
import math

from ...runtime.context import Context
from ...runtime.failure import Failure
from ...wire.jobs import Access, Population, Prefill, Warm, split
from .clients import Client, Order
from .monitor import Monitor
from .rados_bench import metadata, object_size

LOOKS = 8  # `rados` commands at a time
STALL = 90.0  # seconds; a prefill has no time limit that fits all


def present(access: Access, population: Population) -> Optional[str]:
    """Return why ``population`` cannot be read here; None if it can.

    `rados bench` names objects by host and process, so a population can
    be read only from hosts that have the name of the one that wrote it.
    """
    name = population.run_name
    found = metadata(access, name)
    if found is None:
        return f'population {name!r} does not exist'
    # `rados bench` keeps how many writes it made
    if (found.size, found.objects) != (population.size, population.writes):
        return (
            f'population {name!r} has {found.objects} objects of '
            f'{found.size} bytes instead of {population.writes} of '
            f'{population.size}'
        )
    for index in sorted({0, population.objects - 1}):
        size = object_size(access, found.object_name(index))
        if size != population.size:
            return (
                f'object {index} of population {name!r} is not there: it '
                'was removed, or written by a client with another host name'
            )
    return None


def look(
    access: Access, populations: Sequence[Population]
) -> List[Optional[str]]:
    """Return for each population what `present` says, asked at once."""
    with concurrent.futures.ThreadPoolExecutor(LOOKS) as pool:
        return list(pool.map(lambda p: present(access, p), populations))


def require(access: Access, populations: Sequence[Population]) -> None:
    """Raise Failure when one of ``populations`` cannot be read."""
    for why in look(access, populations):
        if why is not None:
            raise Failure('population', f'{why}: fill it again')


class PopulationRun:
    """Write (prefill) or read once (warm) the populations of a job."""

    def __init__(self, job: Union[Prefill, Warm], context: Context) -> None:
        self._job = job
        self._context = context
        self._write = isinstance(job, Prefill)
        self._kept: List[str] = []

    def prepare(self) -> None:
        """Check what is there already; raise Failure if it is too little."""
        access, populations = self._job.access, self._job.populations
        if not self._write:
            require(access, populations)
            return
        for population, why in zip(populations, look(access, populations)):
            if why is None:
                self._kept.append(population.run_name)

    def run(self) -> Dict[str, Any]:
        """Do it in batches of at most one operation in flight each."""
        job, context = self._job, self._context
        todo = [p for p in job.populations if p.run_name not in self._kept]
        done = [
            {'run_name': p.run_name, 'objects': p.objects, 'kept': True}
            for p in job.populations
            if p.run_name in self._kept
        ]
        for low in range(0, len(todo), job.concurrency):
            done += self._batch(low, todo[low : low + job.concurrency])
        order = [p.run_name for p in job.populations]
        done.sort(key=lambda p: order.index(str(p['run_name'])))
        return {
            'started': context.start[0],
            'ended': context.now(),
            'populations': done,
            'notes': [],
        }

    def _batch(
        self, first: int, populations: List[Population]
    ) -> List[Dict[str, Any]]:
        job, context = self._job, self._context
        shares = split(job.concurrency, len(populations))
        op = 'write' if self._write else 'seq'
        clients = [
            Client(
                index,
                job.access,
                Order(
                    op,
                    min(share, p.objects),
                    p.size,
                    p.run_name,
                    p.objects,
                    p.part,
                ),
                context.children,
                job.nice,
            )
            for index, (p, share) in enumerate(
                zip(populations, shares), first
            )
        ]
        phase = 'prefill' if self._write else 'warm'
        monitor = Monitor(
            clients,
            context.folder,
            context.outbox.emit,
            lambda: context.outbox.dropped,
            populations[0].part or populations[0].size,
            context.start,
            lambda t: phase,
        )
        context.stuck = monitor.stuck
        for client in clients:
            # ends by itself when all is written or read
            client.start(math.ceil(context.left()) + 1)
        done: Dict[int, Dict[str, Any]] = {}
        while len(done) < len(clients):
            monitor.tick()
            context.pause(0.1)
            if monitor.stalled > STALL:
                raise Failure(
                    'deadline',
                    f'no operation finished for {STALL:.0f} s: '
                    + monitor.stuck(),
                )
            for client, population in zip(clients, populations):
                if client.index not in done:
                    row = self._finished(client, population)
                    if row is not None:
                        done[client.index] = row
        return [done[index] for index in sorted(done)]

    def _finished(
        self, client: Client, population: Population
    ) -> Optional[Dict[str, Any]]:
        bench = client.finished()
        if bench is None:
            return None
        if bench.ops != population.writes:
            raise Failure(
                'population',
                f'{client.what}: {bench.ops} instead of '
                f'{population.writes} operations on {population.run_name!r}',
            )
        if self._write:
            require(self._job.access, [population])
        return {
            'run_name': population.run_name,
            'objects': population.objects,
            'kept': False,
            'seconds': bench.seconds,
            'ops_per_s': bench.ops / bench.seconds,
        }
