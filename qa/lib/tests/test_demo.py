# mypy: ignore-errors
"""What qa/demo does before it has a cluster, with stand-ins of its tools."""

import os
import pathlib
import shutil
import subprocess

import pytest

QA = pathlib.Path(__file__).resolve().parents[2]
TOOL = '''#!/bin/sh
echo "$(basename "$0") $*" >>%s
%s
'''
# it ends where the module is enabled
MINICLUSTER = """case "$*" in
*\' up \'*) mkdir -p "$2" && touch "$2/token" ;;
*\' down\') rm -r "$2" ;;
*\'pg stat\'*) exit ${ANSWERS:-1} ;;
*\' exec \'*) exit 7 ;;
esac"""

pytestmark = pytest.mark.process


@pytest.fixture
def demo(tmp_path):
    """Return a function that runs it; what it did, and what it said."""
    log, tools = tmp_path / 'log', tmp_path / 'tools'

    def tool(path, body):
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(TOOL % (log, body))
        path.chmod(0o755)

    top = tmp_path / 'top'
    shutil.copytree(QA / 'lib', top / 'qa/lib')
    shutil.copy(QA / 'demo', top / 'qa/demo')
    tool(top / 'qa/minicluster', MINICLUSTER)
    tool(top / 'dashboard-plugin/build', '')

    def run(machine='x86_64', gigabytes=8, answers=False):
        tool(tools / 'uname', f'echo {machine}')
        tool(tools / 'df', f'echo Avail; echo {gigabytes}999')
        tool(tools / 'dpkg-query', 'echo ii')
        tool(tools / 'id', 'echo 0')
        done = subprocess.run(
            [str(top / 'qa/demo')],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            env={
                'PATH': f'{tools}:{os.environ["PATH"]}',
                'PERFCOMPARE_DEMO_DIR': str(tmp_path / 'cluster'),
                'PERFCOMPARE_CACHE': str(tmp_path / 'cache'),
                'ANSWERS': '0' if answers else '1',
            },
        )
        lines = log.read_text().split('\n')
        did = [
            line.replace(f'--dir {tmp_path}/cluster --release tentacle ', '')
            for line in lines
            if line.startswith(('minicluster', 'build'))
        ]
        return did, done.stdout

    return run


@pytest.fixture
def folder(tmp_path):
    """Return the folder of a cluster whose making was cut short."""
    found = tmp_path / 'cluster'
    found.mkdir()
    (found / 'token').touch()
    return found


def verbs(did):
    return [line.split()[1] for line in did if line.startswith('minicluster')]


def test_a_new_one_says_how_it_is_stopped(demo):
    did, said = demo()
    assert verbs(did) == ['fetch', 'up', 'exec']
    assert said.endswith('== to stop the cluster: qa/demo --stop\n')


def test_a_cluster_that_was_not_completed_is_made_anew(demo, folder):
    did, _ = demo(answers=True)
    assert verbs(did) == ['down', 'fetch', 'up', 'exec']


def test_one_that_does_not_answer_is_left_alone(demo, folder):
    (folder / 'dashboard.json').touch()
    did, said = demo()
    assert verbs(did) == ['exec']
    assert 'does not answer; run qa/demo --stop first' in said


def test_one_that_answers_is_gone_on_with(demo, folder):
    (folder / 'dashboard.json').touch()
    did, said = demo(answers=True, gigabytes=1)
    assert verbs(did) == ['exec', 'fetch', 'exec']
    assert 'going on with the cluster' in said


@pytest.mark.parametrize(
    'machine, why',
    [
        ({'machine': 'aarch64'}, 'this machine is aarch64'),
        ({'gigabytes': 7}, 'needs 8 GB of disk, only 7 GB are free'),
    ],
)
def test_what_it_cannot_do_is_said_before_it_builds(demo, machine, why):
    did, said = demo(**machine)
    assert did == []
    assert why in said
