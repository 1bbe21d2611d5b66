"""Remove a bucket of a run with the objects that the run made in it.

What is removed needs two proofs: the bucket holds the marker of the run,
and an object has a name that the run gives. All else stays.
"""

from typing import Callable, Dict, List, NamedTuple, Sequence, Tuple

import base64
import hashlib
import re
import xml.etree.ElementTree
from xml.sax.saxutils import escape

from ...runtime.failure import Failure
from .bucket import Client, described
from .sigv4 import query_string

MARKER = 'perfcompare-owner'
PROBE = 'perfcompare-probe'
BATCH = 1000  # objects of one request, the most that S3 takes
# names that jobs give: a prefix, of reads with what was prefilled, over what
# it is spread and where it is read from, and a number of eight digits or more
_OURS = re.compile(
    r'(?:[0-9a-f]{2}/)?'
    r'(?:own|new|(?:[0-9]+[KMGT]?|mix[0-9a-f]{8})(?:-n[0-9]+[KMGTB]?)?'
    r'(?:-p[0-9]+)?(?:-cached|-device)?(?:-sse-c|-sse-s3)?)'
    r'-[0-9]{8,}\Z'
)
# those that warp makes below a prefix that jobs give it
WARP = 'perfcompare-warp'
_OF_WARP = re.compile(
    WARP + r'/(?:[0-9A-Za-z()]{1,16}/)?[0-9]+\.[0-9A-Za-z()]{1,32}\.rnd\Z'
)


Pair = Tuple[str, str]


class Page(NamedTuple):
    """Hold one page of a listing."""

    items: List[Pair]  # names and versions, '' where there are none
    after: List[Pair]  # where the next page begins; empty: this is the last


def ours(name: str) -> bool:
    """Say whether an object has a name that a run gives."""
    return name in (MARKER, PROBE) or bool(
        _OURS.match(name) or _OF_WARP.match(name)
    )


def mark(client: Client, bucket: str, run: str) -> None:
    """Write the marker by which a bucket is known as this run's."""
    status, text = client.request('PUT', f'/{bucket}/{MARKER}', run.encode())
    if status != 200:
        raise Failure(
            'access',
            f'bucket {bucket!r} takes no object: {described(status, text)}',
        )


def marked(client: Client, bucket: str, run: str) -> bool:
    """Say whether a bucket bears the marker of this run.

    Fails where that cannot be told: a gateway that is busy says nothing of
    what it holds.
    """
    status, text = client.request('GET', f'/{bucket}/{MARKER}')
    if status not in (200, 404):
        raise Failure(
            'access',
            f'the marker of bucket {bucket!r} cannot be read: '
            + described(status, text),
        )
    return status == 200 and text == run.encode()


def parse_page(text: bytes) -> Page:
    """Read an answer to ListObjectsV2 or ListObjectVersions, or fail.

    What was deleted is a version, too: a marker that it is gone.
    """
    try:
        root = xml.etree.ElementTree.fromstring(text)
    except xml.etree.ElementTree.ParseError:
        raise Failure('access', 'a listing that is no XML') from None
    items: List[Pair] = []
    more: Dict[str, str] = {}
    for node in root:
        tag = node.tag.rpartition('}')[2]
        if tag in ('Contents', 'Version', 'DeleteMarker'):
            fields = {n.tag.rpartition('}')[2]: n.text or '' for n in node}
            items.append((fields.get('Key', ''), fields.get('VersionId', '')))
        else:
            more[tag] = node.text or ''
    if 'NextContinuationToken' in more:
        return Page(
            items, [('continuation-token', more['NextContinuationToken'])]
        )
    after = []
    if more.get('IsTruncated', '').strip() == 'true':
        for name, key in (
            ('key-marker', 'NextKeyMarker'),
            ('version-id-marker', 'NextVersionIdMarker'),
        ):
            if more.get(key):
                after.append((name, more[key]))
    return Page(items, after)


def list_page(
    client: Client, bucket: str, after: Sequence[Pair], versions: bool
) -> Page:
    """Return one page of a bucket's objects, or of all their versions."""
    kind = ('versions', '') if versions else ('list-type', '2')
    values = [kind, ('max-keys', str(BATCH)), *after]
    status, text = client.request(
        'GET', f'/{bucket}', query=query_string(values)
    )
    if status != 200:
        raise Failure(
            'access',
            f'bucket {bucket!r} cannot be listed: {described(status, text)}',
        )
    return parse_page(text)


