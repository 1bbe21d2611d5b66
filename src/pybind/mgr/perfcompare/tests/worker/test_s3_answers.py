"""Answers that say that work was done, and do not show it."""

from typing import Tuple

import hashlib
import time

import pytest

from perfcompare.worker.loads.s3 import answers
from perfcompare.worker.loads.s3.keys import Key
from perfcompare.worker.loads.s3.response import Response
from perfcompare.worker.loads.s3.tasks import Batch, Copy, Listing, Span
from perfcompare.worker.loads.s3.uploads import Step, Upload

XML = b'<?xml version="1.0" encoding="UTF-8"?>\n'
LATE = b'<Error><Code>InternalError</Code></Error>'
TAG = b'<ETag>"e"</ETag>'


def answer(
    body: bytes, keep: int = 65536, status: int = 200, more: bytes = b''
) -> Response:
    found = Response()
    found.reset(False, keep)
    found.looks = True
    head = b'HTTP/1.1 %d X\r\n%bContent-Length: %d\r\n\r\n'
    data = head % (status, more, len(body)) + body
    assert found.feed(data, len(data))
    return found


def wrapped(name: bytes, inner: bytes) -> bytes:
    return XML + b'<%b xmlns="x">%b</%b>' % (name, inner, name)


@pytest.mark.parametrize(
    'body, why',
    [
        (wrapped(b'CopyObjectResult', TAG), ''),
        (XML + b'\n  \n<CopyObjectResult>%b</CopyObjectResult>' % TAG, ''),
        (
            wrapped(b'CopyObjectResult', b'<Progress>1</Progress>' * 256 + TAG),
            '',
        ),
        (b'', 'not copied'),
        (LATE, 'not copied'),
        (XML + b' ' * 5000 + LATE, 'not copied'),
        (XML + b' ' * 70000 + LATE, 'not copied'),
        (wrapped(b'CopyObjectResult', TAG + LATE), 'not copied'),
        (wrapped(b'CopyObjectResult', TAG)[:-4], 'not copied'),
        (wrapped(b'DeleteResult', TAG), 'not copied'),
        # a radosgw whose copy failed after its head was sent
        (wrapped(b'CopyObjectResult', b'<Progress>9</Progress>'), 'not copied'),
    ],
)  # fmt: skip
def test_a_copy_shows_its_etag(body: bytes, why: str) -> None:
    copy = Copy(Key(b'/b/a', 0, 1), Key(b'/b/c', 1, 1))
    assert copy.wrong(answer(body, copy.keep)) == why


@pytest.mark.parametrize(
    'tag, why',
    [
        (b'<ETag>&quot;%b-3&quot;</ETag>' % (b'a' * 32), ''),
        (b'<ETag>"of another kind"</ETag>', ''),
        (b'<ETag>&quot;%b-2&quot;</ETag>' % (b'a' * 32), 'wrong ETag'),
        (b'', 'not completed'),
        (TAG + LATE, 'not completed'),
    ],
)
def test_an_upload_is_done_when_its_object_is_named(
    tag: bytes, why: str
) -> None:
    upload = Upload(Key(b'/b/a', 0, 12 << 20), 5 << 20, 2)
    step = Step(upload, Step.COMPLETE)
    body = wrapped(b'CompleteMultipartUploadResult', tag)
    assert upload.took(step, answer(body)) == why
    assert upload.done is (not why)
    late = Upload(Key(b'/b/a', 0, 12 << 20), 5 << 20, 2)
    assert late.took(step, answer(b' ' * 9000 + LATE)) == 'not completed'
    assert not late.done


@pytest.mark.parametrize('field', [b'', b'ETag: ""\r\n', b'ETag: \r\n'])
def test_a_part_needs_an_etag(field: bytes) -> None:
    upload = Upload(Key(b'/b/a', 0, 12 << 20), 5 << 20, 2)
    step = Step(upload, Step.PART, 1)
    assert upload.took(step, answer(b'', more=field)) == 'no ETag of a part'


