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
        for command in recipes.commands(page, PAGES[page])[0]:
            line = command.replace('/opt/', f'{opt}/')
            subprocess.run(['sh', '-c', line], cwd=sources, check=True)
    assert files(opt / 'perfcompare') == {
        'perfcompare/worker/run.py': 'new',
        'perfcompare-ui/index.html': 'new',
        'controller.py': 'new',
    }


def test_load_hosts_go_before_the_module_that_knows_them_is_disabled():
    blocks = recipes.commands('installation', 'Removing')
    printed = [command for block in blocks for command in block]
    ends = recipes.commands('load-hosts', 'With cephadm')[2]
    first = [printed.index(c.replace('load-1', '<host>')) for c in ends]
    assert first == sorted(first)
    disable = printed.index('ceph mgr module disable perfcompare')
    assert printed.index('ceph perfcompare load-host ls') < first[0]
    assert first[-1] < disable
