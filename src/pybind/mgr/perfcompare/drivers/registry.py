"""The drivers: one line each, after its folder."""

from typing import Tuple

from ..model import load
from .rados.spec import SPEC as RADOS
from .s3.spec import SPEC as S3
from .warp.spec import SPEC as WARP

DRIVERS: Tuple[load.LoadSpec, ...] = (RADOS, S3, WARP)

load.use(DRIVERS)
