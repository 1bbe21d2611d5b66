"""Stand in for the libcephfs binding: names looked up at import."""


class Error(Exception):
    """Be the base of libcephfs' errors."""


class LibCephFS:
    """Be a name for annotations."""
