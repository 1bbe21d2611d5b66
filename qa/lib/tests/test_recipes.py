# mypy: ignore-errors
"""What the manual prints to copy the module, given to a folder."""

import pathlib
import subprocess
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2]))

from integration import recipes  # noqa: E402

MODULE = 'src/pybind/mgr/perfcompare'
CONTROLLER = 'dashboard-plugin/controller/perfcompare.py'
PAGES = {
    'installation': 'Containers: Bind Mounts',
    'first-result': '1. Install and Enable',
}


def version(folder, *names):
    """Make the sources of a version with these files."""
    for name in (*names, CONTROLLER):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(folder.name, encoding='utf-8')
    return folder


def copy(page, sources, opt):
    """Give the commands of a page to copy these sources."""
    for command in recipes.commands(page, PAGES[page])[0]:
        line = 'umask 077; ' + command.replace('/opt/', f'{opt}/')
        subprocess.run(['sh', '-c', line], cwd=sources, check=True)


def files(folder):
    return {
        str(path.relative_to(folder)): path.read_text(encoding='utf-8')
        for path in folder.rglob('*')
        if path.is_file()
    }


@pytest.mark.process
@pytest.mark.parametrize('page', sorted(PAGES))
def test_copied_over_a_former_version_it_is_the_new_one(page, tmp_path):
    old = version(
        tmp_path / 'old',
        f'{MODULE}/worker/former.py',
        f'{MODULE}/worker/run.py',
        'dashboard-plugin/dist/index.html',
        'dashboard-plugin/dist/former.js',
    )
    new = version(
        tmp_path / 'new',
        f'{MODULE}/worker/run.py',
        'dashboard-plugin/dist/index.html',
    )
    opt = tmp_path / 'opt'
    for sources in (old, new):
        copy(page, sources, opt)
    assert files(opt / 'perfcompare') == {
        'perfcompare/worker/run.py': 'new',
        'perfcompare-ui/index.html': 'new',
        'controller.py': 'new',
    }


@pytest.mark.process
@pytest.mark.parametrize('page', sorted(PAGES))
def test_a_manager_that_is_not_root_can_read_what_was_copied(page, tmp_path):
    sources = version(
        tmp_path / 'new', f'{MODULE}/worker/run.py',
        'dashboard-plugin/dist/index.html',
    )  # fmt: skip
    for path in sources.rglob('*'):
        path.chmod(0o700 if path.is_dir() else 0o600)
    copy(page, sources, tmp_path / 'opt')
    top = tmp_path / 'opt/perfcompare'
    for path in (top, *top.rglob('*')):
        wanted = 0o555 if path.is_dir() else 0o444
        assert path.stat().st_mode & wanted == wanted, path


def test_load_hosts_go_before_the_module_that_knows_them_is_disabled():
    blocks = recipes.commands('installation', 'Removing')
    printed = [command for block in blocks for command in block]
    ends = recipes.commands('load-hosts', 'With cephadm')[2]
    first = [printed.index(c.replace('load-1', '<host>')) for c in ends]
    assert first == sorted(first)
    disable = printed.index('ceph mgr module disable perfcompare')
    assert printed.index('ceph perfcompare load-host ls') < first[0]
    assert first[-1] < disable


def test_what_is_secret_goes_before_the_module_that_knows_it_is_disabled():
    blocks = recipes.commands('installation', 'Removing')
    printed = [command for block in blocks for command in block]
    disable = printed.index('ceph mgr module disable perfcompare')
    for command in (
        'ceph perfcompare gateways ls',
        'ceph perfcompare gateways rm <group>',
        'ceph perfcompare exporter rm',
        'ceph orch host label rm <host> loadgen',
    ):
        assert printed.index(command) < disable
    text = recipes.section('installation', 'Removing')
    remains = text[text.index('\nWhat remains') :]
    for key in ('gateway-keys/', 'gateway-ca/', 'exporter/', 'load-host/'):
        assert f'``{key}' in remains


def test_a_host_gets_its_key_before_the_label_that_starts_its_agent():
    key, keyring, label = recipes.commands('load-hosts', 'With cephadm')[0]
    assert key == 'ceph perfcompare load-host add load-1'
    assert keyring.startswith('ceph orch client-keyring set ')
    assert label == 'ceph orch host label add load-1 loadgen'
