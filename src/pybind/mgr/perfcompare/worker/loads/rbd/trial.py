"""A trial on images: start fio, follow it, reduce what it measured."""

from typing import Any, Dict

from ...runtime.context import Context
from ...wire.rbd_jobs import RbdTrial
from . import programs
from .figures import Figures, ImageLoad
from .monitor import Monitor
from .output import Load
from .process import Fio
from .reduce import client_cpu, host_evidence
from .site import Site
from .start import start
from .telling import TOLD, told


class RbdTrialRun:
    """Drive one fio process for each image."""

    def __init__(self, job: RbdTrial, context: Context) -> None:
        self._job = job
        self._context = context
        self._site = Site(job, context)
        self._tools: Dict[str, str] = {}
        self._loads: Dict[int, Load] = {}
        self._processes = [
            Fio(job, index, self._site, context)
            for index in range(len(job.images))
        ]

    def tools(self) -> Dict[str, str]:
        """Return the programs' versions; fio tells later of its librbd."""
        self._tools = programs.versions(self._job)
        return self._tools

    def prepare(self) -> None:
        """Check that the images are there; raise Failure if not."""
        self._site.require()

    def run(self) -> Dict[str, Any]:
        """Make the load; return the result as plain data."""
        job, context = self._job, self._context
        monitor = start(job, self._processes, context)
        while any(p.child is not None for p in self._processes):
            monitor.tick()
            context.pause(0.1)
            for process in self._processes:
                found = process.measured(job.duration)
                if found is not None:
                    self._loads[process.index] = found
        if monitor.library:
            self._tools[programs.LIBRARY] = monitor.library
        return self._result(monitor)

    def _result(self, monitor: Monitor) -> Dict[str, Any]:
        job = self._job
        images = [
            ImageLoad(p.what, p.depth, self._loads[p.index])
            for p in self._processes
        ]
        figures = Figures(job, images)
        meter = figures.used(monitor.cpu, self._context.start)
        evidence = host_evidence(job, self._context, meter, self._processes)
        if job.hosts > 1:
            names = [image.name for image in job.images]
            evidence[TOLD] = told(names, images)
        return figures.result(client_cpu(meter), evidence)