@pytest.mark.parametrize(
    'body, why',
    [
        (b'<Deleted><Key>a</Key></Deleted><Deleted><Key>b</Key></Deleted>', ''),
        (b'<Deleted><Key>b</Key><x/></Deleted><Deleted><Key>a</Key></Deleted>',
         ''),
        (b'<Deleted><Key>a</Key></Deleted>', 'objects not named'),
        (b'', 'objects not named'),
        (b'<Deleted><Key>a</Key></Deleted>' * 2, 'objects not named'),
        (b'<Deleted><Key>a</Key></Deleted><Error><Key>b</Key></Error>',
         'objects stay'),
    ],
)  # fmt: skip
def test_what_is_deleted_is_named(body: bytes, why: str) -> None:
    batch = Batch(b'/b', [Key(b'/b/a', 0, 1), Key(b'/b/b', 1, 1)])
    assert batch.wrong(answer(wrapped(b'DeleteResult', body))) == why
    # nobody knows what is there
    assert batch.partly is bool(why)
    assert batch.wrong(answer(b'')) == 'not an answer to deletes'
    assert batch.partly


MIB = 1 << 20


@pytest.mark.parametrize(
    'body',
    [
        b' ' * MIB,
        XML + b' ' * MIB,
        b'<?xml ' + b'?' * MIB,
        b'<' + b'a' * MIB,
        wrapped(b'DeleteResult', b'<Deleted>' * (MIB // 9)),
        wrapped(b'DeleteResult', b'<Deleted><Key>' * (MIB // 14)),
        wrapped(b'DeleteResult', b'<Key>' * (MIB // 5)),
    ],
    ids=['blanks', 'late blanks', 'marks', 'letters', 'deleted', 'keys',
         'open keys'],
)  # fmt: skip
def test_what_means_harm_is_judged_at_once(body: bytes) -> None:
    batch = Batch(b'/b', [Key(b'/b/a', i, 1) for i in range(1000)])
    found = answer(body, 2 * MIB)
    began = time.process_time()
    assert batch.wrong(found)
    assert answers.not_copied(found) == 'not copied'
    assert time.process_time() - began < 0.5


def test_a_key_outside_of_what_was_deleted_names_nothing() -> None:
    batch = Batch(b'/b', [Key(b'/b/a', 0, 1)])
    for body in (
        b'<Key>a</Key>',
        b'<Deleted></Deleted><Key>a</Key>',
        b'<Deleted><Key>a</Key>',
    ):
        found = answer(wrapped(b'DeleteResult', body))
        assert batch.wrong(found) == 'objects not named'


def _page(*names: str) -> bytes:
    rows = ''.join(f'<Contents><Key>{n}</Key></Contents>' for n in names)
    return wrapped(b'ListBucketResult', rows.encode())


@pytest.mark.parametrize(
    'names, why',
    [
        (('r-1', 'r-2'), ''),
        (('r-1',), 'names are missing'),
        (('r-1', 'r-2', 'r-3', 'r-4'), 'too many names'),
        (('r-1', 'x-2'), 'other names'),
        (('r-2', 'r-1'), 'names out of order'),
        (('r-1', 'r-1'), 'names out of order'),
    ],
)
def test_a_page_has_the_names_that_were_asked_for(
    names: Tuple[str, ...], why: str
) -> None:
    listing = Listing(b'/b', 'r-', '', 3, 2)
    assert listing.wrong(answer(_page(*names), listing.keep)) == why
    assert listing.wrong(answer(_page('r-1', 'r-2')[:-3])) == 'not a listing'
    assert listing.wrong(answer(b'<ListBucketResult/>')) == 'not a listing'


@pytest.mark.parametrize(
    'status, size, span, why',
    [
        (206, 10, b'bytes 20-29/100', ''),
        (206, 10, b'bytes 20-29/*', ''),
        (206, 10, b'bytes 0-9/100', 'another range'),
        (206, 10, b'', 'no Content-Range'),
        (206, 9, b'bytes 20-29/100', 'wrong size'),
        (200, 100, b'', 'range ignored'),
    ],
)
def test_a_range_says_which_it_is(
    status: int, size: int, span: bytes, why: str
) -> None:
    task = Span(Key(b'/b/a', 0, 100), 20, 10)
    more = b'Content-Range: %b\r\n' % span if span else b''
    found = answer(bytes(size), 0, status, more)
    assert status in task.successes
    assert task.wrong(found) == why


def test_an_md5_of_other_bytes_is_seen() -> None:
    right = hashlib.md5(b'abc').hexdigest().encode()
    for tag, wrong in (
        (right, False),
        (b'"%b"' % right.upper(), False),
        (b'"0123456789abcdef"', False),  # of another kind
        (b'"%b-2"' % right, False),
        (b'"%b"' % (b'0' * 32), True),
    ):
        found = answer(b'', 0, more=b'ETag: %b\r\n' % tag)
        assert answers.is_md5_of_other(found, b'abc') is wrong, tag
    assert not answers.is_md5_of_other(answer(b''), b'abc')
