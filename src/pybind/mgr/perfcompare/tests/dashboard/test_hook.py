"""Tests that a fault of ours leaves the dashboard's index page alone.

Each function that a request for it may come through is broken in turn; what
is new in these files is found and broken as well.
"""

import inspect
import sys

import pytest

from ..fakes import dashboard as fake
from ..fakes import dashboard_part

host = dashboard_part.host
part = dashboard_part.part

pytestmark = pytest.mark.skipif(
    not fake.LOADER.is_file(), reason='the plugin is not beside the sources'
)

FILES = ('hook', 'page', 'mode')
# once, at the start, where the loader catches what it raises
AT_START = {'hook.install'}
HOST = {'Last-Modified': 'then'}


def functions(part):
    """Return our functions by name: (where it is, its attribute)."""
    found = {}
    for file in FILES:
        module = part[file]
        for name, value in vars(module).items():
            if getattr(value, '__module__', '') != module.__name__:
                continue
            if inspect.isclass(value):
                for method, function in vars(value).items():
                    if inspect.isfunction(function):
                        found[f'{file}.{name}.{method}'] = (value, method)
            elif inspect.isfunction(value):
                found[f'{file}.{name}'] = (module, name)
    found['hook.assets'] = (part['hook'], 'assets')
    return {n: f for n, f in found.items() if n not in AT_START}


def broken(*_args, **_kwargs):
    raise SystemError('a fault of ours')


@pytest.fixture
def index(host, part, monkeypatch, tmp_path):
    """Return the index page; cherrypy's request and answer are new."""
    (tmp_path / 'shell.js').write_text('shell')
    files = part['assets'].Assets(str(tmp_path))
    monkeypatch.setattr(part['hook'], 'assets', lambda: files)
    cherrypy = sys.modules['cherrypy']

    def ask(**headers):
        asked = {n.replace('_', '-'): v for n, v in headers.items()}
        cherrypy.request.headers = asked
        cherrypy.response.headers = {}
        cherrypy.response.status = 200
        found = sys.modules['dashboard.controllers.home'].HomeController()('')
        body = found if isinstance(found, bytes) else b''.join(found)
        return body, asked, cherrypy.response.headers

    return ask


def test_there_is_a_tab_while_nothing_is_broken(index, part):
    body, _, headers = index()
    assert b'perfcompare-ui/shell.js' in body
    assert headers['ETag'].startswith('W/"perfcompare-')
    assert {
        'hook._applies',
        'hook._Before.__init__',
        'hook._Before.take_conditions',
        'hook._Before.restore',
        'hook._joined',
        'hook._answer',
        'hook.assets',
        'mode.current',
        'page.tag',
        'page.inject',
        'page.etag',
        'page.matches',
    } <= set(functions(part))


def test_with_each_function_broken_the_page_is_the_hosts(
    index, part, monkeypatch
):
    idle = set()
    for name, (where, attribute) in functions(part).items():
        with monkeypatch.context() as patch:
            patch.setattr(where, attribute, broken)
            body, asked, headers = index(If_None_Match='W/"of the host"')
        if b'perfcompare-ui' in body:
            idle.add(name)
            continue
        assert body == fake.HomeController.page, name
        assert headers == HOST, name
        assert asked == {'If-None-Match': 'W/"of the host"'}, name
        assert sys.modules['cherrypy'].response.status == 200, name
    # these are only asked when another one is broken
    assert idle == {'hook._Before.restore', 'hook._without_tab'}
    assert b'perfcompare-ui' in index()[0]


def test_with_the_way_back_broken_as_well_there_is_a_page(
    index, part, monkeypatch
):
    """Not with all of its headers, but one that can be worked with."""
    way_back = part['hook']._Before
    for name, (where, attribute) in functions(part).items():
        if name == 'hook._without_tab':
            continue
        with monkeypatch.context() as patch:
            patch.setattr(way_back, 'restore', broken)
            patch.setattr(where, attribute, broken)
            body, _, headers = index()
        if name != 'hook._Before.restore':
            assert body == fake.HomeController.page, name
            assert headers['Last-Modified'] == 'then', name


@pytest.mark.parametrize('odd', [None, 5, 'text', ()])
def test_what_is_no_page_is_not_sent(index, part, monkeypatch, odd):
    """A function that answers with nonsense is as broken as others."""
    for name in ('tag', 'inject'):
        with monkeypatch.context() as patch:
            patch.setattr(part['page'], name, lambda *_: odd)
            body, _, headers = index()
        assert body == fake.HomeController.page, name
        assert headers == HOST, name


def test_a_half_taken_request_is_given_back(index, part, monkeypatch):
    class Headers(dict):
        def pop(self, name):
            if name == 'Range':
                raise SystemError('a fault')
            return super().pop(name)

    cherrypy = sys.modules['cherrypy']
    home = sys.modules['dashboard.controllers.home'].HomeController()
    given = {'If-None-Match': 'W/"of the host"', 'Range': 'bytes=0-9'}
    cherrypy.request.headers = Headers(given)
    assert b''.join(home('')) == fake.HomeController.page
    assert dict(cherrypy.request.headers) == given


def test_a_broken_hook_is_not_installed_and_the_host_goes_on(
    host, monkeypatch
):
    """The hook comes last: what fails before it leaves no part of it."""
    home = sys.modules['dashboard.controllers.home']
    own = home.HomeController
    with monkeypatch.context() as patch:
        patch.setattr(home, 'HomeController', object())
        assert fake.load() is None
    assert b''.join(own()('')) == fake.HomeController.page
    assert fake.BaseController._registry == []
