"""How a trial on images begins: a program for each, and what watches them."""

from typing import Sequence

from ...runtime.context import Context
from ...wire.jobs import split
from ...wire.rbd_jobs import RbdTrial
from .monitor import Monitor
from .process import Process
from .reduce import phases


def start(
    job: RbdTrial, processes: Sequence[Process], context: Context
) -> Monitor:
    """Begin the load on all images; return what follows it."""
    monitor = Monitor(processes, context, phases(job))
    context.stuck = monitor.stuck
    for process, depth in zip(
        processes, split(job.concurrency, len(job.images))
    ):
        process.trial(job, depth)
    return monitor
