"""Tests of results of fio that had servers make the load (--client)."""

import json

from ..data.interop_fio import client_file
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
