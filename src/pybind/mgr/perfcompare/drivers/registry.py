"""The drivers: one line each, after its folder."""

from typing import Dict, Tuple

from ..model import load
from .driver import Driver, DriverSpec, TrialParts
from .rados.spec import SPEC as RADOS
from .rbd.spec import BENCH as RBD_BENCH
from .rbd.spec import SPEC as RBD
from .s3.spec import SPEC as S3
from .warp.spec import SPEC as WARP

DRIVERS: Tuple[DriverSpec, ...] = (RADOS, S3, WARP, RBD, RBD_BENCH)

load.use(DRIVERS)


def drivers(parts: TrialParts) -> Dict[str, Driver]:
    """Return what makes the jobs of trials, by the tool of workloads."""
    found = {
        spec.name: spec.trials(parts)
        for spec in load.specs()
        if isinstance(spec, DriverSpec)
    }
    return {name: made for name, made in found.items() if made is not None}
