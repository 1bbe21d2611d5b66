"""The job of a trial that warp makes."""

import dataclasses

from .jobs import KINDS
from .s3_jobs import S3Trial
from .strict import Malformed


@dataclasses.dataclass(frozen=True)
class WarpTrial(S3Trial):
    """Measure as S3Trial does, with program ``warp`` as the load generator."""

    warp: str = 'warp'
    # of the deadline: seconds that are kept to read what it wrote
    reading: float = 0.0
    tool = 'warp'

    def check(self) -> None:
        """Raise Malformed for what warp cannot do."""
        super().check()
        if self.rate:
            raise Malformed('warp has no open loop: leave the rate out')
        if self.deletes_only:
            raise Malformed('warp runs deletes in mixes only')
        if len(self.sizes) > 1 or len(self.write_sizes) > 1:
            raise Malformed('warp has no weighted sizes')
        if not 0 <= self.reading < self.deadline:
            raise Malformed(f'{self.reading:g} s to read what warp wrote')
        if not self.warp or self.warp.startswith('-'):
            raise Malformed(f'{self.warp!r} is not a program')


KINDS['warp-trial'] = WarpTrial
