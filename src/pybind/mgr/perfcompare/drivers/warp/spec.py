"""What loads by MinIO's warp are: S3 loads that another program makes."""

from typing import Any, Mapping, Tuple

from ..driver import DriverSpec
from ..s3.spec import SPEC as S3
from . import options


class Warp(DriverSpec):
    """S3 loads that warp makes, on what our own driver has prepared."""

    name = 'warp'
    title = 'S3'
    timed = False  # warp ends when it likes to
    on_load_hosts = True
    divided = True
    own_clients = True
    options = options.OPTIONS

    def tools(self, given: Mapping[str, Any]) -> Tuple[str, ...]:
        """Return those of gateways, and its own: results are compressed."""
        return (*S3.tools(given), 'warp', 'zstd')


SPEC = Warp()
