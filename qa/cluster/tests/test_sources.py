"""The module's sources as a cluster has them."""

import os
import pathlib

import pytest

from .. import sources


@pytest.mark.process
@pytest.mark.skipif(os.geteuid() != 0, reason='needs root: chroot')
def test_sources_are_compiled_once_without_their_tests(
    tmp_path: pathlib.Path,
) -> None:
    """What is compiled already stays as it is."""
    for name in ('part.py', 'tests/test_part.py', 'wrong.py'):
        path = tmp_path / name
        path.parent.mkdir(exist_ok=True)
        path.write_text('(' if name == 'wrong.py' else 'X = 1\n')
    sources.compile_python('/', str(tmp_path))
    (made,) = tmp_path.rglob('*.pyc')
    assert made.parent == tmp_path / '__pycache__'
    assert made.name.startswith('part.')
    before = made.stat().st_mtime_ns
    sources.compile_python('/', str(tmp_path))
    assert made.stat().st_mtime_ns == before


@pytest.mark.process
@pytest.mark.skipif(os.geteuid() != 0, reason='needs root: chroot')
def test_a_root_without_python_is_gone_on_with(
    tmp_path: pathlib.Path,
) -> None:
    """Byte code is only speed."""
    (tmp_path / 'module').mkdir()
    (tmp_path / 'module/part.py').write_text('X = 1\n')
    sources.compile_python(str(tmp_path), '/module')
    assert [p.name for p in tmp_path.rglob('*')] == ['module', 'part.py']
