"""Which runs a list holds, and in which order."""

from typing import Any, Dict, List, Optional, Tuple

NEWEST = 'newest'
_THEN = 'created DESC, num DESC'
# what a list may be sorted by, and its SQL
ORDERS: Dict[str, str] = {
    NEWEST: _THEN,
    'oldest': 'created, num',
    # one that has not ended has no length yet
    'longest': f'coalesce(ended - started, -1) DESC, {_THEN}',
    'largest': f'bytes DESC, {_THEN}',
    'state': f'state, {_THEN}',
    'label': f"label = '', label COLLATE NOCASE, {_THEN}",
}
_TEXT = (
    "lower(id || ' ' || label || ' ' || state || ' ' || profile || ' ' || "
    "groups || ' ' || origin || ' ' || reason || ' ' || "
    "coalesce(workloads, ''))"
)


def matching(group: Optional[str], find: str) -> Tuple[str, List[Any]]:
    """Return the condition of a query, and its values."""
    where: List[str] = []
    values: List[Any] = []
    if group is not None:
        # groups are a list in JSON, whose names need no escapes
        where.append('instr(groups, ?) > 0')
        values.append(f'"{group}"')
    for word in find.split():
        where.append(f'instr({_TEXT}, lower(?)) > 0')
        values.append(word)
    return ' AND '.join(where) or '1', values
