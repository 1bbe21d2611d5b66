"""The dashboard's index page with our one line: pure functions."""

from typing import Optional

import hashlib

ROUTE = 'perfcompare-ui'
# Conditions and ranges refer to the packaged file, not to what we send.
CONDITIONS = (
    'If-Match',
    'If-Modified-Since',
    'If-None-Match',
    'If-Range',
    'If-Unmodified-Since',
    'Range',
)


def tag(revision: str) -> bytes:
    """Return the line: a blocking script, to run before the host's own."""
    return f'<script src="{ROUTE}/shell.js?v={revision}"></script>'.encode()


def inject(html: bytes, line: bytes) -> bytes:
    """Return the page with the line; unchanged where no place is known."""
    if line in html:
        return html
    for anchor in (b'</head>', b'<body'):
        place = html.find(anchor)
        if place >= 0:
            return html[:place] + line + html[place:]
    return html


def etag(html: bytes) -> str:
    """Return a weak validator: the page may be sent compressed."""
    return f'W/"perfcompare-{hashlib.sha256(html).hexdigest()[:20]}"'


def matches(condition: Optional[str], validator: str) -> bool:
    """Tell whether an If-None-Match header names the validator."""
    words = (word.strip() for word in (condition or '').split(','))
    return validator in words
