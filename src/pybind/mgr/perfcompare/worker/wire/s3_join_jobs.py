"""The job that joins what several hosts measured of one S3 trial."""

from typing import Tuple

import dataclasses

from .jobs import KINDS
from .join_jobs import Results
from .s3_spec import OPS, Details
from .strict import Malformed


@dataclasses.dataclass(frozen=True)
class S3Join(Results):
    """Add up what generators did in the window that all hosts share."""

    mix: Tuple[float, ...] = ()
    rate: float = 0.0  # operations/s of all hosts; 0: closed loop
    details: Details = Details()
    urls: Tuple[str, ...] = ()  # of the endpoints
    nice: int = 0
    tool: str = 's3'  # that made the load

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        super().check()
        self.details.check()
        if not 4 <= len(self.mix) <= len(OPS) or self.rate < 0:
            raise Malformed('no mix, or no rate')
        if not self.urls:
            raise Malformed('no endpoint is given')


KINDS['s3-join'] = S3Join
