"""What loads by MinIO's warp are: S3 loads that another program makes."""

from ...model.load import LoadSpec
from . import options


class Warp(LoadSpec):
    """S3 loads that warp makes, on what our own driver has prepared."""

    name = 'warp'
    title = 'S3'
    options = options.OPTIONS


SPEC = Warp()
