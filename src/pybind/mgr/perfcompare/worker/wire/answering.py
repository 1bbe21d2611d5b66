"""Whether a gateway answers."""

import http.client
import ssl
import time

from .timed import TimedConnection

TIMEOUT = 5.0  # seconds


def answers(address: str, port: int, ca_file: str = '') -> bool:
    """Say whether HTTP, or with a CA file HTTPS, is answered there."""
    context = ssl.create_default_context(cafile=ca_file) if ca_file else None
    connection = TimedConnection(address, port, context)
    connection.end = time.monotonic() + TIMEOUT
    try:
        connection.request('GET', '/')
        return connection.getresponse().status in (200, 403)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
