"""Tests of the files and the page that the dashboard serves for us."""

import errno
import json
import sys

import pytest

from ..fakes import dashboard as fake
from ..fakes import dashboard_part
from ..fakes.dashboard_part import answer_of, controller

host = dashboard_part.host
part = dashboard_part.part

pytestmark = pytest.mark.skipif(
    not fake.LOADER.is_file(), reason='the plugin is not beside the sources'
)


# the files


@pytest.fixture
def files(host, part, monkeypatch, tmp_path):
    (tmp_path / 'index.html').write_text('page')
    found = part['assets'].Assets(str(tmp_path))
    monkeypatch.setattr(part['ui'], 'assets', lambda: found)
    monkeypatch.setattr(part['ui'], 'serve_file', lambda path, **_: path)
    return controller('PerfcompareUi')


def test_a_file_is_served_by_its_name(files):
    assert files('').endswith('index.html')
    headers = sys.modules['cherrypy'].response.headers
    assert headers['Cache-Control'] == 'no-cache'


@pytest.mark.parametrize(
    'name, method, mode, status',
    [
        ('nothing.js', 'GET', 'full', 404),
        ('index.html', 'POST', 'full', 405),
        ('index.html', 'GET', 'off', 404),
    ],
)
def test_other_files_are_refused(host, files, name, method, mode, status):
    cherrypy = sys.modules['cherrypy']
    host.mgr.options['perfcompare/dashboard_ui'] = mode
    cherrypy.request.method = method
    with pytest.raises(cherrypy.HTTPError) as refused:
        files(name)
    assert refused.value.args == (status,)


@pytest.mark.parametrize(
    'found, kept', [('HTTPError', False), ('HTTPRedirect', True)]
)
def test_that_a_file_is_gone_is_not_kept_as_long_as_it(
    part, files, monkeypatch, found, kept
):
    """An upgrade replaces the files while the Manager has the old list."""
    cherrypy = sys.modules['cherrypy']
    error = getattr(cherrypy, found)

    def gone(path, **_):
        raise error(404)

    monkeypatch.setattr(part['ui'], 'serve_file', gone)
    with pytest.raises(error):
        files('')
    assert ('Cache-Control' in cherrypy.response.headers) is kept


def test_the_bare_path_leads_to_the_page_below_a_prefix(files):
    cherrypy = sys.modules['cherrypy']
    cherrypy.request.path_info = '/prefix/perfcompare-ui'
    with pytest.raises(cherrypy.HTTPRedirect) as sent:
        files.root()
    assert sent.value.args == ('/prefix/perfcompare-ui/index.html', 302)


# files to keep


def test_few_files_are_sent_at_one_time(host, part):
    """A slow browser holds a thread; the dashboard has few."""
    cherrypy = sys.modules['cherrypy']
    most = part['downloads'].MOST
    runs = controller('PerfcompareRun')
    host.mgr.answer = {'data': '{"run": 1}'}
    sent = []
    for _ in range(most):
        cherrypy.request.hooks = fake.Hooks()
        sent.append(cherrypy.request.hooks)
        assert b''.join(runs.export('r')) == b'{"run": 1}'
    cherrypy.request.hooks = fake.Hooks()
    asked = len(host.mgr.calls)
    status, body = answer_of(host, runs.export, 'r')
    assert (status, len(host.mgr.calls)) == (202, asked)
    found = json.loads(b''.join(body))
    assert found['code'] == 'in_progress'
    assert 'files are being sent' in found['detail']
    assert cherrypy.response.headers['Retry-After'] == '1'
    sent.pop().run()  # one browser has its last byte
    assert answer_of(host, runs.export, 'r')[0] == 200


@pytest.mark.parametrize(
    'answer',
    [
        {'errno': errno.ENOENT, 'error': 'no run r'},
        {'errno': errno.EAGAIN, 'error': '10 %', 'code': 'in_progress'},
        ImportError(),
        RuntimeError('a traceback'),
    ],
)
def test_a_refusal_holds_no_place_of_those_that_send(host, part, answer):
    runs = controller('PerfcompareRun')
    host.mgr.answer = answer
    for _ in range(part['downloads'].MOST + 1):
        answer_of(host, runs.export, 'r')
    host.mgr.answer = {'data': '{}'}
    assert answer_of(host, runs.export, 'r')[0] == 200


# the index page


