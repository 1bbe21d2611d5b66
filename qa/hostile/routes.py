"""Requests to the dashboard's REST routes, made of its own description."""

from typing import Any, Dict, Optional

import json
import urllib.error
import urllib.request

import schemathesis
from hypothesis import strategies
from schemathesis.generation import GenerationMode

from integration.waiting import wait_for

from .words import JSON, TEXT

ROUTES = '/api/perfcompare'
MIME = 'application/vnd.ceph.api.v1.0+json'
# bodies of these are left to chance no more than the others, but without
# the words that would let a run or a test begin
CONSENTS = ('consent', 'allow_local_client')


class Dashboard:
    """Speak with the dashboard as its administrator."""

    def __init__(self, url: str, user: str, password: str) -> None:
        self.url = url.rstrip('/')
        self.headers = {'Accept': MIME, 'Content-Type': 'application/json'}
        login = {'username': user, 'password': password}
        token = wait_for(
            lambda: self._token(login), 60, 'the dashboard answers'
        )
        self.headers['Authorization'] = 'Bearer ' + token

    def _token(self, login: Dict[str, str]) -> Optional[str]:
        try:
            token: str = self._open('/api/auth', login)['token']
        except ConnectionError:
            return None
        except urllib.error.URLError as error:
            if isinstance(error.reason, ConnectionError):
                return None  # it begins to serve
            raise
        return token

    def _open(self, path: str, data: Optional[Dict[str, Any]] = None) -> Any:
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(
            self.url + path, data=body, headers=self.headers
        )
        with urllib.request.urlopen(request, timeout=60) as answer:
            return json.load(answer)

    def get(self, path: str) -> Any:
        """Return what is at a path below the dashboard's own."""
        return self._open(path)

    def description(self) -> Dict[str, Any]:
        """Return the OpenAPI description of our routes, without logins."""
        found: Dict[str, Any] = self._open('/docs/openapi.json')
        found['paths'] = {
            path: operations
            for path, operations in found['paths'].items()
            if path.startswith(ROUTES)
        }
        for operations in found['paths'].values():
            for operation in operations.values():
                operation.pop('security', None)
        return found


def cases(description: Dict[str, Any]) -> Any:
    """Return a strategy of requests, right ones and wrong ones."""
    schema = schemathesis.openapi.from_dict(description)
    operations = [found.ok() for found in schema.get_all_operations()]
    assert len(operations) > 30, 'the dashboard does not tell our routes'
    strategies_of = []
    for operation in operations:
        for mode in GenerationMode:
            strategies_of.append(operation.as_strategy(generation_mode=mode))
        strategies_of.append(
            strategies.builds(_odd, operation.as_strategy(), JSON, TEXT)
        )
    return strategies.one_of(strategies_of)


def _odd(case: Any, value: Any, word: str) -> Any:
    """Put an odd value into one place of a right request."""
    if isinstance(case.body, dict) and case.body:
        name = sorted(case.body)[len(word) % len(case.body)]
        case.body = dict(case.body, **{name: value})
    elif case.query:
        name = sorted(case.query)[len(word) % len(case.query)]
        case.query = dict(case.query, **{name: word})
    return case


def tame(case: Any) -> Any:
    """Return a request that cannot begin a run."""
    if isinstance(case.body, dict):
        case.body = {k: v for k, v in case.body.items() if k not in CONSENTS}
    return case
