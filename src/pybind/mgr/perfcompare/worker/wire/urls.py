"""What URLs of exporters and Prometheus servers may be."""

import urllib.parse


def check_url(url: str) -> str:
    """Return what is wrong with ``url``, empty when it can be used."""
    try:
        parts = urllib.parse.urlsplit(url)
        port = parts.port
    except ValueError as error:
        return str(error)
    if parts.scheme not in ('http', 'https'):
        return 'it must begin with http:// or https://'
    if not parts.hostname:
        return 'it names no host'
    if parts.username is not None or parts.password is not None:
        return 'it must not contain credentials'
    if port == 0 or any(c.isspace() or ord(c) < 32 for c in url):
        return 'it is no URL'
    return ''
