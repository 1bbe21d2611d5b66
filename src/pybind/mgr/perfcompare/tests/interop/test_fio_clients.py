"""Tests of results of fio that had servers make the load (--client)."""

import json

import pytest

from ...worker.wire.strict import Malformed
from ..data.interop_fio import client_file, one_job
from .reading import read


def rows(data):
    return read(json.dumps(data)).measured


def test_each_server_has_global_options_of_its_own():
    """fio 3.39 and later have a list of them, one entry for each server."""
    data = client_file(
        {
            'a': {'rw': 'randread', 'iodepth': '4', 'ioengine': 'libaio'},
            'b': {'rw': 'randread', 'iodepth': '16', 'ioengine': 'libaio'},
            'c': {},
        }
    )
    for job in data['client_stats'][:2]:
        for name in ('rw', 'iodepth', 'ioengine'):
            del job['job options'][name]
    first, second = rows(data)
    assert (first.workload, first.client_host) == ('randread-4K-c8', '')
    assert (second.workload, second.client_host) == ('randread-4K-c16', 'b')
    assert first.ops == 2 * second.ops


def test_of_one_server_they_are_an_object():
    data = client_file({'a': {}})
    data['global options'] = {'iodepth': '32', 'ioengine': 'libaio'}
    del data['client_stats'][0]['job options']['iodepth']
    (found,) = rows(data)
    assert found.workload == 'randread-4K-c32'


def groups(*entries, shared=None):
    """Return a file of one server with some groups of jobs."""
    data = client_file({'a': {}})
    first = data['client_stats'][0]
    server = {name: first[name] for name in ('hostname', 'port')}
    data['client_stats'] = [
        {**entry, **server, 'jobname': f'j{i}', 'groupid': i}
        for i, entry in enumerate(entries)
    ]
    data['global options'] = [{**server, **(shared or {})}]
    return data


def without_options():
    found = one_job()
    del found['job options']
    return found


@pytest.mark.parametrize('shared', [{}, {'rw': 'randread', 'bs': '4k'}])
def test_options_that_fio_does_not_tell_are_not_those_by_default(shared):
    first = one_job(numjobs='4', group_reporting='1')
    with pytest.raises(Malformed, match=r"options of job 'j1' \(with"):
        rows(groups(first, without_options(), shared=shared))


def test_sections_may_have_no_options_but_those_of_all():
    shared = {'rw': 'randread', 'ioengine': 'libaio', 'iodepth': '8'}
    found = rows(groups(without_options(), without_options(), shared=shared))
    assert [row.workload for row in found] == ['randread-4K-c8'] * 2


def test_without_rw_a_job_reads():
    entry = one_job()
    del entry['job options']['rw']
    (found,) = rows(groups(entry))
    assert found.op == 'io-read'
    with pytest.raises(Malformed, match="options of job 'j0'"):
        rows(groups(without_options()))


def test_a_file_of_servers_has_the_time_when_they_were_started():
    data = client_file({'a': {}})
    (found,) = rows(data)
    assert found.started == data['timestamp']
    first, second = rows(groups(one_job(), one_job()))
    assert (first.started, second.started) == (
        data['timestamp'],
        data['timestamp'] + 1.001,
    )
