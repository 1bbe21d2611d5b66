"""What loads of RBD images are."""

from typing import Any, Mapping, Tuple

from ...common.option import Options
from ...model.load import Operation
from ...planning.loads import LoadPlanner
from ..driver import (
    Background,
    BackgroundParts,
    Driver,
    DriverSpec,
    TrialParts,
)
from . import options


def _operation(name: str, **facts: bool) -> Operation:
    return Operation(name, cached=True, direct=True, recovery=True, **facts)


class Rbd(DriverSpec):
    """Loads of images by fio."""

    name = 'rbd'
    title = 'RBD'
    operations: Tuple[Operation, ...] = (
        _operation('rbd-randread', reads=True, random=True),
        _operation('rbd-randwrite', in_place=True, random=True),
        _operation('rbd-read', reads=True),
        _operation('rbd-write', in_place=True),
        _operation('rbd-randrw', both=True, in_place=True, random=True),
        _operation('rbd-rw', both=True, in_place=True),
    )
    imaged = True
    percentiles = True
    on_load_hosts = True
    divided = True
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

    def background(self, parts: BackgroundParts) -> Background:
        """Return what makes the load beside a recovery."""
        # what makes jobs is loaded where jobs are made
        from .background import RbdBackground

        return RbdBackground(parts)


class RbdBench(Rbd):
    """The same images by `rbd bench`, which comes with Ceph."""

    name = 'rbd-bench'
    operations = ()
    percentiles = False
    on_load_hosts = False
    options = ()

    def tools(self, given: Mapping[str, Any]) -> Tuple[str, ...]:
        """Return what makes and loads images."""
        return ('rbd',)


SPEC = Rbd()
BENCH = RbdBench()
