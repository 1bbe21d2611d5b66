"""Runs, trials and series for tests of what stores and shows them."""

import dataclasses
import random

from ...model.group import Placement
from ...model.plan import Block, GroupPlan, PoolPlan, RunOptions, RunPlan
from ...model.run import Run, RunEvent, RunState
from ...model.trial import Series, Trial, TrialState, TrialSummary
from ...model.workload import Concurrency, Op, Profile, Workload
from ...store.rows import TrialRecord

FSID = 'c6f3bb0e-7f2a-4f3e-9a59-0d6a1f5b2c11'
WORKLOADS = ('write-4K-c16', 'rand-64K-c4/osd')


def make_workload(name):
    op, _, conc = name.split('-')
    value, _, per_osd = conc[1:].partition('/')
    return Workload(
        name=name,
        op=Op(op),
        size=4096,
        concurrency=Concurrency(int(value), bool(per_osd)),
        duration=60.0,
        warmup=5.0,
    )


def make_group(run, name):
    return GroupPlan(
        name=name,
        placement=Placement.HOSTS,
        root=f'perfcompare-{run}-{name}',
        rule=f'perfcompare-{run}-{name}',
        device_class=None,
        hosts=(f'{name}-1', f'{name}-2'),
        osds=(0, 1),
        pools=(
            PoolPlan(
                name=f'perfcompare.{run}.{name}.write',
                group=name,
                role='write',
                rule=f'perfcompare-{run}-{name}',
                pg_num=32,
                size=2,
                min_size=1,
                ec_profile=None,
                max_bytes=10**9,
                per_round=True,
            ),
        ),
        note='émulated',
    )


def make_plan(run, groups=('x86', 'arm'), rounds=3, label='', workloads=None):
    names = workloads or WORKLOADS
    blocks = [
        Block(r, i, name, groups if (r + i) % 2 else groups[::-1])
        for r in range(rounds + 1)
        for i, name in enumerate(names)
    ]
    return RunPlan(
        run=run,
        groups=tuple(make_group(run, g) for g in groups),
        profile=Profile(
            'quick',
            'a short one',
            rounds,
            tuple(make_workload(n) for n in names),
            'abcdef012345',
            True,
        ),
        options=RunOptions(label=label, duration=60.0),
        seed=7,
        size=2,
        min_size=1,
        failure_domain='host',
        blocks=tuple(blocks),
        bytes_written=123456789,
        seconds=600.5,
        seconds_max=1800.0,
        key=f'client.perfcompare.{run}',
        client_host='c1',
        labels=('size 2, min_size 1',),
    )


def make_run(
    run='0a1b2c3d', state=RunState.COMPLETED, created=1700000000.25, **kwargs
):
    changes = {
        k: kwargs.pop(k)
        for k in ('started', 'ended', 'reason', 'origin', 'fsid', 'events')
        if k in kwargs
    }
    base = Run(
        id=run,
        state=state,
        plan=make_plan(run, **kwargs),
        created=created,
        started=created + 1,
        ended=created + 600 if state.ended else None,
        origin='cli',
        fsid=FSID,
        ceph_version='20.2.4',
        module_version='1.0',
        events=(
            RunEvent(created, RunState.QUEUED, 'queued'),
            RunEvent(created + 1, state, 'done'),
        ),
    )
    return dataclasses.replace(base, **changes)


def make_series(seed=1, n=60, start=1700000100.125):
    rng = random.Random(seed)
    rate = rng.uniform(500, 5000)
    return Series(
        wall_start=start,
        t=[float(i + 1) for i in range(n)],
        ops=[float(int(rng.gauss(rate, rate * 0.05))) for _ in range(n)],
        latency=[
            None if i == 3 else round(rng.gauss(16 / rate, 0.05 / rate), 9)
            for i in range(n)
        ],
    )


def make_summary(seed=1, analysis=1):
    rng = random.Random(seed)
    rate = rng.uniform(500, 5000)
    return TrialSummary(
        ops_per_s=rate,
        bytes_per_s=rate * 4096,
        latency_avg=16 / rate,
        latency_max=160 / rate,
        window=55.0,
        ops=int(rate * 55),
        windows=tuple(rng.gauss(rate, rate / 50) for _ in range(6)),
        client_thread_cores=0.31,
        client_cores=0.5,
        host_busy=0.4,
        host_cores=4,
        analysis=analysis,
    )


def make_manifest(group):
    return {
        'client': {'host': 'c1', 'arch': 'x86_64', 'cores': 4},
        'osds': {
            str(i): {
                'cpu': f'CPU of {group}',
                'kernel': '6.12.1',
                'mem_total_kb': 65536000 + i,
                'drive': 'ssd',
                'osd_mclock_profile': 'balanced',
            }
            for i in range(8)
        },
        'pgs': {'primaries_max_mean': 1.05, 'pg_num': 32},
    }


def make_trial(run='0a1b2c3d', round=1, block=0, position=0, **kwargs):
    group = kwargs.pop('group', ('x86', 'arm')[position % 2])
    values = {
        'run': run,
        'round': round,
        'block': block,
        'attempt': 1,
        'position': position,
        'workload': WORKLOADS[block % 2],
        'group': group,
        'started': 1700000100.0 + 60 * position,
        'ended': 1700000160.0 + 60 * position,
        'state': TrialState.OK,
        'summary': make_summary(hash((round, block, position))),
        'manifest': make_manifest(group),
        'evidence': {'osd': {'0': {'op_w': 12345, 'busy': 0.5}}},
    }
    values.update(kwargs)
    return Trial(**values)


def make_records(run='0a1b2c3d', rounds=3, blocks=2, n=60):
    return [
        TrialRecord.of(
            make_trial(run, r, b, p),
            make_series(r * 10000 + b * 10 + p, n),
        )
        for r in range(rounds + 1)
        for b in range(blocks)
        for p in range(2)
    ]


def client_series(table):
    """Return a table with columns ops and latency as a client series."""
    return Series(
        wall_start=table.wall_start,
        t=list(table.t),
        ops=table.column('ops').optional(),
        latency=table.column('latency').optional(),
    )
