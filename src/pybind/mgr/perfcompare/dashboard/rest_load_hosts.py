"""REST: load hosts. Keys of agents come out of the command alone."""

from typing import Any

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    EndpointDoc,
)

from . import scope
from .controller import Controller
from .handlers import answering, call, flag
from .rest import ABOUT, TAG

HOST = {'host': (str, 'Load host')}


@APIRouter('/perfcompare/load-host', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareLoadHost(Controller):  # noqa: D101
    RESOURCE_ID = 'host'

    @EndpointDoc('List load hosts: state, last seen, versions, clock')
    @answering
    def list(self) -> Any:
        """Return all load hosts."""
        return call('load_host_ls')

    @EndpointDoc('Check whether a load host can make load', parameters=HOST)
    @answering
    def get(self, host: str) -> Any:
        """Return a load host, and what was found of it."""
        return call('load_host_check', host=host)

    @EndpointDoc(
        'Let a load host make load, or end what it does and let it do '
        'nothing',
        parameters={**HOST, 'enabled': (bool, 'Whether it may make load')},
    )
    @answering
    def set(self, host: str, enabled: bool) -> Any:
        """Enable or disable a load host; return it."""
        return call(
            'load_host_enable', host=host, enabled=flag('enabled', enabled)
        )

    @EndpointDoc('Shut a load host out, and remove its key', parameters=HOST)
    @answering
    def delete(self, host: str) -> Any:
        """Forget a load host; its load ends."""
        return call('load_host_rm', host=host)
