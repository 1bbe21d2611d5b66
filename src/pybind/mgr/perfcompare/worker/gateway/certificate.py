"""A certificate for the gateways of one run, which only its client trusts."""

from typing import List, NamedTuple

from ..runtime.context import Context
from ..runtime.failure import Failure, one_line

DAYS = 15  # longer than any run
LIMIT = 30.0  # seconds


class Certificate(NamedTuple):
    """Name the files of a certificate and of its key."""

    path: str
    key: str


def command(program: str, address: str, made: Certificate) -> List[str]:
    """Return what makes a self-signed certificate for an address."""
    return [
        program,
        'req',
        '-x509',
        '-newkey',
        'rsa:2048',
        '-nodes',
        '-days',
        str(DAYS),
        '-subj',
        '/CN=perfcompare gateway',
        '-addext',
        f'subjectAltName=IP:{address}',
        '-keyout',
        made.key,
        '-out',
        made.path,
    ]


def make(program: str, address: str, context: Context) -> Certificate:
    """Make key and certificate in the worker's private folder."""
    made = Certificate(context.path('rgw.crt'), context.path('rgw.key'))
    child = context.children.start('openssl', command(program, address, made))
    left = LIMIT
    while child.poll() is None:
        context.pause(0.05)
        left -= 0.05
        if left <= 0:
            child.kill()
            raise Failure('gateway', f'{program} hangs: {LIMIT:g} s')
    code = child.poll()
    if code == 127:
        raise Failure(
            'tool',
            f'program {program!r} was not found: install the package '
            'openssl on this host, or leave out --s3-tls',
        )
    if code:
        raise Failure(
            'gateway',
            f'no certificate was made: {one_line(child.errors())}',
        )
    return made
