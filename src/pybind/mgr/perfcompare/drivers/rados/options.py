"""The options of RADOS loads."""

from ...common.option import Options
from ...planning.probe import PROBE_RATE

OPTIONS: Options = (PROBE_RATE,)
