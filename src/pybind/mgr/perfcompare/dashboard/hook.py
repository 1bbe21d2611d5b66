"""Hook the dashboard's index page, so that it loads our shell."""

from typing import Any, Dict, Optional, Tuple

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
    def call(self: Any, *args: Any, **params: Any) -> Any:
        host = functools.partial(original, self, *args, **params)
        before = None
        try:
            if _applies(args[0] if args else params.get('path', '')):
                before = _Before()
                before.take_conditions()
        except Exception:
            _without_tab(before)
            before = None
        if before is None:
            return host()
        body = host()
        try:
            sent, known = _answer(_joined(body), before.condition)
        except Exception:
            _without_tab(before)
            return host()
        if known:
            raise cherrypy.HTTPRedirect([], 304)
        return sent

    call._perfcompare = True  # type: ignore[attr-defined]
    home.HomeController.__call__ = call


class _Before:
    """Remember what a request and its answer had before us."""

    def __init__(self) -> None:
        self.condition: Any = None  # on which our page is asked for
        self._conditions: Dict[str, Any] = {}
        self._headers = dict(cherrypy.response.headers)
        self._status = cherrypy.response.status

    def take_conditions(self) -> None:
        """Hide from the host what is about our page."""
        headers = cherrypy.request.headers
        for name in page.CONDITIONS:
            if name in headers:
                self._conditions[name] = headers.pop(name)
        self.condition = self._conditions.get('If-None-Match')

    def restore(self) -> None:
        """Have the host begin anew, as if nobody had been here."""
        cherrypy.request.headers.update(self._conditions)
        cherrypy.response.headers.clear()
        cherrypy.response.headers.update(self._headers)
        cherrypy.response.status = self._status


def _without_tab(before: Optional[_Before]) -> None:
    """Make way for the host's page: one without our line beats none."""
    log.exception('perfcompare: the index page gets no tab')
    try:
        if before is not None:
            before.restore()
    except Exception:
        log.exception('perfcompare: its headers are in the way')


def _applies(path: Any) -> bool:
    """Tell whether this request is one for the index page with a tab."""
    return (
        path in ('', 'index.html')
        and cherrypy.request.method in ('GET', 'HEAD')
        and assets().revision is not None
        and mode.current() == mode.FULL
    )


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


def _answer(html: bytes, condition: Any) -> Tuple[bytes, bool]:
    """Set the headers of our page; return it, and whether it is known."""
    sent = page.inject(html, page.tag(assets().revision or ''))
    headers = cherrypy.response.headers
    for name in ('Last-Modified', 'Accept-Ranges'):
        headers.pop(name, None)
    validator = page.etag(sent)
    headers['ETag'] = validator
    headers['Content-Length'] = str(len(sent))
    return sent, page.matches(condition, validator)
