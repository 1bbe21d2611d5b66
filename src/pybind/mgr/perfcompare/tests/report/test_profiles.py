"""Profiles as text: `profile show` hides nothing of a workload."""

from ...planning.profiles import catalog
from ...report import profiles

TEXT = """
name: mine
description: all that there is
rounds: 3
workloads:
- op: s3-mixed
  read_sizes: {4K: 3, 64K: 1}
  write_sizes: {1M: 1}
  concurrency: 8
  duration: 7
  warmup: 1
  rate: 50
  prefill: 3000
  mix: {get: 50, put: 30, multipart: 10, list: 10}
  list_keys: 77
  part_size: 6M
  part_streams: 3
  keys: zipf:0.9
  arrivals: poisson
  buckets: 5
  prefixes: 9
  checksum: crc32
  encryption: sse-c
  tags: 2
"""


def test_all_that_a_workload_says_is_shown():
    text = profiles.profile(catalog.load(TEXT))
    for told in (
        '50/s',
        'read_sizes: 4K x 3, 64K x 1',
        'write_sizes: 1M x 1',
        'prefill: 3,000 objects',
        'get 50%',
        'list_keys: 77',
        'part_size: 6M',
        'part_streams: 3',
        'keys: zipf:0.9',
        'arrivals: poisson',
        'buckets: 5',
        'prefixes: 9',
        'checksum: crc32',
        'encryption: sse-c',
        'tags: 2',
    ):
        assert told in text, told


def test_what_is_as_by_default_takes_no_line():
    assert profiles.profile(catalog.get('quick')).count('\n\n') == 1


def test_the_mix_is_shown_also_where_it_is_the_default():
    own = "name: m\ndescription: d\nrounds: 3\nworkloads:\n- op: s3-mixed\n"
    text = profiles.profile(
        catalog.load(own + '  size: 64K\n  concurrency: 8\n  duration: 7\n')
    )
    assert 'mix: get 45%, put 35%, stat 15%, delete 5%' in text


def test_images_are_shown():
    text = profiles.profile(catalog.get('oltp'))
    assert '70 % reads of 16K, 30 % writes of 16K' in text
