"""The page's files, and what the navigation entry has to know."""

from typing import Any, Dict

import functools

import cherrypy
from cherrypy.lib.static import serve_file

from dashboard.controllers import (
    BaseController,
    Endpoint,
    Proxy,
    Router,
    UIRouter,
)

from . import mode, scope
from .assets import Assets, cache_control, content_type, folder
from .page import ROUTE


@functools.lru_cache(maxsize=None)
def assets() -> Assets:
    """Return the files, as they were when the Manager started."""
    return Assets(folder())


# As the dashboard's own bundle, it has to load before the login; it holds
# no data.
@Router('/' + ROUTE, secure=False)
class PerfcompareUi(BaseController):  # noqa: D101
    def __init__(self) -> None:
        super().__init__()
        assets()

    @Endpoint('GET', path='', json_response=False, version=None)
    def root(self) -> None:
        """Send to the page, below which relative links work."""
        path = cherrypy.request.path_info.rstrip('/') + '/index.html'
        raise cherrypy.HTTPRedirect(path, 302)

    @Proxy()
    def __call__(self, path: str = '', **params: Any) -> Any:
        """Serve one file of the list."""
        if cherrypy.request.method not in ('GET', 'HEAD'):
            raise cherrypy.HTTPError(405)
        name = path or 'index.html'
        found = assets().path(name)
        if found is None or mode.current() == mode.OFF:
            raise cherrypy.HTTPError(404)
        headers = cherrypy.response.headers
        headers['Cache-Control'] = cache_control(name)
        try:
            return serve_file(found, content_type=content_type(found))
        except cherrypy.HTTPRedirect:  # 304
            raise
        except Exception:
            # with it, browsers would keep the error as long as the file
            del headers['Cache-Control']
            raise


@UIRouter('/perfcompare')
class PerfcompareUiStatus(BaseController):  # noqa: D101
    @Endpoint('GET', path='/status')
    def status(self) -> Dict[str, Any]:
        """Return the permissions of the user: whether there is an entry."""
        shown = mode.current()
        return {
            'dashboard_ui': shown,
            'permissions': [
                permission
                for permission in scope.PERMISSIONS
                if shown != mode.OFF
                and self._has_permissions(permission, scope.NAME)
            ],
        }
