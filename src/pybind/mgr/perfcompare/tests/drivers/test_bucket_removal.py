"""Buckets at gateways of operators: what goes, and what stays."""

from typing import Any, Dict, List, Tuple

import re
import urllib.parse

import pytest

from ...planning.s3 import shape
from ...worker.loads.s3 import removal
from ...worker.loads.s3.bucket import Client
from ...worker.runtime.failure import Failure
from ...worker.wire.s3_spec import Endpoint, Target
from ..data.plans import RUN, make


class Bucket:
    """Answer like a gateway with one bucket."""

    def __init__(self, names: List[str], owner: str = RUN) -> None:
        self.objects: Dict[str, bytes] = dict.fromkeys(names, b'')
        self.there = True
        if owner:
            self.objects[removal.MARKER] = owner.encode()

    def request(
        self,
        method: str,
        path: str,
        body: bytes = b'',
        query: str = '',
        extra: Any = None,
    ) -> Tuple[int, bytes]:
        name = path[1:].partition('/')[2]
        if not self.there:
            return 404, b''
        if name:
            if method == 'DELETE':
                self.objects.pop(name, None)
                return 204, b''
            found = self.objects.get(name)
            return (404, b'') if found is None else (200, found)
        if method == 'GET':
            return 200, self._list(urllib.parse.parse_qs(query, True))
        if method == 'POST':
            assert extra['Content-MD5']
            for key in re.findall(b'<Key>(.*?)</Key>', body):
                del self.objects[key.decode()]
            return 200, b'<DeleteResult></DeleteResult>'
        if method == 'DELETE':
            if self.objects:
                return 409, b'<Error><Code>BucketNotEmpty</Code></Error>'
            self.there = False
            return 204, b''
        return 200, b''

    def has_versions(self, bucket: str) -> bool:
        return False

    def _list(self, query: Dict[str, List[str]]) -> bytes:
        after = query.get('continuation-token', [''])[0]
        names = sorted(n for n in self.objects if n > after)
        page, rest = names[:1000], names[1000:]
        token = f'<NextContinuationToken>{"".join(page[-1:])}</NextContinuationToken>'
        rows = ''.join(f'<Contents><Key>{n}</Key></Contents>' for n in page)
        return (
            '<ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/">'
            f'{rows}{token if rest else ""}</ListBucketResult>'
        ).encode()


class Versions(Bucket):
    """Be a bucket that keeps versions: three of each object, the last one
    a marker that it is gone.
    """

    def __init__(self, names: List[str], owner: str = RUN) -> None:
        super().__init__([], owner)
        self.kept = [(n, str(v)) for n in names for v in range(3)]
        self.kept += [(removal.MARKER, 'null')]

    def has_versions(self, bucket: str) -> bool:
        return self.there

    def request(
        self,
        method: str,
        path: str,
        body: bytes = b'',
        query: str = '',
        extra: Any = None,
    ) -> Tuple[int, bytes]:
        if method == 'POST':
            pattern = b'<Key>(.*?)</Key><VersionId>(.*?)</VersionId>'
            gone = re.findall(pattern, body)
            assert len(gone) == body.count(b'<Object>') <= removal.BATCH
            for key, version in gone:
                self.kept.remove((key.decode(), version.decode()))
            return 200, b'<DeleteResult></DeleteResult>'
        if method == 'DELETE' and self.kept:
            return 409, b'<Error><Code>BucketNotEmpty</Code></Error>'
        if method == 'DELETE':
            self.objects.clear()
        return super().request(method, path, body, query, extra)

    def _list(self, query: Dict[str, List[str]]) -> bytes:
        if 'versions' not in query:
            return super()._list(query)  # uploads
        after = tuple(
            query.get(name, [''])[0]
            for name in ('key-marker', 'version-id-marker')
        )
        left = [row for row in sorted(self.kept) if row > after]
        page, rest = left[:1000], left[1000:]
        rows = ''.join(
            f'<{kind}><Key>{name}</Key><VersionId>{version}</VersionId>'
            f'<Owner><ID>{name}</ID></Owner></{kind}>'
            for name, version in page
            for kind in ['DeleteMarker' if version == '2' else 'Version']
        )
        more = ''
        if rest:
            more = (
                '<IsTruncated>true</IsTruncated>'
                f'<NextKeyMarker>{page[-1][0]}</NextKeyMarker>'
                f'<NextVersionIdMarker>{page[-1][1]}</NextVersionIdMarker>'
            )
        return (
            f'<ListVersionsResult>{rows}{more}</ListVersionsResult>'.encode()
        )


