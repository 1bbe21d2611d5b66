#!/usr/bin/env python3
"""Write what the API answers as JSON, for the unit tests of the dashboard.

The data are synthetic, the code that judges them is the module's own:
run it again when a dataclass changes. Usage: fixtures.py <folder>
"""

import json
import pathlib
import random
import sys
import types

HERE = pathlib.Path(__file__).resolve()
sys.path.insert(0, str(HERE.parents[3] / 'src' / 'pybind' / 'mgr'))
sys.path.insert(0, str(HERE.parent))

import dataclasses  # noqa: E402
import importlib.util  # noqa: E402

from measured import (  # noqa: E402
    RATIOS,
    RUN,
    START,
    evidence,
    scene,
    series,
)

from perfcompare.analysis.comparison import compare  # noqa: E402
from perfcompare.app.requests import RunDetail, Status  # noqa: E402
from perfcompare.common.codec import to_data  # noqa: E402
from perfcompare.drivers import registry  # noqa: E402, F401
from perfcompare.groups.detection import Detection, Proposal  # noqa: E402
from perfcompare.groups.repository import GroupEntry  # noqa: E402
from perfcompare.guard.checks.finding import Severity  # noqa: E402
from perfcompare.guard.checks.preflight import Check  # noqa: E402
from perfcompare.guard.checks.preflight import PreflightReport  # noqa: E402
from perfcompare.model.group import Group, GroupSpec  # noqa: E402
from perfcompare.model.run import Progress, RunState  # noqa: E402
from perfcompare.model.topology import Osd  # noqa: E402
from perfcompare.planning.profiles.catalog import builtin  # noqa: E402
from perfcompare.store.rows import RunVerdicts  # noqa: E402
from perfcompare.store.rows import RunInfo, RunPage  # noqa: E402
from perfcompare.tests.data.curve_data import curve_scene  # noqa: E402
from perfcompare.tests.data.offered_data import offered_scene  # noqa: E402


def osds():
    """Return the OSDs of four hosts."""
    return [
        Osd(
            id=i,
            host=f'{"x86" if i < 8 else "arm"}-{1 + i // 4 % 2}',
            device_class='x86' if i < 8 else 'arm',
            up=i != 15,
            in_=True,
            crush_weight=1.0,
            arch='x86_64' if i < 8 else 'aarch64',
            cpu='AMD EPYC 7543' if i < 8 else 'Neoverse-N1',
            ceph_version='20.2.4',
            rotational=False,
            bdev_type='nvme',
            size_bytes=3_840_755_982_336,
            used_bytes=912_680_550_400,
        )
        for i in range(16)
    ]


def groups():
    """Return one group set, one device class and one broken group."""
    x86 = GroupSpec('x86', hosts=('x86-1', 'x86-2'), watts=820.0)
    arm = GroupSpec('arm', device_class='arm', note='emulated')
    gone = GroupSpec('old', hosts=('retired-1',))
    return [
        GroupEntry(
            x86,
            True,
            x86.placement,
            Group(x86, tuple(range(8)), x86.hosts, 2, ('x86_64',)),
        ),
        GroupEntry(
            arm,
            False,
            arm.placement,
            Group(
                arm,
                tuple(range(8, 15)),
                ('arm-1', 'arm-2'),
                2,
                ('aarch64',),
                (15,),
            ),
        ),
        GroupEntry(
            gone,
            True,
            gone.placement,
            None,
            "host 'retired-1' is not in the CRUSH map",
        ),
    ]


