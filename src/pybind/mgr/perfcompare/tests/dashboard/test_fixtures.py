"""What the unit tests of the page are given is what the module answers."""

import importlib.util
import json
from pathlib import Path

import pytest

TOP = Path(__file__).parents[6]
APP = TOP / 'dashboard-plugin' / 'app'
FIXTURES = APP / 'src' / 'testing' / 'fixtures'
# the tool has no interpreter of its own: it needs yaml
MADE_BY = (
    '.tox/py3/bin/python dashboard-plugin/app/tools/fixtures.py '
    'dashboard-plugin/app/src/testing/fixtures'
)
AGAIN = f'run: {MADE_BY}'

pytestmark = pytest.mark.skipif(
    not FIXTURES.is_dir(), reason='the page is not beside the sources'
)


@pytest.fixture(scope='module')
def tool():
    """Return the tool that writes them."""
    spec = importlib.util.spec_from_file_location(
        'page_fixtures', APP / 'tools' / 'fixtures.py'
    )
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def plain(tool, value):
    return json.loads(json.dumps(tool.to_data(value)))


def kept(name):
    return json.loads((FIXTURES / f'{name}.json').read_text('utf-8'))


def test_profiles_are_those_of_the_module(tool):
    made = [p for _, p in sorted(tool.builtin().items())]
    assert kept('profiles') == plain(tool, made), AGAIN


def test_options_are_those_that_are_declared(tool):
    assert kept('options') == plain(tool, tool.declarations()), AGAIN


def test_a_list_of_runs_has_the_fields_of_today(tool):
    assert kept('runs') == plain(tool, tool.page()), AGAIN


def test_contributors_are_told_the_same_command():
    text = (TOP / 'CONTRIBUTING.md').read_text('utf-8')
    assert MADE_BY in ' '.join(text.split())
