"""What loads by `rados bench` are."""

from ...model.load import LoadSpec, Operation


class Rados(LoadSpec):
    """Loads of RADOS objects."""

    name = 'rados'
    title = 'RADOS'
    operations = (
        Operation('write', recovery=True),
        Operation('rand', reads=True, cached=True, recovery=True),
        Operation('seq', reads=True, cached=True),
    )


SPEC = Rados()
