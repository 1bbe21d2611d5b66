"""What a gateway is asked for beyond whole objects, and its right answer."""

from typing import Any, Dict, Tuple

import re
import urllib.parse

PLAIN = ('put', 'get', 'head', 'delete')
# requests of uploads that are no operation by themselves
STEPS = ('initiate', 'part', 'abort')
UPLOADED = (5 << 20) + 1  # bytes of an object: two parts
COUNT = 64  # objects that are there
XML = b'<?xml version="1.0" encoding="UTF-8"?>'
TAG = b'<ETag>&quot;%b&quot;</ETag>' % (b'0' * 31 + b'x')


def kind_of(method: bytes, query: bytes, fields: Dict[bytes, bytes]) -> str:
    """Return what is asked for, in one word."""
    asked = dict(urllib.parse.parse_qsl(query.decode(), True))
    if 'list-type' in asked:
        return 'list'
    if 'delete' in asked:
        return 'multidelete'
    if 'uploads' in asked:
        return 'initiate'
    if 'uploadId' in asked:
        if method == b'PUT':
            return 'part'
        return 'abort' if method == b'DELETE' else 'complete'
    if b'x-amz-copy-source' in fields:
        return 'copy'
    return 'range' if b'range' in fields else method.decode().lower()


def wrapped(name: bytes, inner: bytes) -> bytes:
    """Return an answer as radosgw words it."""
    space = b'http://s3.amazonaws.com/doc/2006-03-01/'
    return XML + b'<%b xmlns="%b">%b</%b>' % (name, space, inner, name)


def names(talk: Any) -> Tuple[bytes, ...]:
    """Return the names of a listing, or those to be deleted."""
    if talk.kind == 'multidelete':
        return tuple(re.findall(rb'<Key>([^<]*)</Key>', talk.content))
    asked = dict(urllib.parse.parse_qsl(talk.query.decode()))
    after = asked.get('start-after', '').encode()
    there = (b'r-%08d' % number for number in range(COUNT))
    return tuple(n for n in there if n > after)[: int(asked['max-keys'])]


def listed(found: Tuple[bytes, ...]) -> bytes:
    """Return a page of names."""
    rows = (b'<Contents><Key>%b</Key></Contents>' % name for name in found)
    return wrapped(b'ListBucketResult', b''.join(rows))


def deleted(found: Tuple[bytes, ...], more: bytes = b'') -> bytes:
    """Return an answer to deletes."""
    rows = (b'<Deleted><Key>%b</Key></Deleted>' % name for name in found)
    return wrapped(b'DeleteResult', b''.join(rows) + more)


def said(talk: Any) -> Tuple[bytes, bytes]:
    """Return the right content, and what more its head holds."""
    kind = talk.kind
    if kind == 'list':
        return listed(names(talk)), b''
    if kind == 'multidelete':
        return deleted(names(talk)), b''
    if kind == 'initiate':
        number = talk.gateway.number()
        inner = b'<UploadId>2~%d</UploadId>' % number
        return wrapped(b'InitiateMultipartUploadResult', inner), b''
    if kind == 'part':
        return b'', b'ETag: "p"\r\n'
    if kind == 'complete':
        return wrapped(b'CompleteMultipartUploadResult', TAG), b''
    if kind == 'copy':
        return wrapped(b'CopyObjectResult', TAG), b''
    first, last = talk.fields[b'range'][6:].split(b'-')
    span = b'Content-Range: bytes %b-%b/4096\r\n' % (first, last)
    return bytes(int(last) - int(first) + 1), span
