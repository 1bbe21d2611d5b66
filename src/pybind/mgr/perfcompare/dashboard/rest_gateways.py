"""REST: S3 gateways of operators; to set them takes the CLI and its file."""

from typing import Any

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    EndpointDoc,
)

from . import scope
from .controller import Controller
from .handlers import answering, call
from .rest import ABOUT, TAG


@APIRouter('/perfcompare/gateways', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareGateways(Controller):  # noqa: D101
    RESOURCE_ID = 'group'

    @EndpointDoc('List the S3 gateways that are set for groups')
    @answering
    def list(self) -> Any:
        """Return addresses and placement of each group, without keys."""
        return call('gateways_ls')
