"""Tests of results of elbencho, by its own definition of the fields."""

import json

import pytest

from ...worker.wire.strict import Malformed
from ..data.elbencho_data import csv_of
from .reading import only, read


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


def document(phase='READ', rate='120', version='3.1-9'):
    """Return a phase as a run appends it to `--jsonfile`."""
    return {
        'phase_type': phase,
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
            'version': version,
            'command': '"elbencho" ',
        },
        'first_done': {
            'elapsed_time_ms': '9800',
            'entries/s': rate,
            'iops': rate,
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


def json_of(*documents):
    return '\n'.join(map(json.dumps, documents)) + '\n'


def test_json_has_the_same_figures_and_bytes():
    found = only(json_of(document()))
    assert (found.op, found.workload) == ('s3-get', 's3-get-4M-c16')
    assert found.started == 1782036000.25
    assert found.bytes_per_s == 503000000.0
    assert (found.latency_avg, found.latency_max) == (0.066, 0.25)
    assert found.notes[0] == "label 'evening, second'"
    assert not any('ended after' in note for note in found.notes)


def test_json_of_runs_has_a_round_for_each_time_that_a_phase_was_run():
    phases = [document('WRITE'), document('READ')]
    rows = read(json_of(*phases, *phases, *phases)).measured
    assert [(row.op, row.round) for row in rows] == [
        ('s3-put', 1), ('s3-get', 1),
        ('s3-put', 2), ('s3-get', 2),
        ('s3-put', 3), ('s3-get', 3),
    ]  # fmt: skip


@pytest.mark.parametrize('phase', ['MKDIRS', 'MKBUCKETS', 'SYNC'])
def test_json_may_hold_phases_that_prepare(phase):
    found = only(json_of(document(phase), document('WRITE')))
    assert (found.op, found.round) == ('s3-put', 1)


def test_json_may_hold_a_phase_that_did_nothing_while_all_were_at_work():
    idle = document(rate='0')
    idle['first_done']['entries'] = '0'
    assert only(json_of(idle, document('WRITE'))).op == 's3-put'


@pytest.mark.parametrize(
    'entries, stated, rate',
    [
        ('1176', '120', 120.0),
        ('29', '2', 29 / 9.8),
        ('9', '0', 9 / 9.8),
        # what is stated bounds it
        ('1176', '119', 120.0),
        ('1176', '118', 119.0),
        ('', '119', 119.0),
    ],
)
def test_rates_are_not_cut_to_whole_numbers(entries, stated, rate):
    names = {'entries [first]': entries, 'entries/s [first]': stated}
    found = only(csv_of(names))
    assert found.ops_per_s == pytest.approx(rate)
    assert found.ops == round(rate * 9.8)
    assert found.bytes_per_s == pytest.approx(rate * 4194304)


def test_rates_of_slow_io_are_those_of_its_bytes():
    row = {
        'path type': 'blockdev',
        'operation': 'READ',
        'block size': '1048576',
        'IOPS [first]': '2',
        'MiB [first]': '29',
    }
    assert only(csv_of(row)).ops_per_s == pytest.approx(29 / 9.8)
    # by whole MiB small blocks are no better known
    row['block size'] = '4096'
    row['MiB [first]'] = '0'
    assert only(csv_of(row)).ops_per_s == 2.0
    slow = document(rate='2')
    slow['config'].update(path_type='file', block_size='8192')
    slow['first_done'].update({'bytes': str(28 * 8192), 'bytes/s': '23405'})
    assert only(json_of(slow)).ops_per_s == pytest.approx(28 / 9.8)


def test_phases_of_other_settings_are_no_rounds():
    rows = [
        {'label': 'warm'},
        {'label': 'cold'},
        {'label': 'warm'},
        {'operation': 'READ', 'label': 'warm'},
    ]
    assert [
        (r.op, r.apart, r.round) for r in read(csv_of(*rows)).measured
    ] == [
        ('s3-put', 'label-warm', 1),
        ('s3-put', 'label-cold', 1),
        ('s3-put', 'label-warm', 2),
        ('s3-get', '', 1),
    ]
    found = read(csv_of({'threads': '8', 'IO depth': '1'}, {})).measured
    assert [r.workload for r in found] == ['s3-put-4M-c16'] * 2
    assert [r.apart for r in found] == [
        'IO_depth-1-threads-8', 'IO_depth-2-threads-4',
    ]  # fmt: skip


def test_options_that_stand_in_the_command_alone_set_phases_apart():
    limited = '"elbencho" "-w" "--s3secret=x" "--limitwrite" "10M" "s3://b"'
    flag = '"elbencho" "-w" "-r" "--limitread=9M" "--s3fastput" "s3://b"'
    words = ({'command': limited}, {'command': flag}, {})
    found = read(csv_of(*words)).measured
    assert [row.apart for row in found] == [
        'limitwrite-10M', 's3fastput-1', '',
    ]  # fmt: skip
    assert all('--s3secret' not in str(row) for row in found)
    # what limits reads is nothing to writes
    found = read(csv_of({'command': flag}, {'command': flag[:-23]})).measured
    assert [row.apart for row in found] == ['s3fastput-1', '']


@pytest.mark.parametrize(
    'text, message',
    [
        (csv_of({'operation': 'SYNC'}), 'no phase in it'),
        (csv_of({})[:-60], 'truncated'),
        (csv_of({'threads': 'many'}), "threads: 'many' is not a number"),
        (csv_of({'ISO date': 'noon'}), "'noon' is not a time"),
        (csv_of({}, {'version': '2.0'}), 'several versions'),
        (csv_of({'entries/s [first]': '-5'}), 'negative'),
        (json_of(document('MKDIRS'), document('SYNC')), 'no phase in it'),
        (json_of(document(), document(version='2.0')), 'several versions'),
        ('{"phase_type": "READ"}', 'another form'),
        ('{"phase_type": "READ", "last_done": 5}', 'another form'),
        ('{"phase_type": "READ", "config": [1]}', 'another form'),
    ],
)
def test_wrong_files_say_what_is_wrong(text, message):
    with pytest.raises(Malformed, match=message):
        read(text)
