"""The manual names what the module has, and nothing else."""

import re
from pathlib import Path

import pytest

from perfcompare.settings import OPTIONS

DOC = Path(__file__).parents[5] / 'doc' / 'mgr'
PAGE = DOC / 'perfcompare.rst'

pytestmark = pytest.mark.skipif(
    not PAGE.is_file(), reason='the manual is not beside the sources'
)


def test_manual_has_exactly_the_options_of_the_module():
    text = PAGE.read_text(encoding='utf-8')
    names = [o['name'] for o in OPTIONS]
    assert re.findall(r'^\.\. confval:: (\S+)', text, re.M) == names


def test_table_of_options_has_types_and_defaults():
    cells = re.findall(
        r'^   \* - ``(\w+)``\n     - (\S+)\n     - (\S+)\n',
        PAGE.read_text(encoding='utf-8'),
        re.M,
    )
    shown = {
        o['name']: (o['type'], str(o['default']).lower() or '(empty)')
        for o in OPTIONS
    }
    assert {name: (kind, value) for name, kind, value in cells} == shown


def test_manual_has_every_command():
    pytest.importorskip('mgr_module')
    from perfcompare import cli, module  # noqa: F401

    text = ''.join(
        p.read_text(encoding='utf-8') for p in sorted(DOC.rglob('*.rst'))
    )
    commands = {c for c in cli.Registry.COMMANDS if 'perfcompare' in c}
    assert commands
    assert not [c for c in commands if not re.search(rf'ceph {c}\b', text)]
