"""Runs with trials of known ratios, for tests of what judges them."""

import dataclasses
import math
import random

from ...analysis.comparison import compare
from ...analysis.sides import RunTrials, Side
from ...common.units import parse_size
from ...model.group import Placement
from ...model.plan import Block, GroupPlan, RunOptions, RunPlan
from ...model.run import Run, RunState
from ...model.trial import Trial, TrialState, TrialSummary
from ...model.workload import CacheRegime, Concurrency, Op, Profile, Workload

MANIFEST = {
    'client_host': 'c1',
    'client_arch': 'x86_64',
    'client_local_osds': [],
    'size': 2,
    'min_size': 1,
    'ec_profile': '',
    'pg_num': 32,
    'pgs_per_osd': 32.0,
    'primaries_max_mean': 1.0,
    'pgs_max_mean': 1.02,
    'ceph_version': ['20.2.4'],
    'compression': 'none',
    'cache_share': 0.95,
    'tenant_ops_per_s': 0.5,
    'settings': {'osd_mclock_profile': 'balanced'},
    'balancer': 'off',
}
# of an OSD on which nothing moves
QUIET = {'seconds': 30.0, 'recovery_ops': 0, 'recovery_pushes': 0}
OF_GROUP = {
    'x86': {'arch': ['x86_64'], 'cpu': ['CPU X']},
    'arm': {'arch': ['aarch64'], 'cpu': ['CPU A']},
}


def make_workload(name, duration=30.0):
    """Make a workload of a name like 'rand-64K-c4/osd'."""
    op, size, load = name.rsplit('-', 2)
    value, _, per_osd = load[1:].partition('/')
    return Workload(
        name=name,
        op=Op(op),
        size=parse_size(size),
        concurrency=Concurrency(int(value), bool(per_osd)),
        duration=duration,
        warmup=5.0,
        cache=None if op == 'write' else CacheRegime.CACHED,
    )


def make_plan(run, workloads, groups, rounds, osds, **options):
    """Plan rounds with orders AB and BA in turn, and a round 0."""
    profile = Profile(
        'quick',
        'for tests',
        rounds,
        tuple(make_workload(name) for name in workloads),
        '0123456789ab',
    )
    order = tuple(groups)
    return RunPlan(
        run=run,
        groups=tuple(
            GroupPlan(
                name=group,
                placement=Placement.HOSTS,
                root=None,
                rule='r',
                device_class=None,
                hosts=(f'{group}-1', f'{group}-2'),
                osds=tuple(range(osds.get(group, 2))),
                pools=(),
                note='emulated' if group == 'arm' else '',
            )
            for group in groups
        ),
        profile=profile,
        options=RunOptions.of(**options),
        seed=1,
        size=2,
        min_size=1,
        failure_domain='host',
        blocks=tuple(
            Block(r, i, name, order if (r + i) % 2 else order[::-1])
            for r in range(rounds + 1)
            for i, name in enumerate(workloads)
        ),
        bytes_written=1,
        seconds=1.0,
        seconds_max=1.0,
        key='client.k',
        client_host='c1',
        labels=('size 2, min_size 1',),
    )


def make_summary(rate, size=4096, inflight=16, **changes):
    """Summarize a steady trial of ``rate`` op/s, its client at ease."""
    summary = TrialSummary(
        ops_per_s=rate,
        bytes_per_s=rate * size,
        latency_avg=inflight / rate,
        latency_max=10 * inflight / rate,
        window=30.0,
        ops=int(rate * 30),
        windows=(rate,) * 6,
        client_thread_cores=0.3,
        client_cores=0.4,
        host_busy=0.2,
        host_cores=8,
    )
    return dataclasses.replace(summary, **changes)


def make_side_manifest(group, osds=2, **changes):
    """Describe a trial of ``group`` of which nothing is wrong."""
    return {
        **MANIFEST,
        **OF_GROUP.get(group, {}),
        'hosts': [f'{group}-1', f'{group}-2'],
        'osds': osds,
        **changes,
    }


class Scene:
    """Build a run whose trials have chosen ratios and noise."""

    def __init__(
        self,
        ratios,
        rounds=7,
        groups=('x86', 'arm'),
        run='0a1b2c3d',
        seed=1,
        noise=0.02,
        base=1000.0,
        osds=None,
        second=1.0,
        **options,
    ):
        rng = random.Random(seed)
        self.osds = osds or {}
        plan = make_plan(
            run, list(ratios), groups, rounds, self.osds, **options
        )
        self.run = Run(run, RunState.COMPLETED, plan, 0.0, fsid='f')
        self.trials = []
        for at, block in enumerate(plan.blocks):
            for position, group in enumerate(block.order):
                factor = ratios[block.workload]
                if not isinstance(factor, dict):
                    factor = {groups[-1]: factor}
                rate = base * factor.get(group, 1.0)
                rate *= second if position else 1.0
                rate *= math.exp(rng.gauss(0.0, noise))
                self.trials.append(
                    self._trial(block, at, position, group, rate)
                )

    def _trial(self, block, at, position, group, rate):
        workload = self.run.plan.workload(block.workload)
        started = 1000.0 * at + 40.0 * position
        osds = self.osds.get(group, 2)
        return Trial(
            run=self.run.id,
            round=block.round,
            block=block.index,
            attempt=1,
            position=position,
            workload=block.workload,
            group=group,
            started=started,
            ended=started + 35.0,
            state=TrialState.OK,
            summary=make_summary(
                rate, workload.size, workload.concurrency.total(osds)
            ),
            manifest=make_side_manifest(group, osds),
            evidence={'osds': {str(osd): dict(QUIET) for osd in range(osds)}},
        )

    def change(self, where, manifest=None, summary=None, **fields):
        """Change the trials for which ``where(trial)`` holds."""
        for i, trial in enumerate(self.trials):
            if not where(trial):
                continue
            values = dict(fields)
            if manifest:
                values['manifest'] = {**trial.manifest, **manifest}
            if summary:
                values['summary'] = dataclasses.replace(
                    trial.summary, **summary
                )
            self.trials[i] = dataclasses.replace(trial, **values)
        return self

    def side(self, group):
        """Return one side of a comparison inside this run."""
        return Side(group, (RunTrials(self.run, tuple(self.trials)),))


def of(group):
    """Return a condition for Scene.change."""
    return lambda trial: trial.group == group


def first_row(scene, **kwargs):
    """Return the first row of arm against x86."""
    return compare(scene.side('x86'), scene.side('arm'), **kwargs).rows[0]


def reasons(scene, **kwargs):
    """Return the names of the reasons that hold in the first row."""
    return [r.id for r in first_row(scene, **kwargs).reasons if r.holds]
