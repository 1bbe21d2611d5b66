"""The kinds of faults; importing this registers all of them."""

from . import (  # noqa: F401
    capacity,
    clocks,
    daemons,
    hosts,
    loads,
    managers,
    operators,
    orders,
    upgrades,
)
