"""Evidence of trials at ease, and ways to change it."""

import copy
import dataclasses

from ...model.trial import Trial, TrialState
from .comparison_data import make_side_manifest, make_summary

HOSTS = ('x86-1', 'x86-2')
OSDS = {'x86-1': (0, 1), 'x86-2': (2, 3)}


def an_osd(**changes):
    """Return the figures of an OSD that has room."""
    return {
        'op_w': 9000.0,
        'op_r': 9000.0,
        'subop_w': 9000.0,
        'op_w_latency': 0.004,
        'op_w_process_latency': 0.0038,
        'op_r_latency': 0.001,
        'op_r_process_latency': 0.0009,
        'subop_w_latency': 0.003,
        'commit_lat': 0.003,
        'kv_commit_lat': 0.002,
        'aio_wait_lat': 0.001,
        'read_aio_lat': 0.0005,
        'throttle_lat': 0.00001,
        'mem_mapped': 3.5e9,
        'mem_target': 4e9,
        'seconds': 30.0,
        **changes,
    }


def a_disk(osds, **changes):
    return {
        'util': 0.4,
        'await': 0.002,
        'queue': 1.5,
        'osds': list(osds),
        'role': 'data',
        **changes,
    }


def a_host(name, **changes):
    """Return the figures of an OSD host that has room."""
    return {
        'role': 'osd',
        'cores': 16,
        'cpu_busy': 0.35,
        'cpu_steal': 0.0,
        'psi_cpu': 0.1,
        'psi_io': 0.1,
        'psi_memory': 0.0,
        'mem_total': 64e9,
        'mem_available': 30e9,
        'swap_in_bytes_per_s': 0.0,
        'throttled': 0.0,
        'ghz': 3.0,
        'watts': 200.0,
        'watts_source': 'ipmi',
        'nics': {
            'eth0': {
                'rx_bytes_per_s': 3e8,
                'tx_bytes_per_s': 2e8,
                'speed_bytes_per_s': 1.25e9,
            }
        },
        'disks': {
            'sda': a_disk(OSDS[name]),
            'nvme0n1': a_disk(OSDS[name], role='db', util=0.2),
        },
        **changes,
    }


def make_trial(summary=None, manifest=None, **evidence):
    """Return a trial whose figures are all at ease, but for changes."""
    found = {
        'client': {'throttled': 0.0, 'nic': {'share': 0.2}},
        'osds': {str(osd): an_osd() for osd in range(4)},
        'hosts': {name: a_host(name) for name in HOSTS},
        'tenants': {'ops_per_s': 0.0, 'bytes_per_s': 0.0, 'share': 0.0},
    }
    found.update(evidence)
    return Trial(
        run='0a1b2c3d',
        round=1,
        block=0,
        attempt=1,
        position=0,
        workload='write-4K-c16',
        group='x86',
        started=1000.0,
        ended=1035.0,
        state=TrialState.OK,
        summary=make_summary(1000.0, **(summary or {})),
        manifest=make_side_manifest(
            'x86',
            4,
            rotational=[False],
            settings={
                'osd_op_queue': 'mclock_scheduler',
                'osd_mclock_max_capacity_iops_ssd': '21500',
                'osd_mclock_max_sequential_bandwidth_ssd': '1258291200',
                'osd_mclock_scheduler_client_lim': '1.000000',
                'osd_op_num_shards_ssd': '1',
            },
            **(manifest or {}),
        ),
        evidence=found,
    )


def on_osds(trial, which=None, **figures):
    """Return the trial with figures of some OSDs changed (all: None)."""
    evidence = copy.deepcopy(trial.evidence)
    for osd, found in evidence['osds'].items():
        if which is None or osd in which:
            found.update(figures)
    return dataclasses.replace(trial, evidence=evidence)


def on_hosts(trial, which=None, **figures):
    """Return the trial with figures of some hosts changed (all: None)."""
    evidence = copy.deepcopy(trial.evidence)
    for host, found in evidence['hosts'].items():
        if which is None or host in which:
            found.update(figures)
    return dataclasses.replace(trial, evidence=evidence)


def on_disks(trial, device, **figures):
    evidence = copy.deepcopy(trial.evidence)
    for found in evidence['hosts'].values():
        found['disks'][device].update(figures)
    return dataclasses.replace(trial, evidence=evidence)
