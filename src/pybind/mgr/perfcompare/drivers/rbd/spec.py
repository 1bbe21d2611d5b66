"""What loads of RBD images are."""

from typing import Any, Mapping, Tuple

from ...common.option import Options
from ...model.load import Operation
from ...planning.loads import LoadPlanner
from ..driver import Driver, DriverSpec, TrialParts
from . import options


class Rbd(DriverSpec):
    """Loads of images by fio."""

    name = 'rbd'
    title = 'RBD'
    operations: Tuple[Operation, ...] = (
        Operation(
            'rbd-randread', reads=True, cached=True, direct=True, random=True
        ),
        Operation('rbd-randwrite', cached=True, direct=True, random=True),
        Operation('rbd-read', reads=True, cached=True, direct=True),
        Operation('rbd-write', cached=True, direct=True),
        Operation(
            'rbd-randrw', both=True, cached=True, direct=True, random=True
        ),
        Operation('rbd-rw', both=True, cached=True, direct=True),
    )
    options: Options = options.OPTIONS
    # to break the lock of a client that was killed
    mon_caps = 'profile rbd'

    @property
    def planner(self) -> LoadPlanner:
        """Return what plans its loads."""
        # what plans is loaded where plans are made
        from ...planning.rbd.planner import PLANNER

        return PLANNER

    def tool(self, given: Mapping[str, Any]) -> str:
        """Return fio, or `rbd bench` where that was asked for."""
        if given.get(options.RBD_CLIENT.name) == options.BENCH:
            return RbdBench.name
        return self.name

    def tools(self, given: Mapping[str, Any]) -> Tuple[str, ...]:
        """Return fio with its engine, and what makes images."""
        return ('fio', 'fio-engine-rbd', 'rbd')

    def trials(self, parts: TrialParts) -> Driver:
        """Return what makes the jobs of trials."""
        # what makes jobs is loaded where jobs are made
        from .driver import RbdDriver

        return RbdDriver(parts.plan, parts.pools, parts.access)


class RbdBench(Rbd):
    """The same images by `rbd bench`, which comes with Ceph."""

    name = 'rbd-bench'
    operations = ()
    options = ()

    def tools(self, given: Mapping[str, Any]) -> Tuple[str, ...]:
        """Return what makes and loads images."""
        return ('rbd',)


SPEC = Rbd()
BENCH = RbdBench()
