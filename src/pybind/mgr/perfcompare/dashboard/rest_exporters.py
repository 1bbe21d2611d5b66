"""REST: where figures of hosts come from, and what it takes to read them.

Credentials go in, and never come out.
"""

from typing import Any

import json

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    EndpointDoc,
)

from . import scope
from .bodies import Fields, taking
from .controller import Controller
from .handlers import answering, call, given
from .rest import ABOUT, TAG

# the dashboard's audit log shows no field with `password` in its name
ACCESS: Fields = {
    'ca': (str, 'Who signed the certificates, as PEM', True),
    'username': (str, 'User of the exporters', True),
    'password': (str, 'Password of that user', True),
    'prometheus_username': (str, 'User of the Prometheus server', True),
    'prometheus_password': (str, 'Password of that user', True),
}


@APIRouter('/perfcompare/exporter', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareExporter(Controller):  # noqa: D101
    @EndpointDoc('List where figures of hosts come from, and who answers')
    @answering
    def list(self) -> Any:
        """Return the exporter of each host, and what access is set."""
        return call('exporters')

    @EndpointDoc('Keep CA and credentials of exporters', parameters=ACCESS)
    @Controller.Collection('PUT', path='/access')
    @answering
    @taking(ACCESS)
    def save(self, **fields: Any) -> Any:
        """Keep these, the others as they are; return which are set."""
        return call('exporter_set', keys=json.dumps(given(**fields)))

    @EndpointDoc('Forget CA and credentials of exporters')
    @Controller.Collection('DELETE', path='/access')
    @answering
    def forget(self) -> Any:
        """Forget all of it."""
        return call('exporter_rm')
