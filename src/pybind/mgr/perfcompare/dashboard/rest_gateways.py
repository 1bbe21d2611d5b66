"""REST: S3 gateways of operators. Keys go in, and never come out."""

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

GROUP = {'group': (str, 'Group')}
# what is required stands first; the dashboard's audit log shows no field
# with `secret` in its name
FIELDS: Fields = {
    'endpoints': ([str], 'http://<host>:<port> of each gateway'),
    'access_key': (str, 'Access key of an S3 user'),
    'secret_key': (str, 'Secret key of that user'),
    'ca': (str, 'Who signed the certificates, as PEM', True),
    'placement': (str, "Placement target; the user's if absent", True),
    'region': (str, 'Region; us-east-1 if absent', True),
    'dns_name': (str, 'Name in which buckets are hosts, if any', True),
}
KEYS = ('access_key', 'secret_key', 'ca')


@APIRouter('/perfcompare/gateways', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareGateways(Controller):  # noqa: D101
    RESOURCE_ID = 'group'

    @EndpointDoc('List the S3 gateways that are set for groups')
    @answering
    def list(self) -> Any:
        """Return addresses and placement of each group, without keys."""
        return call('gateways_ls')

    @EndpointDoc(
        'Set the S3 gateways that serve a group',
        parameters={**GROUP, **FIELDS},
    )
    @answering
    @taking(FIELDS)
    def set(self, group: str, **fields: Any) -> Any:
        """Keep where they are and the keys; return it without keys."""
        keys = {name: fields.pop(name, None) for name in KEYS}
        return call(
            'gateways_set',
            group=group,
            keys=json.dumps(given(**keys)),
            **given(**fields),
        )

    @EndpointDoc(
        'Forget the S3 gateways of a group, and their keys', parameters=GROUP
    )
    @answering
    def delete(self, group: str) -> Any:
        """Forget addresses and keys; the gateways stay as they are."""
        return call('gateways_rm', group=group)
