"""Profiles as YAML that means the same."""

import dataclasses

import pytest

from ...common.errors import InvalidArgument
from ...model.plan import RunOptions
from ...planning.profiles import applied, catalog, written

SHAPES = '''
rounds: 3
workloads:
- op: s3-mixed
  concurrency: [4, 8/osd]
  mix: get=1:4K,put=1:1M,multipart=1:64M,stat=4
  part_size: 8M
- {op: s3-get, read_sizes: 'lognormal:64K:1.5', concurrency: 1, rate: 0.3}
- op: s3-mixed
  read_sizes: {4K: 3, 1000: 0.1}
  write_sizes: {1M: 1}
  concurrency: 2
  prefill: 12345B
  keys: 'zipf:0.99'
  think_time: exp:10ms
- {op: s3-put, size: 5000, concurrency: 9, tags: 3, checksum: crc64nvme}
- {op: s3-range, size: 1M, concurrency: 9, prefill: 700, duration: 2.5m}
- op: [rbd-randrw, rbd-read]
  size: 4K
  concurrency: 16
  images: 4
  image_size: 64M
  read_share: 80
  rbd_object_size: 1M
  rbd_distribution: zipf:1.2
- {op: [seq, write, rand], size: 4M, concurrency: 3, cache: device}
'''
CURVE = '''
rounds: 4
curve: 1..16/osd
slo: p99=10ms
workloads:
- {op: [s3-get, s3-put], size: [4K, 64K], duration: 20}
'''


def same(profile):
    text = written.text_of(profile, 'as run ab822a29 had it')
    again = catalog.load(text)
    assert again == dataclasses.replace(profile, builtin=False)
    return text


@pytest.mark.parametrize('name', sorted(catalog.builtin()))
def test_each_built_in_profile_comes_back(name):
    same(catalog.get(name))


@pytest.mark.parametrize('text', [SHAPES, CURVE])
def test_all_that_entries_can_say_comes_back(text):
    assert same(catalog.load(text, name='mine')).startswith('# as run ab8')


def test_what_options_replaced_is_written():
    options = RunOptions(sizes=('8K',), duration=7.5, rounds=2)
    profile = applied.apply(catalog.get('quick'), options)
    text = same(profile)
    assert 'duration: 7.5' in text and 'rounds: 2' in text


def test_entries_that_differ_in_concurrency_are_one():
    profile = catalog.load(
        'rounds: 1\nworkloads:\n'
        '- {op: write, size: 4K, concurrency: [1, 2, 4]}',
        name='mine',
    )
    text = same(profile)
    assert text.count('op: write') == 1
    assert 'concurrency: ["1", "2", "4"]' in text


def test_a_description_of_anybody_stays_a_text():
    odd = 'a: "b" # \\ \x1b[31m \u202e 💡'
    profile = dataclasses.replace(catalog.get('smoke'), description=odd)
    text = written.text_of(profile, 'x\x1b\u202e')
    assert '\x1b' not in text and '\u202e' not in text
    assert '💡' in catalog.load(text).description


def test_more_than_a_text_can_say_is_refused():
    profile = catalog.load(SHAPES, name='mine')
    many = [
        dataclasses.replace(w, duration=10.0 + n, clients=1)
        for n in range(200)
        for w in profile.workloads[:1]
    ]
    profile = dataclasses.replace(profile, workloads=tuple(many))
    with pytest.raises(InvalidArgument, match='cannot be written as YAML'):
        written.text_of(profile, 'x')
