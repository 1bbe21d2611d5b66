"""Every option of `recovery run` is used by a scenario, or refused for it."""

from typing import Any, Dict, Iterator, Tuple

import dataclasses
import pathlib
import tempfile

import pytest

from ...common.codec import to_data
from ...common.errors import InvalidArgument
from ...common.settings import Settings
from ...drivers.driver import Background, BackgroundParts, driver_of_test
from ...drivers.s3.background import S3Background
from ...drivers.s3.gateways.private import Service
from ...model import load
from ...model.plan import RunPlan
from ...model.recovery import Scenario
from ...recovery.plan.options import RECOVERY_RUN
from ...recovery.plan.request import RecoveryRequest
from ...recovery.run.filling import log_fill
from ...worker.wire.jobs import Access
from ...worker.wire.s3_spec import Endpoint
from ..fakes.cluster import FakeCluster
from ..fakes.running import Rig

HOSTS = [
    (f'{arch}-{number}', arch, arch, 2)
    for arch in ('x86', 'arm')
    for number in range(1, 5)
]
# values that no test has by default
SAMPLES: Dict[str, Any] = {
    'repetitions': 5,
    'size': '128K',
    'block_size': '8K',
    'images': 2,
    'concurrency': 3,
    'data': '4G',
    'hold': 47.0,
    'limit': 777.0,
    'nodes': 2,
    'stop_by': 'operator',
    'step_timeout': 77.0,
    'auto_out': True,
    'mclock_profile': 'high_recovery_ops',
    'seed': 99,
    'replicas': 4,
    'ec_profile': 'mine',
    'pg_num': 4,
    'label': 'a text',
    'allow_local_client': True,
    'enable_pool_delete': True,
    'consent': True,
}
# what each test is made of
CASES = ('groups', 'scenario', 'workloads')
# what the plan says again, whether anything makes use of it or not
ECHOED = ('concurrency', 'step_timeout')
USUAL: Tuple[Tuple[str, ...], ...] = (
    ('none',),
    ('write', 'rand'),
    ('s3-mixed',),
    ('rbd-randrw', 'rbd-write'),
)
SINGLE = [
    (name,) for names in load.beside_recovery().values() for name in names
]
TESTS = [
    *((scenario, workloads) for scenario in Scenario for workloads in USUAL),
    *((Scenario.BACKFILL, workloads) for workloads in SINGLE),
]


@pytest.fixture(scope='module')
def rig() -> Iterator[Rig]:
    cluster = FakeCluster(HOSTS)
    cluster.mgrs = dataclasses.replace(cluster.mgrs, active_hostname='m')
    cluster.backend = 'cephadm'
    cluster.mon_runtime['mon_osd_down_out_interval'] = '10'
    cluster.ec_profiles['mine'] = {'plugin': 'isa', 'k': '2', 'm': '1'}
    cluster.osd_defaults.update(
        osd_min_pg_log_entries='250',
        osd_max_pg_log_entries='250',
    )
    for osd in cluster.topology().osds:
        cluster.set_osd(osd, used_bytes=0, size_bytes=1 << 40)
    with tempfile.TemporaryDirectory() as path:
        yield Rig(cluster, pathlib.Path(path))


class Gateways:
    """Serve all groups."""

    def of(self, group: Any) -> Service:
        return Service(
            (Endpoint('h', 80),), '/keys', 'h', 'x86_64', '20.2.4', 'there'
        )


def background(plan: RunPlan, settings: Settings) -> Background:
    """Return what makes the load of a test."""
    test = plan.recovery
    assert test is not None
    parts = BackgroundParts(plan, test, access, settings=settings)
    driver = driver_of_test(test.workloads)
    if driver.name == 's3':
        return S3Background(parts, Gateways())  # type: ignore[arg-type]
    return driver.background(parts)


def access(pool: str) -> Access:
    return Access('/conf', '/keyring', 'client.x', pool)


def done(rig: Rig, settings: Settings = Settings(), **options: Any) -> Any:
    """Return all that a test does: its plan, and the jobs of its load."""
    words = {'groups': ('x86', 'arm'), 'seed': 1, **options}
    plan = rig.service.tests.draft(RecoveryRequest(**words)).plan
    plan = dataclasses.replace(plan, run='deadbeef')
    assert plan.recovery is not None
    loads = background(plan, settings)
    jobs = []
    for group in plan.groups:
        jobs.append(loads.fill(group))
        jobs.extend(loads.beside(group, 1, 1, 60.0).values())
        jobs.append(log_fill(plan, access, group))
    found = to_data(plan)
    for name in ECHOED:
        del found['recovery'][name]
    text = repr(found)
    for name in (p.name for g in plan.groups for p in g.pools):
        text = text.replace(name.split('.')[1], 'RUN')
    return text, jobs


def test_every_option_has_a_sample() -> None:
    assert {o.name for o in RECOVERY_RUN} == set(SAMPLES) | set(CASES)


@pytest.mark.parametrize('scenario, workloads', TESTS)
def test_an_option_is_used_or_refused(
    rig: Rig, scenario: Scenario, workloads: Tuple[str, ...]
) -> None:
    own = {'scenario': scenario.value, 'workloads': workloads}
    without = done(rig, **own)
    ignored = []
    for name, value in SAMPLES.items():
        try:
            changed = done(rig, **own, **{name: value})
        except InvalidArgument:
            continue
        if changed == without:
            ignored.append(name)
    assert ignored == []


@pytest.mark.parametrize('name', sorted(SAMPLES))
def test_each_option_is_used_by_a_test(rig: Rig, name: str) -> None:
    """Else it would be refused everywhere."""
    own: Dict[str, Any] = {'scenario': 'host-stop'}
    if name == 'step_timeout':
        own['stop_by'] = 'operator'
    if name == 'nodes':
        own['replicas'] = 4
    if name in ('replicas', 'ec_profile'):
        own = {'scenario': 'backfill'}
    if name in ('block_size', 'images'):
        own['workloads'] = ('rbd-randrw',)
    assert done(rig, **own, **{name: SAMPLES[name]}) != done(rig, **own)


@pytest.mark.parametrize('workload', load.beside_recovery()['s3'])
def test_settings_of_s3_hold_beside_a_recovery(
    rig: Rig, workload: str
) -> None:
    own = {'scenario': 'backfill', 'workloads': (workload,)}
    found = [
        repr(done(rig, settings, **own)[1])
        for settings in (
            Settings(),
            Settings(s3_verify_share=0.75),
            Settings(s3_sign_payload=True),
        )
    ]
    assert len(set(found)) == 3


def test_a_test_of_one_group_is_not_told_to_compare_runs(rig: Rig) -> None:
    request = RecoveryRequest(groups=('x86',), seed=1)
    labels = rig.service.tests.draft(request).plan.labels
    assert not [label for label in labels if 'with a run' in label]
