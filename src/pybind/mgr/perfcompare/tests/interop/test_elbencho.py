"""Tests of results of elbencho, by its own definition of the fields."""

import json

import pytest

from ...worker.wire.strict import Malformed
from .reading import only, read

CONFIG = (
    'label,path type,paths,hosts,threads,dirs,files,file size,block size,'
    'direct IO,random,random aligned,IO depth,shared paths,truncate'
)
FIGURES = (
    'operation,time ms [first],time ms [last],entries/s [first],'
    'entries/s [last],IOPS [first],IOPS [last],MiB/s [first],MiB/s [last],'
    'CPU% [first],CPU% [last],entries [first],entries [last],MiB [first],'
    'MiB [last],Ent lat us [min],Ent lat us [avg],Ent lat us [max],'
    'IO lat us [min],IO lat us [avg],IO lat us [max]'
)
MIX = ','.join(
    f'rwmix read {name}'
    for name in (
        'entries/s [first],entries/s [last],IOPS [first],IOPS [last],'
        'MiB/s [first],MiB/s [last],entries [first],entries [last],'
        'MiB [first],MiB [last],Ent lat us [min],Ent lat us [avg],'
        'Ent lat us [max],IO lat us [min],IO lat us [avg],IO lat us [max]'
    ).split(',')
)
NAMES = f'ISO date,{CONFIG},{FIGURES},{MIX},version,command'.split(',')
DEFAULTS = {
    'ISO date': '2026-06-21T12:00:00.250+0200',
    'path type': 'bucket',
    'paths': '1',
    'hosts': '2',
    'threads': '4',
    'file size': '4194304',
    'block size': '4194304',
    'direct IO': '0',
    'random': '0',
    'IO depth': '2',
    'operation': 'WRITE',
    'time ms [first]': '9800',
    'time ms [last]': '12000',
    'entries/s [first]': '120',
    'entries/s [last]': '110',
    'IOPS [first]': '120',
    'IOPS [last]': '110',
    'MiB/s [first]': '480',
    'MiB/s [last]': '440',
    'Ent lat us [min]': '9000',
    'Ent lat us [avg]': '66000',
    'Ent lat us [max]': '250000',
    'IO lat us [min]': '8000',
    'IO lat us [avg]': '65000',
    'IO lat us [max]': '240000',
    'version': '3.1-9',
    'command': '"elbencho" "-w" ',
}


def csv_of(*rows):
    lines = [','.join(NAMES)]
    for row in rows:
        held = {**DEFAULTS, **row}
        lines.append(','.join(held.get(name, '') for name in NAMES))
    return '\n'.join(lines) + '\n'


def test_put_is_what_was_done_while_all_threads_were_at_work():
    reading = read(csv_of({}))
    (found,) = reading.measured
    assert (reading.tool, reading.version) == ('elbencho', '3.1-9')
    assert (found.op, found.workload) == ('s3-put', 's3-put-4M-c16')
    assert (found.size, found.concurrency) == (4194304, 16)
    assert found.started == 1782036000.25
    assert (found.duration, found.ops_per_s, found.ops) == (9.8, 120.0, 1176)
    assert found.bytes_per_s == 120.0 * 4194304
    assert (found.latency_avg, found.latency_max) == (0.066, 0.25)
    assert found.percentiles == {}
    assert any('ended after 12.0 s' in note for note in found.notes)
    assert any('too coarse' in note for note in found.notes)


def test_an_object_in_parts_is_one_operation():
    found = only(csv_of({'block size': '1048576', 'IOPS [first]': '480'}))
    assert found.ops_per_s == 120.0
    assert found.size == 4194304
    assert any('in parts of 1M' in note for note in found.notes)


@pytest.mark.parametrize(
    'phase, op, name',
    [
        ('READ', 's3-get', 's3-get-4M-c16'),
        ('HEADOBJ', 's3-stat', 's3-stat-c16'),
        ('RMOBJECTS', 's3-delete', 's3-delete-c16'),
        ('LISTOBJ', 's3-list', 's3-list-c16'),
        ('LISTOBJ_P', 's3-list', 's3-list-c16'),
        ('MULTIDEL', 's3-multidelete', 's3-multidelete-c16'),
        ('PUTOBJACL', 'other', 'putobjacl-c16'),
    ],
)
def test_each_phase_of_a_bucket_has_its_name(phase, op, name):
    found = only(csv_of({'operation': phase}))
    assert (found.op, found.workload) == (op, name)


