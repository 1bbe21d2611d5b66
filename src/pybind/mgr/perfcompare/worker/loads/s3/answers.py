"""What an answer must say to be one: a status of success is not enough.

S3 may send it before it knows how a copy or an upload ends; an error can
then only follow in the content. A radosgw whose copy fails so late sends no
error either: its result just ends without an ETag.
"""

from typing import List, Optional, Sequence

import hashlib
import re
from xml.sax.saxutils import unescape

from .response import Response

ANSWER_MAX = 64 << 10  # bytes; a copy tells its progress, a tag for each MiB
_ERROR = re.compile(rb'<Error[\s/>]')
# behind blanks, which are no part of it: two runs of them that meet would be
# divided in every way
_ROOT = re.compile(
    rb'(?:<\?xml[^<>]*\?>\s*)?<([A-Za-z]+)(?:\s[^<>]*)?>', re.ASCII
)
_KEY = re.compile(rb'<Key>([^<]*)</Key>')
_ETAG = re.compile(rb'<ETag>([^<]{1,256})</ETag>')
_RANGE = re.compile(
    rb'(?i)\r\ncontent-range:[ \t]*bytes[ \t]+(\d{1,18})-(\d{1,18})/'
)
_TAG_FIELD = re.compile(rb'(?i)\r\netag:[ \t]*([^\r\n]{1,256})')
_MD5 = re.compile(r'[0-9a-f]{32}\Z')


def whole(response: Response, root: bytes) -> bool:
    """Say whether all of an XML document was kept, and is the right one."""
    body = response.body
    found = _ROOT.match(body.lstrip())
    return (
        response.length == len(body)
        and found is not None
        and found.group(1) == root
        and body.rstrip().endswith(b'</%b>' % root)
    )


def failed(response: Response) -> bool:
    """Say whether a success turned out to be an error."""
    return _ERROR.search(response.body) is not None


def not_copied(response: Response) -> str:
    """Return why nothing was copied, '' when it was."""
    if failed(response) or not whole(response, b'CopyObjectResult'):
        return 'not copied'
    return '' if _ETAG.search(response.body) else 'not copied'


def not_completed(response: Response, parts: int) -> str:
    """Return why an upload of ``parts`` is no object, '' when it is."""
    if failed(response):
        return 'not completed'
    if not whole(response, b'CompleteMultipartUploadResult'):
        return 'not completed'
    found = _ETAG.search(response.body)
    if found is None:
        return 'not completed'
    tag = _plain(found.group(1))
    digest, _, number = tag.rpartition('-')
    if _MD5.match(digest) and number.isdigit() and int(number) != parts:
        return 'wrong ETag'
    return ''


def not_deleted(response: Response, names: Sequence[bytes]) -> str:
    """Return why objects may be there yet, '' when all are gone."""
    if failed(response):
        return 'objects stay'
    if not whole(response, b'DeleteResult'):
        return 'not an answer to deletes'
    gone: List[bytes] = []
    for item in response.body.split(b'<Deleted>')[1:]:
        inner, end, _ = item.partition(b'</Deleted>')
        if end:
            gone += _KEY.findall(inner)
    return '' if sorted(gone) == sorted(names) else 'objects not named'


def not_listed(
    response: Response, prefix: bytes, least: int, most: int
) -> str:
    """Return why an answer is not the page of names, '' when it is."""
    if failed(response) or not whole(response, b'ListBucketResult'):
        return 'not a listing'
    names = _KEY.findall(response.body)
    if len(names) > most:
        return 'too many names'
    if not all(name.startswith(prefix) for name in names):
        return 'other names'
    if any(a >= b for a, b in zip(names, names[1:])):
        return 'names out of order'
    return '' if len(names) >= least else 'names are missing'


def another_range(response: Response, start: int, size: int) -> str:
    """Return why an answer is not the range, '' when it may be."""
    found = _RANGE.search(response.raw)
    if found is None:
        return 'no Content-Range'
    asked = start, start + size - 1
    if (int(found.group(1)), int(found.group(2))) != asked:
        return 'another range'
    return ''


def part_tag(response: Response) -> Optional[str]:
    """Return the ETag of a part as it was sent; None where it has none."""
    found = _TAG_FIELD.search(response.raw)
    if found is None or not found.group(1).strip(b'" \t'):
        return None
    return found.group(1).decode('ascii', 'replace')


def is_md5_of_other(response: Response, content: bytes) -> bool:
    """Say whether an ETag is an MD5, and not that of ``content``.

    Gateways may have ETags of another kind, and these tell nothing.
    """
    found = _TAG_FIELD.search(response.raw)
    tag = '' if found is None else _plain(found.group(1)).lower()
    if not _MD5.match(tag):
        return False
    return tag != hashlib.md5(content, usedforsecurity=False).hexdigest()


def _plain(tag: bytes) -> str:
    text = unescape(tag.decode('ascii', 'replace'), {'&quot;': '"'})
    return text.strip().strip('"')
