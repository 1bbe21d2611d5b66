"""Remove stored results, by work that may be repeated."""

from typing import Callable, List

from ..common.errors import NotFound
from ..store.results import Store

PATIENCE = 60.0  # seconds; a large run is many pages


def removing(
    find: Callable[[Store], object], remove: Callable[[Store], None]
) -> Callable[[Store], None]:
    """Return work that finds something and removes it.

    It may be repeated after an error of the connection, when nobody knows
    whether the removal arrived: that it is gone then is what was wanted.
    Raises NotFound only for what was not there at first.
    """
    found: List[object] = []

    def work(store: Store) -> None:
        try:
            found.append(find(store))
            remove(store)
        except NotFound:
            if not found:
                raise

    return work