@pytest.mark.parametrize(
    'random, phase, op, name',
    [
        ('0', 'WRITE', 'io-write', 'write-4K-c16'),
        ('1', 'READ', 'io-randread', 'randread-4K-c16'),
        ('0', 'WRITE+s+r', 'io-write', 'write-s-r-4K-c16'),
        ('0', 'STAT', 'other', 'stat-c16'),
    ],
)
def test_files_and_devices_count_each_io(random, phase, op, name):
    found = only(
        csv_of(
            {
                'path type': 'dir' if phase != 'READ' else 'blockdev',
                'random': random,
                'block size': '4096',
                'IOPS [first]': '5000',
                'operation': phase,
            }
        )
    )
    assert (found.op, found.workload) == (op, name)
    assert found.ops_per_s == (120.0 if phase == 'STAT' else 5000.0)
    assert found.latency_avg == (0.066 if phase == 'STAT' else 0.065)


def test_mix_has_both_directions():
    found = only(
        csv_of(
            {
                'operation': 'RWMIX70',
                'rwmix read entries/s [first]': '280',
                'rwmix read Ent lat us [avg]': '20000',
                'rwmix read Ent lat us [max]': '90000',
            }
        )
    )
    assert (found.op, found.workload) == ('s3-mixed', 'rwmix70-4M-c16')
    assert found.ops_per_s == 400.0
    assert found.latency_avg == pytest.approx(
        (0.066 * 120 + 0.02 * 280) / 400
    )
    assert found.latency_max == 0.25
    assert found.operations['read']['ops_per_s'] == 280.0
    assert found.operations['write']['latency_avg'] == 0.066


def test_preparation_and_sync_are_no_results():
    rows = [{'operation': name} for name in ('MKBUCKETS', 'SYNC', 'READ')]
    found = only(csv_of(*rows))
    assert found.op == 's3-get'


def test_json_has_the_same_figures_and_bytes():
    document = {
        'phase_type': 'READ',
        'phase_id': 'x',
        'label': 'evening, second',
        'iso_start_date': '2026-06-21T12:00:00.250+0200',
        'config': {
            'path_type': 'object',
            'hosts': '2',
            'threads': '4',
            'file_size': '4194304',
            'block_size': '4194304',
            'direct_io': 'false',
            'random_offsets': 'false',
            'io_depth': '2',
            'version': '3.1-9',
            'command': '"elbencho" ',
        },
        'first_done': {
            'elapsed_time_ms': '9800',
            'entries/s': '120',
            'iops': '120',
            'bytes/s': '503000000',
            'entries': '1176',
            'cpu%': '7',
        },
        'last_done': {
            'elapsed_time_ms': '9800',
            'entries/s': '120',
            'latency': {'entries': {'avg_us': '66000', 'max_us': '250000'}},
        },
    }
    found = only(json.dumps(document))
    assert (found.op, found.workload) == ('s3-get', 's3-get-4M-c16')
    assert found.started == 1782036000.25
    assert found.bytes_per_s == 503000000.0
    assert (found.latency_avg, found.latency_max) == (0.066, 0.25)
    assert found.notes[0] == "label 'evening, second'"
    assert not any('ended after' in note for note in found.notes)
    # each run appends a document
    twice = read(json.dumps(document) + '\n' + json.dumps(document))
    assert [row.round for row in twice.measured] == [1, 2]


@pytest.mark.parametrize(
    'text, message',
    [
        (csv_of({'operation': 'SYNC'}), 'no phase in it'),
        (csv_of({})[:-60], 'truncated'),
        (csv_of({'threads': 'many'}), "threads: 'many' is not a number"),
        (csv_of({'ISO date': 'noon'}), "'noon' is not a time"),
        (csv_of({}, {'version': '2.0'}), 'several versions'),
        (csv_of({'entries/s [first]': '-5'}), 'negative'),
        ('{"phase_type": "READ"}', 'another form'),
        ('{"phase_type": "READ", "last_done": 5}', 'another form'),
        ('{"phase_type": "READ", "config": [1]}', 'another form'),
    ],
)
def test_wrong_files_say_what_is_wrong(text, message):
    with pytest.raises(Malformed, match=message):
        read(text)
