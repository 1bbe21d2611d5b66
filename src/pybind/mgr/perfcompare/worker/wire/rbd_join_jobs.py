"""The job that joins what several hosts measured of one trial on images."""

from typing import Dict, Tuple

import dataclasses

from .jobs import KINDS
from .join_jobs import Results
from .strict import Malformed


@dataclasses.dataclass(frozen=True)
class RbdJoin(Results):
    """Add up what fio did in the time in which all images were measured."""

    sizes: Dict[str, int] = dataclasses.field(default_factory=dict)
    # bytes of an operation of each direction, 'read' or 'write'
    rate: float = 0.0  # operations/s of all hosts; 0: as fast as it goes
    images: Tuple[str, ...] = ()
    nice: int = 0

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        super().check()
        if not self.sizes or not {'read', 'write'} >= set(self.sizes):
            raise Malformed(f'{sorted(self.sizes)!r} are no directions')
        if min(self.sizes.values()) <= 0 or self.rate < 0:
            raise Malformed('operations of no bytes, or no rate')
        if len(set(self.images)) != len(self.images) or not self.images:
            raise Malformed('no image is named, or one twice')


KINDS['rbd-join'] = RbdJoin
