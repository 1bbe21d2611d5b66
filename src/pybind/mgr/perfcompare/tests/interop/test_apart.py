"""Tests of results that differ in what their names do not say."""

import json
import pathlib
import re

from .reading import read

DATA = pathlib.Path(__file__).parents[1] / 'data'


def steps(*options):
    """Return a job file with steps that differ in these options."""
    data = json.loads((DATA / 'recorded_fio_w.json').read_text('utf-8'))
    (job,) = data['jobs']
    data['jobs'] = [
        {
            **job,
            'groupid': i,
            'job options': {**job['job options'], 'name': f's{i}', **more},
        }
        for i, more in enumerate(options)
    ]
    return json.dumps(data)


def test_steps_with_other_options_are_no_rounds():
    rates = {'rate': '1m'}, {'rate': '2m'}, {}
    found = read(steps(*rates, *rates)).measured
    assert [row.workload for row in found] == ['write-4K-c1'] * 6
    assert [(row.apart, row.round) for row in found] == [
        ('rate-1m', 1), ('rate-2m', 1), ('', 1),
        ('rate-1m', 2), ('rate-2m', 2), ('', 2),
    ]  # fmt: skip
    assert found[0].notes[-1].endswith("same kind: rate '1m'")
    assert found[2].notes[-1].endswith("rate 'none'")
    # joined files, whatever they are called, ordered and recorded as
    one, other = steps({'thinktime': '5'}), steps({'thinktime': '9'})
    same = steps({'thinktime': '5', 'stonewall': '', 'write_bw_log': 'x'})
    text = '\n'.join((one, other, same))
    assert [(row.apart, row.round) for row in read(text).measured] == [
        ('thinktime-5', 1), ('thinktime-9', 2), ('thinktime-5', 3),
    ]  # fmt: skip


def test_long_options_are_named_by_a_hash_and_secrets_by_nothing():
    files = [f'/dev/disk/by-id/wwn-0x{i:032x}' for i in range(2)]
    found = read(steps(*({'filename': name} for name in files))).measured
    apart = [row.apart for row in found]
    assert len(set(apart)) == 2
    assert all(re.fullmatch('filename-[0-9a-f]{8}', name) for name in apart)
    hidden = steps({'http_s3_key': 'one'}, {'http_pass': 'two'})
    rows = read(hidden).measured
    assert [(row.apart, row.round) for row in rows] == [('', 1), ('', 2)]
    assert 'two' not in str(rows)
