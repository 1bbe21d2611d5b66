"""The seam of drivers: one that nobody knew goes all the way."""

import dataclasses
import inspect
import pathlib
import re

import pytest

from ...app.requests import RunRequest
from ...cli import options as cli
from ...common.errors import InvalidArgument
from ...common.option import Option
from ...drivers.driver import DriverSpec
from ...drivers.rados.driver import RadosDriver
from ...model import load
from ...model.run import RunState
from ...planning import estimate
from ...planning.loads import LoadPlanner, PoolNeed
from ...planning.rados import planner as rados
from ...recovery.plan.request import RecoveryRequest
from ...remote import calls
from ...report import plan as plantext
from ...report import text
from ..fakes import running

MODULE = pathlib.Path(__file__).parents[2]
cluster = running.cluster
folder = running.folder
rig = running.rig


class ToyDriver(RadosDriver):
    """Write as `rados bench` does, and call it another name."""

    def trial(self, workload, group, tag):
        job = super().trial(workload, group, tag)
        return dataclasses.replace(job, op='write')


class Toy(DriverSpec):
    name = 'toy'
    title = 'toy'
    operations = (load.Operation('toy-put', direct=True),)
    planner = rados.PLANNER
    options = (
        Option('toy_speed', int, 'How fast a toy is', least=1, most=9),
    )

    def trials(self, parts):
        return ToyDriver(parts.plan, parts.pools, parts.access)

    def tools(self, given):
        return ('zstd',)


class BrickPlanner(LoadPlanner):
    """Keep one brick of a megabyte for each OSD in a pool of its own."""

    def role(self, workload, group):
        return 'bricks'

    def full_pools(self, profile, options):
        return 1

    def pools(self, draft, group, scale):
        total = len(group.osds) << 20
        return [
            PoolNeed('bricks', total, True, application='toys'),
            PoolNeed('box', 1 << 20, True, replicated=True, small=True),
        ]

    def holds(self, plan, group, pool):
        return 'bricks of a megabyte' if pool.role == 'bricks' else ''

    def labels(self, draft):
        return ['bricks are no objects']

    def fill_seconds(self, plan):
        return 12345.0

    def deadline_extra(self, workload):
        return 99.0

    def check(self, profile, options):
        if options.driver('toy_speed') == 9:
            raise InvalidArgument('bricks cannot be that fast')


class Bricks(Toy):
    planner = BrickPlanner()


def test_it_sizes_its_own_pools_and_says_what_they_hold(rig):
    with load.also(Bricks()):
        request = RunRequest.of_words(GIVEN)
        draft = rig.service.draft(request)
        plan = draft.plan
        shown = plantext.shown(draft).text
        (workload,) = {w.size: w for w in plan.profile.workloads}.values()
        assert estimate.pool_of(plan.groups[0], workload).role == 'bricks'
        assert estimate.trial_deadline(workload) == (
            workload.warmup + workload.duration + 99
        )
        with pytest.raises(InvalidArgument, match='cannot be that fast'):
            rig.service.draft(RunRequest.of_words(dict(GIVEN, toy_speed=9)))
    assert 'bricks are no objects' in plan.labels
    assert 'for the run, bricks' not in shown
    assert 'new in each round, bricks of a megabyte' in shown
    assert plan.seconds > 12345
    for group in plan.groups:
        bricks, box = group.pools
        assert bricks.max_bytes == len(group.osds) << 20
        assert bricks.application == 'toys'
        assert box.pg_num <= 8


@pytest.fixture
def toy():
    with load.also(Toy()):
        yield


GIVEN = {
    'group': ['x86', 'arm'],
    'profile': 'smoke',
    'workload': ['toy-put'],
    'toy_speed': 3,
}


def test_its_options_are_those_of_the_command_line(toy):
    @cli.taking(cli.run_options(), 'dry_run')
    def run(self, dry_run: bool = False, **given) -> str:
        return ''

    assert 'toy_speed' in inspect.getfullargspec(run).args
    assert RunRequest.of_words(GIVEN).options().driver('toy_speed') == 3
    assert 'toy_speed' in {o.name for o in cli.commands()['run']}


def test_it_is_planned_checked_run_stored_and_compared(toy, rig):
    request = RunRequest.of_words(GIVEN)
    draft = rig.service.draft(request)
    assert {w.tool for w in draft.plan.profile.workloads} == {'toy'}
    assert 'toy-put-4K' in plantext.shown(draft).text
    assert any('zstd' in c.message for c in draft.preflight.checks)
    detail = rig.execute(request)
    assert detail.run.state is RunState.COMPLETED, detail.run.reason
    assert detail.run.plan.options.driver('toy_speed') == 3
    assert {t.workload.partition('-4K')[0] for t in detail.trials} == {
        'toy-put'
    }
    found = rig.service.results.compare('x86', 'arm', [])
    assert 'toy-put-4K' in text.render(found)


def test_rest_takes_and_refuses_its_option(toy, rig):
    body = {
        'groups': ['x86', 'arm'],
        'profile': 'smoke',
        'workloads': ['toy-put'],
        'toy_speed': 3,
    }
    answer = calls.call(rig.service, 'plan', body)
    assert answer['data']['plan']['options']['toy_speed'] == 3
    for value, why in ((99, 'toy_speed 99 is out'), ('x', 'toy_speed')):
        answer = calls.call(rig.service, 'plan', dict(body, toy_speed=value))
        assert why in answer['error']


def test_nobody_knows_it_without_its_line_in_the_registry(rig):
    with pytest.raises(InvalidArgument, match="'toy-put' is not one of"):
        rig.service.draft(
            RunRequest(groups=('x86', 'arm'), workloads=('toy-put',))
        )


def test_loads_of_two_drivers_beside_a_recovery_are_refused():
    request = RecoveryRequest(groups=('a',), workloads=('write', 's3-get'))
    with pytest.raises(InvalidArgument, match='through S3 and through RADOS'):
        request.checked()


# What still names operations or options of S3 beside its own folders. Each
# line is to go; none may come.
REMAIN = {
    'composition.py',  # which tool makes S3 loads
    'guard/collect/tools.py',  # what `doctor` says of tools
    'model/plan.py',  # whether gateways are placed
    'model/s3_clients.py',  # what warp cannot do
    'planning/plan.py',  # where indexes are
    'planning/profiles/applied.py',  # which tool makes S3 loads
    'planning/s3/index.py',  # where indexes are
    'planning/s3/labels.py',  # what readers have to know
    'planning/s3/lingering.py',  # of uploads in parts all is freed late
    'planning/s3/options.py',  # which options exclude each other
    'planning/s3/plan.py',  # is below `planning`, which plans its pools
    'planning/s3/refusals.py',  # what --mix is for
    'report/plan.py',  # gateways on a host
}
OWN = (
    'drivers/s3/',
    'drivers/warp/',
    'worker/',
    'tests/',
)
NAMES = re.compile(
    r"""['"`]s3-(put|get|stat|delete|mixed|range|list|overwrite|copy"""
    r"""|multidelete|multipart)['"`]|\bs3_client\b|\bs3_tls\b"""
    r"""|\brgw_index_class\b|\bgateway_source\b|--(s3-client|s3-tls|gateways"""
    r"""|rgw-index-class|gateway-source)\b"""
    r"""|driver\('gateways'\)"""
)


def test_operations_and_options_of_s3_are_named_where_they_belong():
    found = {
        path.relative_to(MODULE).as_posix()
        for path in MODULE.rglob('*.py')
        if NAMES.search(path.read_text(encoding='utf-8'))
    }
    assert {f for f in found if not f.startswith(OWN)} == REMAIN
