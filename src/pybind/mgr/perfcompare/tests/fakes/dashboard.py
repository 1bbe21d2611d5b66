"""The dashboard module as our controllers see it, without a dashboard.

What the real one makes of them is seen by dashboard-plugin/e2e.
"""

import contextlib
import importlib.util
import json
import pathlib
import sys
import types

ROOT = pathlib.Path(__file__).parents[6]
LOADER = ROOT / 'dashboard-plugin' / 'controller' / 'perfcompare.py'
NAME = 'perfcompare_dashboard'
# the module's declarations, which no test changes: imported once
DECLARED = {}


def same(thing):
    return thing


def decorator(*_args, **_kwargs):
    return same


class BaseController:
    _registry = []

    def __init_subclass__(cls, skip_registry=False):
        if not skip_registry:
            BaseController._registry.append(cls)

    @classmethod
    def endpoints(cls):
        return []

    def _has_permissions(self, permission, scope=None):
        return permission in self.granted.get(scope or 'perfcompare', ())

    granted = {'perfcompare': ('read',)}


class RESTController(BaseController, skip_registry=True):
    Collection = staticmethod(decorator)
    Resource = staticmethod(decorator)


class HTTPError(Exception):
    def __init__(self, status, *message):
        super().__init__(status, *message)
        self.status = status


class HTTPRedirect(Exception):
    pass


class Mgr:
    """Answer `remote` with what a test has put into `answer`."""

    def __init__(self):
        self.options = {}
        self.answer = {'data': None}
        self.calls = []

    def get_module_option_ex(self, module, key, default=None):
        return self.options.get(f'{module}/{key}', default)

    def remote(self, module, method, name, args):
        self.calls.append((name, args))
        if isinstance(self.answer, BaseException):
            raise self.answer
        return self.answer


class HomeController:
    """Serve one page, as serve_file does."""

    page = b'<html><head></head><body></body></html>'

    def __call__(self, path, **params):
        cherrypy = sys.modules['cherrypy']
        cherrypy.response.headers['Last-Modified'] = 'then'
        return iter([self.page])

    __call__._endpoint = {'proxy': True}


class Hooks:
    """Run what is to be done when an answer was sent, as CherryPy does."""

    def __init__(self):
        self.attached = []

    def attach(self, point, callback):
        assert point == 'on_end_request'
        self.attached.append(callback)

    def run(self):
        while self.attached:
            self.attached.pop()()


def json_processor(entity):
    """Parse a body as CherryPy does."""
    request = sys.modules['cherrypy'].request
    request.json = json.loads(entity.fp.read())


def module(name, **names):
    made = types.ModuleType(name)
    made.__path__ = []
    made.__dict__.update(names)
    return made


def modules():
    """Return the modules that our part imports, made anew."""
    request = types.SimpleNamespace(headers={}, method='GET', hooks=Hooks())
    response = types.SimpleNamespace(headers={}, status=200)
    home = type('HomeController', (HomeController,), {})
    home.__call__ = HomeController.__call__
    role = lambda: types.SimpleNamespace(scopes_permissions={})  # noqa: E731
    names = ('administrator', 'cluster-manager', 'pool-manager', 'read-only')
    permission = types.SimpleNamespace(
        READ='read', CREATE='create', UPDATE='update', DELETE='delete'
    )
    words = (
        'APIDoc APIRouter CreatePermission Endpoint EndpointDoc Proxy '
        'ReadPermission Router UIRouter UpdatePermission allow_empty_body'
    )
    plain = ('ReadPermission', 'UpdatePermission', 'allow_empty_body')
    controllers = module(
        'dashboard.controllers',
        BaseController=BaseController,
        RESTController=RESTController,
        **{w: same if w in plain else decorator for w in words.split()},
    )
    controllers.home = module('home', HomeController=home)
    jsontools = module('jsontools', json_processor=json_processor)
    return {
        'cherrypy': module(
            'cherrypy',
            request=request,
            response=response,
            HTTPError=HTTPError,
            HTTPRedirect=HTTPRedirect,
        ),
        'cherrypy.lib': module('cherrypy.lib', jsontools=jsontools),
        'cherrypy.lib.jsontools': jsontools,
        'cherrypy.lib.static': module('static', serve_file=None),
        'dashboard': module('dashboard', mgr=Mgr()),
        'dashboard.controllers': controllers,
        'dashboard.controllers.home': controllers.home,
        'dashboard.security': module(
            'security', Permission=permission, Scope=type('Scope', (), {})
        ),
        'dashboard.services': module('services'),
        'dashboard.services.access_control': module(
            'access_control',
            SYSTEM_ROLES=dict(
                {n: role() for n in names}, **{'rgw-manager': role()}
            ),
        ),
    }


@contextlib.contextmanager
def dashboard():
    """Have a dashboard among the modules; leave none of it behind."""
    kept = dict(sys.modules)
    BaseController._registry.clear()
    sys.modules.update(modules())
    try:
        yield sys.modules['dashboard']
    finally:
        for name in set(sys.modules) - set(kept):
            del sys.modules[name]
        sys.modules.update(kept)


def load():
    """Load our part as the dashboard loads its controllers."""
    name = 'dashboard.controllers.perfcompare'
    spec = importlib.util.spec_from_file_location(name, LOADER)
    loaded = importlib.util.module_from_spec(spec)
    sys.modules[name] = loaded
    sys.modules.update(DECLARED)
    spec.loader.exec_module(loaded)
    within = f'{NAME}.declared_in'
    DECLARED.update(
        (n, m) for n, m in sys.modules.items() if n.startswith(within)
    )
    return sys.modules.get(NAME)
