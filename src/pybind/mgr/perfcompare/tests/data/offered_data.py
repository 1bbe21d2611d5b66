"""A run with curves over offered load, of groups with known limits."""

import dataclasses
import math
import random

from ...model.workload import Concurrency, Op, RbdShape, S3Shape, Workload
from .comparison_data import Scene

RATES = (100, 200, 400, 800)


def name(rate, op='s3-get'):
    """Return the name of a point's workload."""
    kind = 'r' if op.startswith('s3') else 'rate'
    return f'{op}-4K-c64-{kind}{rate}'


def offered_scene(
    speed=1.0,
    noise=0.01,
    limits=None,
    slo='p99=10ms',
    op='s3-get',
    window=30.0,
    arrivals='',
    curve='100..800/s',
    **options,
):
    """Offer RATES to x86 and to arm, whose latency is that at rate/speed.

    ``limits`` are operations per second that a group does at most.
    """
    names = {name(rate, op): rate for rate in RATES}
    scene = Scene(
        dict.fromkeys((f'rand-4K-c{n}' for n in range(1, 5)), 1.0),
        curve=curve,
        slo=slo,
        **options,
    )
    renamed = dict(zip((f'rand-4K-c{n}' for n in range(1, 5)), names))
    plan = scene.run.plan
    workloads = tuple(
        _workload(w, renamed[w.name], op, arrivals, names)
        for w in plan.profile.workloads
    )
    scene.run = dataclasses.replace(
        scene.run,
        plan=dataclasses.replace(
            plan,
            profile=dataclasses.replace(plan.profile, workloads=workloads),
            blocks=tuple(
                dataclasses.replace(b, workload=renamed[b.workload])
                for b in plan.blocks
            ),
        ),
    )
    rng = random.Random(7)
    scene.trials = [
        _trial(t, renamed, names, speed, limits or {}, noise, window, rng)
        for t in scene.trials
    ]
    return scene


def _workload(base, new, op, arrivals, names):
    rate = float(names[new])
    s3 = op.startswith('s3')
    return Workload(
        name=new,
        op=Op(op),
        size=base.size,
        concurrency=Concurrency(64),
        duration=base.duration,
        warmup=base.warmup,
        tool='s3' if s3 else 'rbd',
        rate=rate if s3 else None,
        s3=S3Shape(arrivals=arrivals) if arrivals else None,
        rbd=None if s3 else RbdShape(rate=rate),
    )


def _trial(trial, renamed, names, speed, limits, noise, window, rng):
    new = renamed[trial.workload]
    rate = names[new]
    fast = speed if trial.group == 'arm' else 1.0
    did = min(rate, limits.get(trial.group, math.inf))
    late = 0.003 * math.exp(rate / fast / 420.0)
    late *= math.exp(rng.gauss(0.0, noise))
    return dataclasses.replace(
        trial,
        workload=new,
        summary=dataclasses.replace(
            trial.summary,
            ops_per_s=float(did),
            bytes_per_s=did * 4096.0,
            latency_avg=late / 3.0,
            windows=(float(did),) * 6,
            window=window,
            ops=100000,
            percentiles={'p50': late / 4, 'p99': late},
        ),
    )
