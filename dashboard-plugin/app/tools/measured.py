"""A run as it was measured: its trials, and what is behind its first row."""

import dataclasses
import math
import random

from perfcompare.analysis.distribution import distributions
from perfcompare.app.row_evidence import (
    Round,
    RowEvidence,
    SideTrial,
    TrialCourse,
)
from perfcompare.hosts.course import Course
from perfcompare.model.run import RunEvent, RunState
from perfcompare.tests.data.comparison_data import Scene, of
from perfcompare.worker.wire import histogram

RUN = '0a1b2c3d'
START = 1795195000.0
RATIOS = {
    'write-4K-c16': 0.57,
    'rand-4K-c16': 1.43,
    'write-4M-c16': 1.004,
    'rand-4M-c16': 1.22,
    'write-64K-c4/osd': 0.96,
    'rand-64K-c4/osd': 1.05,
}


def scene():
    """Return a run with one row of each verdict, and evidence."""
    made = Scene(RATIOS, rounds=7, run=RUN, noise=0.012, seed=4)
    made.change(
        lambda t: t.workload == 'rand-4M-c16',
        summary={'client_thread_cores': 0.93},
    )
    rng = random.Random(1)
    made.change(
        lambda t: t.workload == 'write-64K-c4/osd' and t.group == 'arm',
        summary={'ops_per_s': 950.0},
    )
    for at, trial in enumerate(made.trials):
        summary = trial.summary
        if trial.workload == 'write-64K-c4/osd':
            rate = summary.ops_per_s * math.exp(rng.gauss(0, 0.09))
            summary = dataclasses.replace(summary, ops_per_s=rate)
        osds = {
            str(i + (0 if trial.group == 'x86' else 8)): osd_figures(rng)
            for i in range(8)
        }
        made.trials[at] = dataclasses.replace(
            trial,
            started=START + trial.started,
            ended=START + trial.ended,
            summary=summary,
            evidence={'client': {}, 'osds': osds},
        )
    made.change(
        of('arm'),
        manifest={
            'cpu': ['Neoverse-N1'],
            'cores': [80],
            'kernel': ['6.12.48'],
            'emulated': True,
        },
    )
    made.change(
        of('x86'),
        manifest={
            'cpu': ['AMD EPYC 7543'],
            'cores': [32],
            'kernel': ['6.12.48'],
        },
    )
    plan = dataclasses.replace(
        made.run.plan,
        groups=tuple(
            dataclasses.replace(g, watts=w, price=None)
            for g, w in zip(made.run.plan.groups, (820.0, 540.0))
        ),
        bytes_written=61_203_283_968,
        seconds=1234.0,
        seconds_max=3900.0,
        client_host='bench-1',
    )
    states = ['queued', 'preflight', 'preparing', 'trial', 'cooling']
    states += ['trial', 'finishing', 'completed']
    made.run = dataclasses.replace(
        made.run,
        plan=plan,
        created=START,
        started=START + 2,
        ended=START + 1290,
        origin='cli',
        fsid='c6f3bb0e-7f2a-4f3e-9a59-0d6a1f5b2c11',
        ceph_version='20.2.4',
        module_version='0.1.0',
        events=tuple(
            RunEvent(START + 7.0 * at, RunState(state), f'{state} begins')
            for at, state in enumerate(states)
        ),
    )
    return made


def osd_figures(rng):
    """Return counters of one OSD over one trial."""
    ops = int(rng.gauss(4000, 300))
    return {
        'op_w': ops,
        'op_r': 0,
        'subop_w': int(ops * 1.02),
        'op_w_latency': rng.gauss(0.0042, 0.0003),
        'subop_w_latency': rng.gauss(0.0029, 0.0002),
        'commit_lat': rng.gauss(0.0021, 0.0002),
        'kv_sync_lat': rng.gauss(0.0016, 0.0001),
        'op_in_bytes': ops * 4096,
        'op_out_bytes': 0,
    }


def series(rng, rate):
    """Return the client series of one trial."""
    t = [float(i + 1) for i in range(35)]
    return {
        'wall_start': START,
        't': t,
        'columns': [
            {
                'name': 'ops',
                'unit': 'op/s',
                'values': [
                    round(rng.gauss(rate, rate / 25) * min(1, x / 3), 1)
                    for x in t
                ],
            },
            {
                'name': 'latency',
                'unit': 's',
                'values': [round(16 / rate, 6) for _ in t],
            },
        ],
    }


def evidence(made):
    """Return what is behind the first row: courses and distributions."""
    rng = random.Random(5)
    first = next(iter(RATIOS))
    judged = [
        [
            t
            for t in made.trials
            if t.workload == first and t.group == group and t.round > 0
        ]
        for group in ('x86', 'arm')
    ]
    courses = []
    for side, trials in enumerate(judged):
        for at, trial in enumerate(trials):
            rate = trial.summary.ops_per_s
            counts = {}
            for _ in range(3000):
                took = rng.lognormvariate(math.log(16 / rate), 0.5)
                index = histogram.bucket(int(took * 1e9))
                counts[index] = counts.get(index, 0) + 1
            trials[at] = dataclasses.replace(
                trial, evidence={'client': {'histograms': {'write': counts}}}
            )
            t = tuple(range(1, 36))
            hosts = {
                name: tuple(round(rng.gauss(mean, mean / 20), 4) for _ in t)
                for name, mean in (
                    ('cpu', 0.4 + 0.3 * side),
                    ('disk', 0.8),
                    ('network', rate * 8192),
                )
            }
            ops = tuple(round(rng.gauss(rate, rate / 25), 1) for _ in t)
            courses.append(
                TrialCourse(
                    side,
                    trial.group,
                    trial.run,
                    trial.round,
                    Course(t, {'ops': ops}),
                    Course(t, hosts),
                    2,
                )
            )
    last = [t for t in made.trials if t.workload == first][-2:]
    return RowEvidence(
        tuple(Round(RUN, t.round) for t in judged[0]),
        tuple(courses),
        distributions(*judged),
        tuple(
            SideTrial(side, trial)
            for side, group in enumerate(('x86', 'arm'))
            for trial in last
            if trial.group == group
        ),
        False,
    )
