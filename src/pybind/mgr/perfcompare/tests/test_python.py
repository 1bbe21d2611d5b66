"""A Manager whose Python is too old is told so, and runs nothing."""

import ast
import importlib.util
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / '__init__.py'
NAME = 'perfcompare_of_old'


def test_every_python_of_reef_can_read_the_package():
    ast.parse(PACKAGE.read_text(encoding='utf-8'), feature_version=(3, 6))


@pytest.mark.parametrize('version', [(3, 6, 8), (3, 8, 17)])
def test_an_old_python_is_the_reason(monkeypatch, version):
    pytest.importorskip('mgr_module')
    spec = importlib.util.spec_from_file_location(NAME, PACKAGE)
    package = importlib.util.module_from_spec(spec)
    with monkeypatch.context() as patch:
        patch.setattr(sys, 'version_info', version)
        spec.loader.exec_module(package)
        can_run, reason = package.Module.can_run()
    assert not can_run
    assert f'Python {version[0]}.{version[1]}, ' in reason
    assert 'needs 3.9 or later' in reason


def test_this_python_can_run():
    pytest.importorskip('mgr_module')
    from perfcompare import module

    assert module.Module.can_run() == (True, '')
