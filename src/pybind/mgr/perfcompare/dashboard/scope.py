"""The security scopes of perfcompare and the system roles that have them.

Whoever may start runs may not therefore make OSDs fail: that takes the scope
`perfcompare-failure` as well, which only the administrator has.
"""

from typing import List

from dashboard.security import Permission, Scope
from dashboard.services.access_control import SYSTEM_ROLES

NAME = 'perfcompare'
FAILURE = 'perfcompare-failure'
FAILURE_ROLES = ('administrator',)
FULL_ROLES = ('administrator', 'cluster-manager')
READ_ROLES = ('pool-manager', 'read-only')
PERMISSIONS = (
    Permission.READ,
    Permission.CREATE,
    Permission.UPDATE,
    Permission.DELETE,
)


def add() -> None:
    """Make the scopes known, and give them to roles, in memory only."""
    Scope.PERFCOMPARE = NAME
    Scope.PERFCOMPARE_FAILURE = FAILURE
    for scope, roles, permissions in (
        (NAME, FULL_ROLES, PERMISSIONS),
        (NAME, READ_ROLES, (Permission.READ,)),
        (FAILURE, FAILURE_ROLES, PERMISSIONS),
    ):
        _grant(scope, roles, list(permissions))


def _grant(
    scope: str, roles: 'tuple[str, ...]', permissions: List[str]
) -> None:
    for name in roles:
        role = SYSTEM_ROLES.get(name)
        if role is not None:
            role.scopes_permissions[scope] = list(permissions)


add()
