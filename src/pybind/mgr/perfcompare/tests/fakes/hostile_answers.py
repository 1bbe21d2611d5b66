"""Modes of the hostile gateway that say that work was done, and lie."""

from typing import Any, Callable, Dict, List, Tuple

import random

from .hostile_asked import (
    STEPS,
    TAG,
    UPLOADED,
    XML,
    deleted,
    listed,
    names,
    wrapped,
)

LATE = b'<Error><Code>InternalError</Code><Message>x</Message></Error>'
DONE = b'CompleteMultipartUploadResult'
DELETING = ('multidelete', 'many')  # mixes that remove objects
Mode = Callable[[Any], bool]
Keep = Callable[..., Callable[[Mode], Mode]]


def _lie(content: bytes, more: bytes = b'', status: int = 200) -> Mode:
    def serve(talk: Any) -> bool:
        talk.body()
        talk.send(talk.answer(content, more, status=status))
        return False

    return serve


def _named(make: Callable[[Any], bytes]) -> Mode:
    def serve(talk: Any) -> bool:
        talk.body()
        talk.send(talk.answer(make(talk)))
        return False

    return serve


def add(mode: Keep) -> None:
    """Make the modes known, each by the operation that it is for."""

    lies: Dict[str, List[Tuple[str, Mode]]] = {}

    def put(name: str, serve: Mode, says: str, aim: str) -> None:
        serve.__name__ = name
        lies.setdefault(aim, []).append((says, serve))

    _add(put)
    for aim, found in lies.items():
        ops = 'multipart' if aim in (*STEPS, 'complete') else aim
        more = {'size': UPLOADED} if ops == 'multipart' else {}
        if aim == 'put':
            more['verify'] = 1.0
        mode('|'.join(says for says, _ in found), ops=ops, aim=aim, **more)(
            _any_of(aim, [serve for _, serve in found])
        )


def _any_of(aim: str, lies: List[Mode]) -> Mode:
    def serve(talk: Any) -> bool:
        return random.choice(lies)(talk)

    serve.__name__ = f'lies_{aim}'
    return serve


def _add(put: Callable[..., None]) -> None:
    for ops, root, says in (
        ('copy', b'CopyObjectResult', 'not copied'),
        ('multidelete', b'DeleteResult', 'objects stay|not an answer.*'),
        ('list', b'ListBucketResult', 'not a listing'),
        ('complete', DONE, 'not completed'),
    ):
        right = TAG if ops != 'list' else b''
        for name, content in (
            ('error', XML + LATE),
            ('late_error', XML + b' ' * 70000 + LATE),
            ('error_within', wrapped(root, right + LATE)),
            ('nothing', b''),
            ('page', b'<html><body>It works!</body></html>'),
            ('cut', wrapped(root, right)[:-9]),
            ('flood', wrapped(root, right + b' ' * (5 << 20))),
        ):
            put(f'{ops}_{name}', _lie(content), says, ops)
        lie = _lie(wrapped(root, right), status=202)
        put(f'{ops}_accepted', lie, '202', ops)
    # a radosgw whose copy failed after its head was sent
    put(
        'copy_without_etag',
        _lie(wrapped(b'CopyObjectResult', b'<Progress>4096</Progress>')),
        'not copied',
        'copy',
    )
    _batches(put)
    _pages(put)
    _ranges(put)
    _uploads(put)
    lie = _lie(b'', b'ETag: "%b"\r\n' % (b'0' * 32))
    put('wrong_etag', lie, 'wrong ETag', 'put')


def _batches(put: Callable[..., None]) -> None:
    def denied(talk: Any) -> bytes:
        first, *rest = names(talk)
        row = b'<Error><Key>%b</Key><Code>AccessDenied</Code></Error>' % first
        return deleted(tuple(rest), row)

    put('multidelete_denied', _named(denied), 'objects stay', 'multidelete')
    for name, make in (
        ('missing', lambda talk: deleted(names(talk)[1:])),
        ('others', lambda talk: deleted((*names(talk)[1:], b'theirs'))),
        ('quiet', lambda talk: deleted(())),
        ('twice', lambda talk: deleted(names(talk)[:1] * 4)),
    ):
        put(
            f'multidelete_{name}', _named(make), 'objects not named',
            'multidelete',
        )  # fmt: skip


def _fewer(make: Callable[[Any], bytes]) -> Mode:
    told = _named(make)

    def serve(talk: Any) -> bool:
        told(talk)
        # objects may be gone: whoever lists cannot call it wrong
        return talk.gateway.spec.ops in DELETING

    return serve


def _pages(put: Callable[..., None]) -> None:
    for name, make in (
        ('short', lambda talk: listed(names(talk)[:-1])),
        ('empty', lambda talk: listed(())),
    ):
        put(f'list_{name}', _fewer(make), 'names are missing', 'list')
    for name, says, make in (
        ('long', 'too many names', lambda t: listed((*names(t), b's'))),
        ('others', 'other names', lambda t: listed((b'x',) * 8)),
        ('again', 'names out of order', lambda t: listed(names(t)[:1] * 8)),
    ):
        put(f'list_{name}', _named(make), says, 'list')


def _ranges(put: Callable[..., None]) -> None:
    for name, says, span, size in (
        ('elsewhere', 'another range', b'bytes 4095-5118/9999', 1024),
        ('anywhere', 'no Content-Range', b'items 0-1/2', 1024),
        ('short', 'wrong size', b'bytes 0-1/4096', 2),
        ('long', 'wrong size', b'bytes 0-4095/4096', 4096),
    ):
        more = b'Content-Range: %b\r\n' % span
        put(f'range_{name}', _lie(bytes(size), more), says, 'range')
    put('range_whole', _lie(bytes(4096)), 'range ignored', 'range')

    def bodiless(talk: Any) -> bool:
        talk.send(b'HTTP/1.1 204 X\r\nContent-Length: 1024\r\n\r\n')
        return False

    put('range_without_content', bodiless, '204', 'range')


def _uploads(put: Callable[..., None]) -> None:
    wrong = TAG.replace(b'x&', b'0-9&')
    for name, says, aim, lie in (
        ('no_id', 'no upload id', 'initiate', _lie(wrapped(b'X', b''))),
        ('id_in_error', 'no upload id', 'initiate', _lie(
            b'<Error><UploadId>2</UploadId></Error>')),
        ('part_untagged', 'no ETag of a part', 'part', _lie(b'')),
        ('part_blank_tag', 'no ETag of a part', 'part', _lie(
            b'', b'ETag: ""\r\n')),
        ('part_accepted', '202', 'part', _lie(
            b'', b'ETag: "p"\r\n', status=202)),
        ('part_refused', '503', 'part', _lie(b'', status=503)),
        ('of_other_parts', 'wrong ETag', 'complete', _lie(
            wrapped(DONE, wrong))),
    ):  # fmt: skip
        put(f'multipart_{name}', lie, says, aim)
