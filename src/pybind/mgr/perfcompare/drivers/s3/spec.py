"""What loads through S3 gateways are."""

from ...model.load import LoadSpec, Operation
from . import options


class S3(LoadSpec):
    """Loads of S3 objects, through gateways."""

    name = 's3'
    title = 'S3'
    operations = (
        Operation('s3-put', open_loop=True, weighted=True, recovery=True),
        Operation(
            's3-get',
            reads=True,
            open_loop=True,
            weighted=True,
            prefilled=True,
            recovery=True,
        ),
        Operation(
            's3-stat',
            reads=True,
            open_loop=True,
            weighted=True,
            prefilled=True,
        ),
        Operation('s3-delete', weighted=True),
        Operation(
            's3-mixed',
            open_loop=True,
            weighted=True,
            prefilled=True,
            both=True,
            recovery=True,
        ),
        Operation(
            's3-range',
            reads=True,
            open_loop=True,
            weighted=True,
            prefilled=True,
        ),
        Operation(
            's3-list',
            reads=True,
            open_loop=True,
            weighted=True,
            prefilled=True,
        ),
        Operation('s3-overwrite', open_loop=True, weighted=True),
        Operation('s3-multidelete', weighted=True),
        Operation('s3-multipart', open_loop=True, weighted=True),
        Operation('s3-copy', open_loop=True, weighted=True),
    )
    options = options.OPTIONS


SPEC = S3()
