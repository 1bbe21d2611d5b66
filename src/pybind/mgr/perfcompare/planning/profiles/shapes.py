"""What some kinds of load have of their own: shapes of their operations.

A profile's entry and a run's options say what is wished; a workload has
what of that is for its operation.
"""

from typing import Any, Mapping, NamedTuple, Optional, Sequence

import dataclasses

from ...common.errors import InvalidArgument
from ...model.plan import RunOptions
from ...model.workload import Op, RbdShape, S3Shape, Workload
from ..rbd import shape as rbd
from ..s3 import naming, refusals
from ..s3 import shape as s3
from ..sizes import Sizes

FIELDS = ('s3', 'rbd')  # of a workload


class Wish(NamedTuple):
    """Hold what is wished of each kind."""

    s3: S3Shape = S3Shape()
    rbd: RbdShape = RbdShape()


class Shapes(NamedTuple):
    """Hold what an operation has; at most one is not None."""

    s3: Optional[S3Shape] = None
    rbd: Optional[RbdShape] = None

    @property
    def suffix(self) -> str:
        """Return what a workload's name says of it."""
        return naming.suffix(self.s3) + rbd.suffix(self.rbd)


def keys(op: Any) -> Sequence[str]:
    """Return the keys that an entry can have besides those of all loads.

    ``op`` is as it stands in the entry, one or a list.
    """
    named = op if isinstance(op, list) else [op]
    images = any(rbd.shaped(Op(n)) for n in named if n in Op.known())
    return (*s3.KEYS, *rbd.KEYS) if images else s3.KEYS


def wished(values: Mapping[str, Any], where: str) -> Wish:
    """Return what keys of a profile's entry ask for; InvalidArgument."""
    return Wish(s3.wished(values, where), rbd.wished(values, where))


def of_options(options: RunOptions) -> Wish:
    """Return what the options of a run ask for; InvalidArgument."""
    given = {key: options.driver(key) for key in rbd.KEYS}
    return Wish(s3.of_options(options), rbd.wished(given, '', '--'))


def over(base: Optional[Workload], new: Wish) -> Wish:
    """Return a wish in which ``new`` values replace those of ``base``."""
    return Wish(
        s3.over(base.s3 if base else None, new.s3),
        rbd.over(base.rbd if base else None, new.rbd),
    )


def at_rate(wish: Wish, rate: Optional[float]) -> Wish:
    """Return a wish for images that are loaded at a rate; None: without."""
    return wish._replace(
        rbd=dataclasses.replace(wish.rbd, rate=float(rate or 0.0))
    )


def fit(
    op: Op, size: int, smallest: int, wish: Wish, rate: Optional[float]
) -> Shapes:
    """Return what of a wish is for an operation."""
    return Shapes(
        s3.fit(op, smallest, wish.s3, rate) if s3.shaped(op) else None,
        rbd.fit(op, size, wish.rbd),
    )


def own_sizes(op: Op, wish: Wish) -> Optional[Sizes]:
    """Return the sizes that a wish has of its own; None: it has none."""
    return s3.own_sizes(op, wish.s3)


def clients(op: Op, given: int, wish: Wish) -> int:
    """Return the processes of a workload: of images each has one."""
    return (wish.rbd.images if rbd.shaped(op) else 0) or given


def check_used(options: RunOptions, made: Sequence[Workload]) -> None:
    """Raise InvalidArgument for an option that no workload takes."""
    refusals.check_used(options, made)


def unused(entry: Mapping[str, Any], made: Sequence[Workload]) -> str:
    """Return a key of a profile's entry that no workload of it takes.

    '' where each is taken.
    """
    if entry.get('cache') is not None and not any(w.cache for w in made):
        return 'cache'
    for key in s3.KEYS:
        if entry.get(key) is not None:
            try:
                check_used(RunOptions.of(**{key: entry[key]}), made)
            except InvalidArgument:
                return key
    return ''


def describe(workload: Workload) -> str:
    """Return a workload's shape for people, '' where all is as ever."""
    return naming.describe(workload) or rbd.describe(workload)
