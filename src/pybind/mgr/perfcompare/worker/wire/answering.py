"""Whether a gateway answers."""

import http.client
import ssl


def answers(address: str, port: int, ca_file: str = '') -> bool:
    """Say whether HTTP, or with a CA file HTTPS, is answered there."""
    connection = (
        http.client.HTTPSConnection(
            address,
            port,
            timeout=5,
            context=ssl.create_default_context(cafile=ca_file),
        )
        if ca_file
        else http.client.HTTPConnection(address, port, timeout=5)
    )
    try:
        connection.request('GET', '/')
        return connection.getresponse().status in (200, 403)
    except (OSError, http.client.HTTPException):
        return False
    finally:
        connection.close()