def test_a_bucket_goes_with_all_versions_and_markers() -> None:
    bucket = Versions([f'own-{i:08d}' for i in range(900)])
    assert remove(bucket) == (2700, '')
    assert not bucket.there and not bucket.kept


def test_versions_of_others_stay_with_their_bucket() -> None:
    bucket = Versions(['new-00000001', 'photo.jpg'])
    removed, why = remove(bucket)
    assert removed == 3 and 'photo.jpg' in why
    assert {name for name, _ in bucket.kept} == {'photo.jpg', removal.MARKER}


def test_a_look_at_a_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    target = Target((Endpoint('gw-1', 80),), 'A', 'S', 'b')
    client = Client(target)
    answer = (404, b'')
    monkeypatch.setattr(client, 'request', lambda *words: answer)
    assert not client.has_bucket('b')
    answer = (200, b'')
    assert client.has_bucket('b')
    answer = (403, b'')
    with pytest.raises(Failure, match='gw-1:80 refuses the keys: 403'):
        client.has_bucket('b')


def remove(bucket: Bucket) -> Tuple[int, str]:
    return removal.remove(
        bucket, 'b', RUN, lambda: None  # type: ignore[arg-type]
    )


def test_a_bucket_goes_with_all_its_objects() -> None:
    names = [f'own-{i:08d}' for i in range(2500)]
    names += ['4K-00000001', 'mix0a1b2c3d-00000000', removal.PROBE]
    bucket = Bucket(names)
    assert remove(bucket) == (2503, '')
    assert not bucket.there
    assert remove(bucket) == (0, '')


@pytest.mark.parametrize('prefill', [None, '5000', '50G', '1000B'])
@pytest.mark.parametrize(
    'options',
    [
        {'sizes': ('1536K',)},
        {'read_sizes': '4M:3,1K:1'},
        {'sizes': ('64K',), 'prefixes': 256, 'buckets': 64},
        {'sizes': ('64K',), 'prefixes': 4, 'encryption': 'sse-c'},
    ],
)
def test_objects_of_all_populations_are_ours(
    prefill: Any, options: Any
) -> None:
    made = make(workloads=('s3-get',), prefill=prefill, **options)
    for workload in made.profile.workloads:
        for cell in ('', '00/', 'ff/'):
            name = f'{cell}{shape.prefix(workload)}00000017'
            assert removal.ours(name), name


def test_objects_of_others_stay_with_their_bucket() -> None:
    bucket = Bucket(['new-00000001', 'photo.jpg'])
    removed, why = remove(bucket)
    assert removed == 1 and 'photo.jpg' in why
    assert bucket.there and 'photo.jpg' in bucket.objects


@pytest.mark.parametrize('owner', ['', 'deadbeef'])
def test_a_bucket_without_our_marker_is_left_alone(owner: str) -> None:
    bucket = Bucket(['own-00000001'], owner)
    removed, why = remove(bucket)
    assert removed == 0 and 'no marker' in why
    assert 'own-00000001' in bucket.objects


@pytest.mark.parametrize('status', [403, 429, 500, 503])
def test_a_marker_that_cannot_be_read_is_not_a_missing_one(
    monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    """Else the bucket would be given up for good, and nobody told."""
    bucket = Bucket(['own-00000001'])
    answer = bucket.request

    def refuse(method: str, path: str, *words: Any, **more: Any) -> Any:
        if method == 'GET' and path.endswith(removal.MARKER):
            return status, b'<Error><Code>SlowDown</Code></Error>'
        return answer(method, path, *words, **more)

    with monkeypatch.context() as patched:
        patched.setattr(bucket, 'request', refuse)
        with pytest.raises(Failure, match="marker of bucket 'b' cannot be"):
            remove(bucket)
    assert 'own-00000001' in bucket.objects
    assert remove(bucket) == (1, '') and not bucket.there


@pytest.mark.parametrize('status, told', [(501, True), (503, False)])
def test_whether_versions_are_kept_is_not_guessed(
    monkeypatch: pytest.MonkeyPatch, status: int, told: bool
) -> None:
    client = Client(Target((Endpoint('gw-1', 80),), 'A', 'S', 'b'))
    monkeypatch.setattr(client, 'request', lambda *w, **m: (status, b''))
    if told:
        assert not client.has_versions('b')
        return
    with pytest.raises(Failure, match='versions of bucket'):
        client.has_versions('b')


def test_an_empty_bucket_that_was_cut_off_goes() -> None:
    bucket = Bucket([], '')
    assert remove(bucket) == (0, '') and not bucket.there


@pytest.mark.parametrize('text', [b'', b'<a', b'no xml'])
def test_a_listing_that_is_none(text: bytes) -> None:
    with pytest.raises(Failure):
        removal.parse_page(text)
