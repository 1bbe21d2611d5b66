"""What is asked of a gateway before a load needs it: does it do so at all?"""

from typing import Callable, Tuple

import re
import time

from ...runtime.failure import Failure
from ...wire.s3_spec import Endpoint, Target
from . import addressing
from .bucket import Client, described
from .checksums import ALGORITHMS
from .chunks import Form
from .extras import Extras
from .keys import Key
from .payload import Payload

SIZE = 4096
_BUCKET = re.compile(rb'<BucketName>([^<]{0,255})</BucketName>')
_ENCRYPTED = re.compile(
    rb'(?i)\r\nx-amz-server-side-encryption(?:-customer-algorithm)?:'
    rb'[ \t]*AES256'
)


def hosted(client: Client, endpoint: Endpoint, bucket: str) -> None:
    """See that a gateway takes a host's name for that of a bucket.

    One with other names would make a bucket that nobody removes, or none.
    Raises Failure where it does not.
    """
    status, text = client.request('GET', f'/{bucket}', query='location=')
    meant = _BUCKET.search(text)
    if status == 200 and b'LocationConstraint' in text:
        return  # it is there, which is for others to judge
    if status == 404 and (meant is None or meant.group(1) == bucket.encode()):
        return
    raise Failure(
        'access',
        f'{endpoint.url()} does not take host '
        f'{endpoint.named(bucket)!r} for a bucket '
        f'({described(status, text) or status}): is {endpoint.domain!r} its '
        'rgw_dns_name?',
    )


def checksums(
    target: Target,
    endpoint: Endpoint,
    path: str,
    name: str,
    signed: bool,
    left: Callable[[], float],
) -> None:
    """See that a gateway verifies checksums behind contents.

    Writes an object to ``path`` and removes it. Raises Failure where the
    gateway refuses the checksum, stores other bytes, or takes a wrong one.
    """
    client = Client(target, endpoint, left)
    algorithm = ALGORITHMS[name]
    form = Form(algorithm, signed or not endpoint.tls)
    signer = addressing.signer(target, endpoint)
    payload = Payload(0)
    key = Key(path.encode(), 0, SIZE)
    content = payload.content(0, SIZE)
    right = algorithm.update(content, 0)

    def put(value: int) -> Tuple[int, bytes]:
        signer.tick(time.time())
        headers, plain = form.headers(SIZE)
        head = signer.full(
            b'PUT', key.path, b'', headers, plain, form.payload
        )
        pieces = form.pieces(
            payload, key, head, signer, algorithm.text(value)
        )
        return client.send(b''.join(pieces))

    status, text = put(right)
    if status != 200:
        raise Failure(
            'access',
            f'{endpoint.url()} takes no {algorithm.name} behind contents: '
            + described(status, text),
        )
    try:
        if client.request('GET', path) != (200, content):
            raise Failure(
                'access',
                f'{endpoint.url()} stores other bytes than were sent with '
                f'{algorithm.name} behind them',
            )
        if put(right ^ 1)[0] == 200:
            raise Failure(
                'access',
                f'{endpoint.url()} does not verify {algorithm.name}: it took '
                'an object with a wrong one',
            )
    finally:
        client.request('DELETE', path)
        client.close()


def stores(
    target: Target,
    endpoint: Endpoint,
    path: str,
    encryption: str,
    tags: int,
    extras: Extras,
    left: Callable[[], float],
) -> None:
    """See that a gateway encrypts and tags an object as it is asked to.

    Raises Failure where it refuses, or does as if it had.
    """
    client = Client(target, endpoint, left)
    what = ' and '.join(
        ([encryption.upper()] if encryption else [])
        + ([f'{tags} tags'] if tags else [])
    )

    def need(good: bool, why: str) -> None:
        if not good:
            raise Failure('access', f'{endpoint.url()} {why}')

    try:
        content = b'x' * SIZE
        status, text = client.request(
            'PUT', path, content, extra=extras.client('writes')
        )
        need(
            status == 200,
            f'takes no object with {what}: {described(status, text)}',
        )
        status, text = client.request(
            'GET', path, extra=extras.client('reads')
        )
        need(
            status == 200 and text == content,
            f'gives no object with {what}: {described(status, text)}',
        )
        if encryption:
            need(
                _ENCRYPTED.search(client.raw) is not None,
                f'does not say that it encrypted by {encryption.upper()}',
            )
        if extras.reads:
            need(
                client.request('GET', path)[0] >= 400,
                'gives what it should have encrypted without its key',
            )
        if tags:
            status, text = client.request('GET', path, query='tagging=')
            need(
                status == 200 and text.count(b'<Tag>') == tags,
                f'does not keep {tags} tags: {described(status, text)}',
            )
    finally:
        client.request('DELETE', path)
        client.close()
