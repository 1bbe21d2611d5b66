"""What loads through S3 gateways are."""

from typing import Any, Mapping, Tuple

from ...model.load import Operation
from ...model.s3_gateways import EXISTING, ORCH
from ...planning.loads import LoadPlanner
from ..driver import Background, BackgroundParts, DriverSpec
from . import options


class S3(DriverSpec):
    """Loads of S3 objects, through gateways."""

    name = 's3'
    title = 'S3'
    on_load_hosts = True
    divided = True
    own_clients = True
    percentiles = True
    operations = (
        Operation('s3-put', open_loop=True, weighted=True, recovery=True),
        Operation(
            's3-get',
            reads=True,
            open_loop=True,
            weighted=True,
            prefilled=True,
            recovery=True,
            cached=True,
            cached_if_asked=True,
        ),
        Operation(
            's3-stat',
            reads=True,
            open_loop=True,
            weighted=True,
            prefilled=True,
        ),
        # in bursts, which hosts would have to begin together
        Operation('s3-delete', weighted=True, takes=True, alone=True),
        Operation(
            's3-mixed',
            open_loop=True,
            weighted=True,
            prefilled=True,
            both=True,
            recovery=True,
        ),
        Operation(
            's3-range',
            reads=True,
            open_loop=True,
            weighted=True,
            prefilled=True,
            cached=True,
            cached_if_asked=True,
        ),
        Operation(
            's3-list',
            reads=True,
            open_loop=True,
            weighted=True,
            prefilled=True,
        ),
        Operation('s3-overwrite', open_loop=True, weighted=True),
        Operation('s3-multidelete', weighted=True, takes=True, alone=True),
        Operation(
            's3-multipart',
            open_loop=True,
            weighted=True,
            # in parts, of which no more is held in memory
            max_size=5 << 30,
        ),
        Operation('s3-copy', open_loop=True, weighted=True),
    )
    options = options.OPTIONS
    max_size = 256 << 20  # a gateway writes objects in stripes
    max_concurrency = 2000

    @property
    def planner(self) -> LoadPlanner:
        """Return what plans its loads."""
        # what plans is loaded where plans are made
        from ...planning.s3.planner import PLANNER

        return PLANNER

    def tools(self, given: Mapping[str, Any]) -> Tuple[str, ...]:
        """Return the programs of gateways, where the run makes them."""
        source = given.get(options.GATEWAY_SOURCE.name)
        found: Tuple[str, ...] = ()
        if source == ORCH:
            found = ('radosgw-admin',)
        elif source != EXISTING:
            found = ('radosgw', 'radosgw-admin')
        if given.get(options.S3_TLS.name):
            found += ('openssl',)
        return found

    def background(self, parts: BackgroundParts) -> Background:
        """Return what makes the load beside a recovery."""
        # what makes jobs is loaded where jobs are made
        from .background import make

        return make(parts)


SPEC = S3()
