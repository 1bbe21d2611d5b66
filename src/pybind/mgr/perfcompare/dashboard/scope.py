"""The security scope `perfcompare` and the system roles that have it."""

from typing import List

from dashboard.security import Permission, Scope
from dashboard.services.access_control import SYSTEM_ROLES

NAME = 'perfcompare'
FULL_ROLES = ('administrator', 'cluster-manager')
READ_ROLES = ('pool-manager', 'read-only')
PERMISSIONS = (
    Permission.READ,
    Permission.CREATE,
    Permission.UPDATE,
    Permission.DELETE,
)


def add() -> None:
    """Make the scope known, and give it to the roles, in memory only."""
    Scope.PERFCOMPARE = NAME
    for roles, permissions in (
        (FULL_ROLES, list(PERMISSIONS)),
        (READ_ROLES, [Permission.READ]),
    ):
        _grant(roles, permissions)


def _grant(roles: 'tuple[str, ...]', permissions: List[str]) -> None:
    for name in roles:
        role = SYSTEM_ROLES.get(name)
        if role is not None:
            role.scopes_permissions[NAME] = list(permissions)


add()
