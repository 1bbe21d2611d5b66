"""What all REST controllers share: their bodies are JSON objects."""

from typing import Any

import json

import cherrypy
from cherrypy.lib import jsontools

from dashboard.controllers import RESTController


def read(entity: Any) -> None:
    """Parse a body; answer 400 where it is no object.

    The dashboard takes the fields of whatever it is, in its own code: of
    `true` that would end in a traceback and a 500.
    """
    jsontools.json_processor(entity)
    found = cherrypy.request.json
    if isinstance(found, str):  # the dashboard reads these once more
        try:
            found = json.loads(found)
        except ValueError:
            pass
    if not isinstance(found, dict):
        raise cherrypy.HTTPError(
            400,
            f'the body is {_shown(found)}; give a JSON object, such as {{}}',
        )


def _shown(value: Any) -> str:
    if isinstance(value, list):
        return 'a list'
    text = json.dumps(value)
    return text if len(text) <= 40 else text[:40] + '…'


# the dashboard has no types for mypy
class Controller(RESTController, skip_registry=True):  # type: ignore[call-arg]
    """Be the base of our REST controllers."""

    def __init_subclass__(cls, **kwargs: Any) -> None:  # noqa: D105
        super().__init_subclass__(**kwargs)
        # the router adds to it, so each class has its own
        cls._cp_config = {'tools.json_in.processor': read}
