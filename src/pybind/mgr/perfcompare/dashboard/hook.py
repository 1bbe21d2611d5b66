"""Hook the dashboard's index page, so that it loads our shell."""

from typing import Any

import functools
import logging

import cherrypy

from dashboard.controllers import home

from . import mode, page
from .ui import assets

log = logging.getLogger('controllers.perfcompare')


def install() -> None:
    """Wrap the controller of the index page, once."""
    original = home.HomeController.__call__
    if getattr(original, '_perfcompare', False):
        return

    @functools.wraps(original)  # keeps ._endpoint, by which it is routed
    def call(self: Any, path: str = '', **params: Any) -> Any:
        if not _applies(path):
            return original(self, path, **params)
        headers = cherrypy.request.headers
        conditions = {h: headers.pop(h, None) for h in page.CONDITIONS}
        body = original(self, path, **params)
        return _answer(_joined(body), conditions['If-None-Match'])

    call._perfcompare = True  # type: ignore[attr-defined]
    home.HomeController.__call__ = call


def _applies(path: str) -> bool:
    """Tell whether this request is one for the index page with a tab."""
    if path not in ('', 'index.html') or assets().revision is None:
        return False
    if cherrypy.request.method not in ('GET', 'HEAD'):
        return False
    try:
        return mode.current() == mode.FULL
    except Exception:
        log.exception('perfcompare: cannot read dashboard_ui; no tab')
        return False


def _joined(body: Any) -> bytes:
    """Return what serve_file would send, and close its file."""
    if isinstance(body, bytes):
        return body
    try:
        return b''.join(body)
    finally:
        close = getattr(getattr(body, 'input', body), 'close', None)
        if close:
            close()


def _answer(html: bytes, condition: Any) -> bytes:
    """Set the headers of our page; answer 304 where it is known."""
    sent = page.inject(html, page.tag(assets().revision or ''))
    headers = cherrypy.response.headers
    for name in ('Last-Modified', 'Accept-Ranges'):
        headers.pop(name, None)
    validator = page.etag(sent)
    headers['ETag'] = validator
    headers['Content-Length'] = str(len(sent))
    if page.matches(condition, validator):
        raise cherrypy.HTTPRedirect([], 304)
    return sent
