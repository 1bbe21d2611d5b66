"""REST: groups."""

from typing import Any, Dict, List, Optional

import errno

from dashboard.controllers import (
    APIDoc,
    APIRouter,
    EndpointDoc,
    ReadPermission,
    RESTController,
)
from dashboard.security import Permission

from . import scope
from .handlers import answering, call, flag, given
from .refusals import Refused, by_errno
from .rest import ABOUT, TAG

FIELDS = {
    'hosts': ([str], 'CRUSH hosts', True),
    'device_class': (str, 'Device class, alone or as a filter', True),
    'watts': (float, 'Power of the whole group in watts', True),
    'price': (float, 'Price of the whole group', True),
    'note': (str, 'Free text', True),
}


@APIRouter('/perfcompare/group', scope.NAME)
@APIDoc(ABOUT, TAG)
class PerfcompareGroup(RESTController):  # noqa: D101
    RESOURCE_ID = 'group'

    @EndpointDoc('List groups, and device classes that can serve as groups')
    @answering
    def list(self) -> Any:
        """Return all groups with their OSDs."""
        return call('group_ls')

    @EndpointDoc('Show a group', parameters={'group': (str, 'Group')})
    @answering
    def get(self, group: str) -> Dict[str, Any]:
        """Return one group."""
        return call('group_show', group=group)  # type: ignore[no-any-return]

    @EndpointDoc(
        'Define a group',
        parameters=dict({'group': (str, 'Name of the group')}, **FIELDS),
    )
    @answering
    def create(
        self,
        group: str,
        hosts: Optional[List[str]] = None,
        device_class: Optional[str] = None,
        watts: Optional[float] = None,
        price: Optional[float] = None,
        note: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Define a group that does not exist yet."""
        if _is_defined(group):
            raise by_errno(
                errno.EEXIST, f'group {group!r} exists; change it with PUT'
            )
        return _set(group, hosts, device_class, watts, price, note)

    @EndpointDoc(
        'Change a group',
        parameters=dict({'group': (str, 'Group')}, **FIELDS),
    )
    @answering
    def set(
        self,
        group: str,
        hosts: Optional[List[str]] = None,
        device_class: Optional[str] = None,
        watts: Optional[float] = None,
        price: Optional[float] = None,
        note: Optional[str] = None,
    ) -> Dict[str, Any]:
        """Change a group, or define it."""
        return _set(group, hosts, device_class, watts, price, note)

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
    @RESTController.Collection('POST', path='/detect')
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


def _is_defined(name: str) -> bool:
    return any(
        entry['spec']['name'] == name and entry['defined']
        for entry in call('group_ls')
    )


def _set(
    group: str,
    hosts: Optional[List[str]],
    device_class: Optional[str],
    watts: Optional[float],
    price: Optional[float],
    note: Optional[str],
) -> Dict[str, Any]:
    return call(  # type: ignore[no-any-return]
        'group_set',
        **given(
            group=group,
            hosts=hosts,
            device_class=device_class,
            watts=watts,
            price=price,
            note=note,
        ),
    )