def page():
    """Return a list with one run of every kind of end."""

    def info(at, ident, state, **more):
        values = {
            'label': '',
            'profile': 'quick',
            'groups': ('x86', 'arm'),
            'created': START - 90000.0 * at,
            'started': START - 90000.0 * at + 2,
            'ended': START - 90000.0 * at + 1290,
            'reason': '',
            'origin': 'cli',
            'fsid': 'f',
            'trials': 96,
            'bytes': 1_403_233,
            'workloads': tuple(RATIOS),
        }
        return RunInfo(ident, state, **{**values, **more})

    return RunPage(
        (
            info(
                0,
                RUN,
                RunState.COMPLETED,
                verdicts=(RunVerdicts('arm', 2, 1, 1, 2),),
            ),
            info(
                1,
                '5e6f7a8b',
                RunState.ABORTED,
                reason='HEALTH: 1 OSD is down since 12 s',
                origin='dashboard',
                label='after firmware 2.4',
                trials=31,
                verdicts=(
                    RunVerdicts('arm', slower=1),
                    RunVerdicts('old', inconclusive=2),
                ),
            ),
            info(2, '77aa88bb', RunState.CANCELLED, trials=4, verdicts=()),
            info(
                3,
                '99ccddee',
                RunState.COMPLETED,
                origin='import:1f2e3d4c-aaaa',
                profile='standard',
                workloads=(),
                verdicts=(),
            ),
        ),
        4,
        0,
    )


def draft(plan):
    """Return a plan that needs consent."""
    checks = (
        Check('HEALTH', Severity.OK, 'HEALTH_OK'),
        Check('PGS', Severity.OK, 'all 129 PGs are active+clean'),
        Check(
            'LOAD',
            Severity.REFUSE,
            'other clients do 312 op/s on pool rbd',
            'wait, or give --yes-i-really-mean-it',
        ),
        Check(
            'STANDBYS',
            Severity.WARN,
            'there is no standby manager',
            'add one: a run ends when the manager does',
        ),
        Check('MCLOCK', Severity.INFO, 'profile balanced on all OSDs'),
    )
    return {
        'plan': plan,
        'text': 'run 0a1b2c3d\n  groups  x86, arm\n',
        'preflight': PreflightReport(checks, False, True),
        'digest': '0f1e2d3c4b5a6978',
    }


def declarations():
    """Return what forms are made of; the rest of `dashboard` needs Ceph's."""
    room = HERE.parents[3] / 'src/pybind/mgr/perfcompare/dashboard'
    package = types.ModuleType('perfcompare_dashboard')
    package.__path__ = [str(room)]
    sys.modules[package.__name__] = package
    name = f'{package.__name__}.declared'
    spec = importlib.util.spec_from_file_location(name, room / 'declared.py')
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    return made.form()


def main():
    """Write all fixtures."""
    folder = pathlib.Path(sys.argv[1])
    folder.mkdir(parents=True, exist_ok=True)
    made = scene()
    drawn = curve_scene(0.8)
    offered = offered_scene(0.7, limits={'arm': 500.0})
    rng = random.Random(2)
    brief = RunDetail(
        made.run,
        tuple(
            dataclasses.replace(t, manifest={}, evidence={})
            for t in made.trials
        ),
    )
    status = Status(
        Progress(
            '5e6f7a8b',
            RunState.TRIAL,
            0.42,
            640.0,
            3,
            7,
            'write-4K-c16 on arm',
            812.5,
            3.3e6,
            'second 4 of 10',
            eta_least=500.0,
        ),
        warnings=(),
    )
    idle = Status(None, f'{RUN} (completed)')
    rights = ['read', 'create', 'update', 'delete']
    found = groups()
    files = {
        'comparison': compare(made.side('x86'), made.side('arm')),
        'curves': compare(drawn.side('x86'), drawn.side('arm')),
        'offered': compare(offered.side('x86'), offered.side('arm')),
        'evidence': evidence(made),
        'run': brief,
        'trial': made.trials[-1],
        'series': series(rng, 1000.0),
        'status-active': {**to_data(status), 'permissions': rights},
        'status-idle': {**to_data(idle), 'permissions': rights},
        'groups': found,
        'osds': osds(),
        'runs': page(),
        'profiles': [p for _, p in sorted(builtin().items())],
        'draft': draft(made.run.plan),
        'options': declarations(),
        'proposals': Detection(
            tuple(
                Proposal(e.spec, 'x86_64', (0, 1), 'all report x86_64')
                for e in found[:2]
            ),
            ('osd.7 report no architecture',),
        ),
    }
    for name, value in files.items():
        text = json.dumps(to_data(value), indent=1, sort_keys=True)
        (folder / f'{name}.json').write_text(text + '\n')


if __name__ == '__main__':
    main()
