"""The dashboard part over a host in memory, for tests."""

import sys

import pytest

from . import dashboard as fake


@pytest.fixture
def host():
    with fake.dashboard() as found:
        yield found


@pytest.fixture
def part(host):
    assert fake.load() is not None
    return {
        name.split('.')[-1]: module
        for name, module in sys.modules.items()
        if name.startswith(fake.NAME + '.')
    }


def controller(name):
    found = [c for c in fake.BaseController._registry if c.__name__ == name]
    assert len(found) == 1
    return found[0]()


def answer_of(host, method, *args, **kwargs):
    """Call a handler; return status and body."""
    response = sys.modules['cherrypy'].response
    response.status = 200
    body = method(*args, **kwargs)
    return response.status, body
