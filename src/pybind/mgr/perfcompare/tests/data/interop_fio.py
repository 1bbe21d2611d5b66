"""Results of fio: what 3.33 wrote, and forms of it that other ones write."""

import copy
import json
import pathlib

DATA = pathlib.Path(__file__).parent
PORT = 8765


def recorded(name):
    return json.loads((DATA / f'recorded_fio_{name}.json').read_text('utf-8'))


def one_job(**options):
    """Return the entry of one job, which did random reads of 4 KiB."""
    found = copy.deepcopy(recorded('r1')['jobs'][0])
    found['job options'].pop('rate_iops')
    found['job options'].update({'numjobs': '1', **options})
    return found


def file_of(*jobs):
    """Return a file of some jobs of one host."""
    return {**recorded('r1'), 'jobs': list(jobs)}


def client_file(servers):
    """Return a file of one job on each server, by its global options."""
    told = [
        {'hostname': name, 'port': PORT, **options}
        for name, options in servers.items()
        if options
    ]
    jobs = [{**one_job(), 'hostname': name, 'port': PORT} for name in servers]
    whole = {**one_job(), 'jobname': 'All clients', 'hostname': 'a'}
    whole.pop('job options')
    return {
        'fio version': 'fio-3.42',
        'timestamp': 1795491900,
        'time': 'Tue Nov 24 03:45:00 2026',
        'global options': told,
        'client_stats': [*jobs, whole],
        'disk_util': [],
    }
