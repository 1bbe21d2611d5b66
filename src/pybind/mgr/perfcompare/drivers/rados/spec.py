"""What loads by `rados bench` are."""

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


class Rados(DriverSpec):
    """Loads of RADOS objects."""

    name = 'rados'
    title = 'RADOS'
    on_load_hosts = True
    divided = True
    operations = (
        Operation('write', recovery=True, direct=True),
        Operation(
            'rand', reads=True, cached=True, recovery=True, direct=True
        ),
        Operation(
            'seq', reads=True, cached=True, sequential=True, direct=True
        ),
    )

    options = options.OPTIONS

    @property
    def planner(self) -> LoadPlanner:
        """Return what plans its loads."""
        # what plans is loaded where plans are made
        from ...planning.rados.planner import PLANNER

        return PLANNER

    def trials(self, parts: TrialParts) -> Driver:
        """Return what makes the jobs of trials."""
        from .driver import RadosDriver

        return RadosDriver(parts.plan, parts.pools, parts.access)

    def background(self, parts: BackgroundParts) -> Background:
        """Return what makes the load beside a recovery."""
        # what makes jobs is loaded where jobs are made
        from .background import RadosBackground

        return RadosBackground(parts)


SPEC = Rados()