def abort_uploads(client: Client, bucket: str) -> int:
    """Abort the uploads of this run's objects; return how many there were.

    Their parts take room that no listing of objects shows.
    """
    aborted, marker, seen = 0, ('', ''), set()
    while marker not in seen:
        seen.add(marker)
        values = [('uploads', ''), ('max-uploads', str(BATCH))]
        if any(marker):
            values.append(('key-marker', marker[0]))
            values.append(('upload-id-marker', marker[1]))
        status, text = client.request(
            'GET', f'/{bucket}', query=query_string(values)
        )
        if status != 200:
            raise Failure(
                'access',
                f'uploads of {bucket!r} cannot be listed: '
                + described(status, text),
            )
        found, marker = parse_uploads(text)
        for name, upload in found:
            if not ours(name):
                continue
            status, text = client.request(
                'DELETE',
                f'/{bucket}/{name}',
                query=query_string([('uploadId', upload)]),
            )
            if status not in (200, 204, 404):
                raise Failure(
                    'access',
                    f'an upload of {bucket!r} cannot be aborted: '
                    + described(status, text),
                )
            aborted += 1
        if not any(marker):
            break
    return aborted


def parse_uploads(text: bytes) -> Tuple[List[Tuple[str, str]], Pair]:
    """Return names and ids of uploads, and where the next page begins."""
    try:
        root = xml.etree.ElementTree.fromstring(text)
    except xml.etree.ElementTree.ParseError:
        raise Failure('access', 'a list of uploads that is no XML') from None
    found: List[Tuple[str, str]] = []
    more: Dict[str, str] = {}
    for node in root:
        tag = node.tag.rpartition('}')[2]
        if tag == 'Upload':
            fields = {n.tag.rpartition('}')[2]: n.text or '' for n in node}
            found.append((fields.get('Key', ''), fields.get('UploadId', '')))
        else:
            more[tag] = node.text or ''
    if more.get('IsTruncated', '').strip() != 'true':
        return found, ('', '')
    return found, (
        more.get('NextKeyMarker', ''),
        more.get('NextUploadIdMarker', ''),
    )


def delete_objects(
    client: Client, bucket: str, items: Sequence[Pair]
) -> None:
    """Delete up to BATCH objects, or versions, by one request."""
    body = (
        '<Delete><Quiet>true</Quiet>'
        + ''.join(
            f'<Object><Key>{escape(name)}</Key>'
            + (f'<VersionId>{escape(version)}</VersionId>' * bool(version))
            + '</Object>'
            for name, version in items
        )
        + '</Delete>'
    ).encode()
    # S3 asks for it
    digest = hashlib.md5(body, usedforsecurity=False).digest()
    status, text = client.request(
        'POST',
        f'/{bucket}',
        body,
        query='delete=',
        extra={'Content-MD5': base64.b64encode(digest).decode()},
    )
    if status != 200 or b'<Error>' in text:
        raise Failure(
            'access',
            f'objects of {bucket!r} cannot be deleted: '
            + described(status, text),
        )


def remove(
    client: Client, bucket: str, run: str, breathe: Callable[[], None]
) -> Tuple[int, str]:
    """Remove a bucket of ``run`` with its objects, in all their versions.

    Returns how many went, and why the bucket stays, '' when it is
    gone: one without the run's marker stays as it is, one with objects of
    others stays with these. ``breathe`` is called between requests.
    """
    status, text = client.request('HEAD', f'/{bucket}')
    if status == 404:
        return 0, ''
    if status != 200:
        raise Failure(
            'access', f'bucket {bucket!r}: {described(status, text)}'
        )
    is_ours = marked(client, bucket, run)
    if is_ours:
        abort_uploads(client, bucket)
    versions = client.has_versions(bucket)
    removed, strange = 0, ''
    after: List[Pair] = []
    marks: List[Pair] = []  # the marker, in all its versions
    while True:
        page = list_page(client, bucket, after, versions)
        if page.items and not is_ours:
            return 0, 'it holds objects, but no marker of the run'
        others = [name for name, _ in page.items if not ours(name)]
        strange = strange or ''.join(others[:1])
        marks += [item for item in page.items if item[0] == MARKER]
        mine = [i for i in page.items if ours(i[0]) and i[0] != MARKER]
        if mine:
            delete_objects(client, bucket, mine)
            removed += len(mine)
        after = page.after
        if not after:
            break
        breathe()
    if strange:
        return removed, f'it holds {strange[:80]!r}, which is not of the run'
    if marks:  # it goes last: without it nothing else would
        delete_objects(client, bucket, marks)
    status, text = client.request('DELETE', f'/{bucket}')
    if status not in (200, 204, 404):
        raise Failure(
            'access',
            f'bucket {bucket!r} cannot be removed: '
            + described(status, text),
        )
    status, _ = client.request('HEAD', f'/{bucket}')
    if status != 404:
        raise Failure('access', f'bucket {bucket!r} is still there')
    return removed, ''
