"""Files to keep: a call's text, sent to few at a time.

The dashboard has few threads (thirty in 20.2), and one is held until a
browser has the last byte. So no more than MOST of them send files: whoever
else asks is told, by the same answer as while a file is made, to ask again.
"""

from typing import Any, Dict, Iterator

import json
import threading

import cherrypy

from .handlers import answering, call
from .refusals import IN_PROGRESS, Refused

MOST = 3  # files that are sent at one time

_slots = threading.BoundedSemaphore(MOST)


class Slot:
    """One of the threads that may send files, given back once."""

    def __init__(self) -> None:
        if not _slots.acquire(blocking=False):
            raise Refused(
                202,
                f'{MOST} files are being sent; give the same request again '
                'in a moment',
                IN_PROGRESS,
            )
        self._lock = threading.Lock()
        self._held = True

    def free(self) -> None:
        """Give it back; nothing happens when it was."""
        with self._lock:
            held, self._held = self._held, False
        if held:
            _slots.release()


@answering
def _answer(_controller: Any, name: str, args: Dict[str, Any]) -> Any:
    slot = Slot()
    try:
        body = call(name, **args)
        # CherryPy joins the body before it sends it: only this is the end
        cherrypy.request.hooks.attach('on_end_request', slot.free)
    except BaseException:
        slot.free()
        raise
    return body


def download(
    controller: Any, name: str, file: str, **args: Any
) -> Iterator[bytes]:
    """Return a call's text as a file to keep, a refusal as what it is."""
    body = _answer(controller, name, args)
    headers = cherrypy.response.headers
    headers['Content-Type'] = 'application/json'
    if not isinstance(body, str):
        return iter([json.dumps(body).encode()])
    headers['Content-Disposition'] = f'attachment; filename="{file}"'
    return iter([body.encode()])
