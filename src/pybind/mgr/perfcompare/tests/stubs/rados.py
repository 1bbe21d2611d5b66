"""Stand in for the librados binding: names that are looked up at import."""


class Error(Exception):
    """Be the base of librados' errors."""


class OSError(Error):  # noqa: A001
    """Carry an errno, as the binding's own."""

    def __init__(self, message: str, errno: int = 0) -> None:
        super().__init__(message)
        self.errno = errno


class ObjectNotFound(OSError):
    """Say that an object or a pool does not exist."""


class TimedOut(OSError):
    """Say that a command was not answered in time."""


class Rados:
    """Refuse to connect: unit tests have no cluster."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        raise OSError('unit tests have no cluster')
