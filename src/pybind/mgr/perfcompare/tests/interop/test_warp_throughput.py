"""Requests are counted, not objects, and not those that failed."""

import json

import pytest

from ..data import interop_data as data
from .reading import only

BATCH = 100


@pytest.mark.parametrize('op', ['DELETE', 'LIST'])
def test_old_json_states_objects_of_which_a_request_has_many(op):
    document = json.loads(data.warp_old_json((op,)))
    throughput = document['operations'][0]['throughput']
    throughput['average_ops'] *= BATCH
    for segment in throughput['segmented']['segments']:
        segment['obj_per_sec'] *= BATCH
    found = only(json.dumps(document))
    assert found.ops_per_s == 100
    assert found.samples.ops == pytest.approx((100.0,) * 10)
    assert any('requests are counted' in note for note in found.notes)


def test_old_json_without_a_number_of_requests_has_no_rate():
    document = json.loads(data.warp_old_json(('LIST',)))
    del document['operations'][0]['throughput']['operations']
    found = only(json.dumps(document))
    assert found.ops_per_s is None and found.samples is None


def test_new_json_of_several_objects_per_request_has_no_series():
    document = json.loads(data.warp_new_json(('DELETE',)))
    part = document['by_op_type']['DELETE']
    for found in (part, part['throughput']):
        name = 'total_objects' if found is part else 'objects'
        found[name] *= BATCH
    found = only(json.dumps(document))
    assert found.ops_per_s == 100
    assert found.samples is None
    assert any('of objects' in note for note in found.notes)
    assert only(data.warp_new_json(('DELETE',))).samples is not None


def test_new_json_counts_requests_that_failed():
    document = json.loads(data.warp_new_json(('GET',)))
    part = document['by_op_type']['GET']
    part['total_errors'] = 200
    throughput = part['throughput']
    throughput['errors'] = 200
    throughput['segmented']['segments'][0]['errors'] = 60
    found = only(json.dumps(document))
    assert (found.ops, found.errors) == (800, 200)
    assert found.ops_per_s == 80
    assert found.bytes_per_s is None
    assert any('bytes of failed requests' in note for note in found.notes)
    assert sorted(found.samples.ops)[:2] == [40.0, 100.0]


def test_failures_of_a_mix_are_no_part_of_its_rate():
    document = json.loads(data.warp_new_json(('GET', 'STAT'), mixed=True))
    document['total']['throughput']['errors'] = 300
    found = only(json.dumps(document))
    assert found.ops_per_s == 270 and found.bytes_per_s is None