@pytest.fixture
def index(host, part, monkeypatch, tmp_path):
    (tmp_path / 'shell.js').write_text('shell')
    files = part['assets'].Assets(str(tmp_path))
    monkeypatch.setattr(part['hook'], 'assets', lambda: files)
    home = sys.modules['dashboard.controllers.home'].HomeController
    return home()


def test_the_index_page_has_our_line(index):
    body = index('')
    assert body.count(b'<script src="perfcompare-ui/shell.js?v=') == 1
    assert body.index(b'shell.js') < body.index(b'</head>')
    headers = sys.modules['cherrypy'].response.headers
    assert headers['Content-Length'] == str(len(body))
    assert 'Last-Modified' not in headers


def test_our_validator_is_answered_and_others_are_not(index):
    cherrypy = sys.modules['cherrypy']
    index('index.html')
    validator = cherrypy.response.headers['ETag']
    cherrypy.request.headers['If-None-Match'] = '"x", ' + validator
    with pytest.raises(cherrypy.HTTPRedirect):
        index('')
    cherrypy.request.headers['If-None-Match'] = '"x"'
    assert b'shell.js' in index('')
    assert 'If-None-Match' not in cherrypy.request.headers


@pytest.mark.parametrize(
    'path, method, mode',
    [
        ('main.js', 'GET', 'full'),
        ('', 'POST', 'full'),
        ('', 'GET', 'standalone'),
        ('', 'GET', 'off'),
    ],
)
def test_all_else_is_as_it_was(host, index, path, method, mode):
    host.mgr.options['perfcompare/dashboard_ui'] = mode
    sys.modules['cherrypy'].request.method = method
    assert b''.join(index(path)) == fake.HomeController.page


def test_a_page_of_another_shape_is_left_alone(index, monkeypatch):
    """Another release may answer with text, or with nothing."""
    monkeypatch.setattr(fake.HomeController, 'page', 'text')
    assert ''.join(index('')) == 'text'


def test_what_the_host_raises_is_the_hosts_own(host, part, monkeypatch):
    home = sys.modules['dashboard.controllers.home'].HomeController
    monkeypatch.setattr(fake.HomeController, 'page', None)
    cherrypy = sys.modules['cherrypy']
    monkeypatch.setattr(part['hook'], '_applies', lambda path: True)

    class Headers(dict):
        def __setitem__(self, name, value):
            raise cherrypy.HTTPError(404)

    cherrypy.response.headers = Headers()
    with pytest.raises(cherrypy.HTTPError):
        home()('')


def test_a_page_that_is_not_known_is_left_alone(index, part):
    page = part['page']
    line = page.tag('abc')
    assert page.inject(b'<p>no anchor</p>', line) == b'<p>no anchor</p>'
    once = page.inject(b'<head></head>', line)
    assert page.inject(once, line) == once


def test_without_files_there_is_no_line(host, part, monkeypatch, tmp_path):
    files = part['assets'].Assets(str(tmp_path / 'none'))
    monkeypatch.setattr(part['hook'], 'assets', lambda: files)
    home = sys.modules['dashboard.controllers.home'].HomeController
    assert b''.join(home()('')) == fake.HomeController.page


def test_only_listed_files_are_found(part, tmp_path):
    (tmp_path / 'main.js').write_text('x')
    (tmp_path / 'secret.key').write_text('x')
    (tmp_path / 'link.js').symlink_to('/etc/passwd')
    (tmp_path / 'sub').mkdir()
    (tmp_path / 'sub' / 'a.css').write_text('x')
    files = part['assets'].Assets(str(tmp_path))
    assert sorted(files.files) == ['main.js', 'sub/a.css']
    for name in ('../main.js', '/etc/passwd', 'sub/../main.js', ''):
        assert files.path(name) is None


@pytest.mark.parametrize(
    'name, kept',
    [
        ('chunk-AdRUOtM-.js', True),
        ('main.js', False),
        ('shell.js', False),
        ('index.html', False),
        ('chunk-ABCD234.js', False),
        ('chunk-ABCD2345.js.html', False),
        ('de/chunk-AdRUOtM-.js', True),
        ('zh-Hans/chunk-AdRUOtM-.js', True),
        ('de/main.js', False),
        ('de/sub/chunk-ABCD2345.js', False),
    ],
)
def test_only_what_is_named_by_its_content_is_kept(part, name, kept):
    """All else keeps its name in an upgrade: browsers have to ask."""
    found = part['assets'].cache_control(name)
    assert ('immutable' in found) is kept
    assert (found == 'no-cache') is not kept
