"""REST: groups."""

from typing import Any

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    EndpointDoc,
    ReadPermission,
)
from dashboard.security import Permission

from . import scope
from .bodies import GROUP, taking
from .controller import Controller
from .handlers import answering, call, flag, given
from .refusals import Refused
from .rest import ABOUT, TAG


@APIRouter('/perfcompare/group', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareGroup(Controller):  # noqa: D101
    RESOURCE_ID = 'group'

    @EndpointDoc('List groups, and device classes that can serve as groups')
    @answering
    def list(self) -> Any:
        """Return all groups with their OSDs."""
        return call('group_ls')

    @EndpointDoc('Show a group', parameters={'group': (str, 'Group')})
    @answering
    def get(self, group: str) -> Any:
        """Return one group."""
        return call('group_show', group=group)

    @EndpointDoc(
        'Define a group',
        parameters=dict({'group': (str, 'Name of the group')}, **GROUP),
    )
    @answering
    @taking(GROUP)
    def create(self, group: str, **fields: Any) -> Any:
        """Define a group that does not exist yet."""
        return call('group_create', **given(group=group, **fields))

    @EndpointDoc(
        'Change a group',
        parameters=dict({'group': (str, 'Group')}, **GROUP),
    )
    @answering
    @taking(GROUP)
    def set(self, group: str, **fields: Any) -> Any:
        """Change a group, or define it."""
        return call('group_set', **given(group=group, **fields))

    @EndpointDoc(
        'Remove the definition of a group; OSDs are not touched',
        parameters={'group': (str, 'Group')},
    )
    @answering
    def delete(self, group: str) -> Any:
        """Remove a group."""
        return call('group_rm', group=group)

    @EndpointDoc(
        "Propose groups by the architecture of the OSDs' hosts",
        parameters={'apply': (bool, 'Define them, too', True)},
    )
    @Controller.Collection('POST', path='/detect')
    @ReadPermission
    @answering
    def detect(self, apply: bool = False) -> Any:
        """Return the proposals; to apply them needs more than reading."""
        wanted = flag('apply', apply)
        if wanted and not self._has_permissions(Permission.CREATE):
            raise Refused(
                403, 'you are not permitted to define groups: apply is true'
            )
        return call('group_detect', apply=wanted)
