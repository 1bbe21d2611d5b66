"""REST: profiles."""

from typing import Any

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    EndpointDoc,
    RESTController,
)

from . import scope
from .handlers import answering, call
from .rest import ABOUT, TAG


@APIRouter('/perfcompare/profile', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareProfile(RESTController):  # noqa: D101
    RESOURCE_ID = 'profile'

    @EndpointDoc('List the profiles')
    @answering
    def list(self) -> Any:
        """Return all profiles with their workloads."""
        return call('profile_ls')

    @EndpointDoc('Show a profile', parameters={'profile': (str, 'Profile')})
    @answering
    def get(self, profile: str) -> Any:
        """Return one profile."""
        return call('profile_show', profile=profile)
