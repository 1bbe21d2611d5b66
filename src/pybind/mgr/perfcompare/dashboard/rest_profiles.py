"""REST: profiles."""

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

PROFILE = {'profile': (str, 'Profile')}
TEXT = {'text': (str, 'YAML text, as `profile export` prints one')}


@APIRouter('/perfcompare/profile', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareProfile(Controller):  # noqa: D101
    RESOURCE_ID = 'profile'

    @EndpointDoc('List the profiles')
    @answering
    def list(self) -> Any:
        """Return all profiles with their workloads."""
        return call('profile_ls')

    @EndpointDoc('Show a profile', parameters=PROFILE)
    @answering
    def get(self, profile: str) -> Any:
        """Return one profile."""
        return call('profile_show', profile=profile)

    @EndpointDoc(
        'Define a profile',
        parameters=dict({'profile': (str, 'Name of the profile')}, **TEXT),
    )
    @answering
    def create(self, profile: str, text: str) -> Any:
        """Define a profile that does not exist yet."""
        return call('profile_create', profile=profile, text=text)

    @EndpointDoc('Change a profile', parameters=dict(PROFILE, **TEXT))
    @answering
    def set(self, profile: str, text: str) -> Any:
        """Change a profile, or define it; built-in ones stay."""
        return call('profile_set', profile=profile, text=text)

    @EndpointDoc('Return the text of a profile', parameters=PROFILE)
    @Controller.Resource('GET', path='/export')
    @answering
    def export(self, profile: str) -> Any:
        """Return name and YAML text, of built-in profiles too."""
        return call('profile_export', profile=profile)

    @EndpointDoc(
        'Remove a profile; runs keep what they ran', parameters=PROFILE
    )
    @answering
    def delete(self, profile: str) -> Any:
        """Remove a profile that is not built in."""
        return call('profile_rm', profile=profile)
