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


def test_places_are_numbered_and_secrets_are_not_shown():
    """Another group has other devices, and its steps the same names."""
    for kind in ('sd', 'nvme'):
        files = [f'/dev/disk/by-id/{kind}-0x{i:032x}' for i in (1, 0, 1)]
        found = read(steps(*({'filename': name} for name in files))).measured
        assert [(row.apart, row.round) for row in found] == [
            ('filename-1', 1), ('filename-2', 1), ('filename-1', 2),
        ]  # fmt: skip
        assert files[0][:30] in found[0].notes[-1]
    urls = [f'iscsi://bob%hunter2@10.0.0.1/iqn.x/{i}' for i in range(2)]
    found = read(steps(*({'filename': url} for url in urls))).measured
    assert 'iscsi://10.0.0.1/iqn.x/0' in found[0].notes[-1]
    assert 'hunter2' not in str(found)
    long = [f'{i:050d}' for i in range(2)]
    found = read(steps(*({'bssplit': text} for text in long))).measured
    assert len({row.apart for row in found}) == 2
    for row in found:
        assert re.fullmatch('bssplit-[0-9a-f]{8}', row.apart)
    hidden = steps({'http_s3_key': 'one'}, {'http_pass': 'two'})
    rows = read(hidden).measured
    assert [(row.apart, row.round) for row in rows] == [('', 1), ('', 2)]
    assert 'two' not in str(rows)
