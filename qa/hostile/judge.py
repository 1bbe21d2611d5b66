"""What is wrong with an answer, whatever was asked."""

from typing import Any, List

SIGNS = ('Traceback', 'internal error', 'File "/')
LONGEST = 6000  # characters of an error


def _text(text: str) -> List[str]:
    found = ['has %r' % sign for sign in SIGNS if sign in text]
    wild = sorted(
        {c for c in text if c != '\n' and ord(c) < 32 or c == '\x7f'}
    )
    if wild:
        found.append('has control characters %r' % wild)
    return found


def command(
    code: int, out: str, err: str, seconds: float, limit: float
) -> List[str]:
    """Return what is wrong with the answer to a command."""
    found = _text(err) + _text(out)
    if seconds > limit:
        found.append('took %.1f s' % seconds)
    if code > 0:
        found.append('code %d' % code)
    if code and len(err) > LONGEST:
        found.append('an error of %d characters' % len(err))
    if code and not err.strip():
        found.append('code %d without a word' % code)
    return found


def request(answer: Any, seconds: float, limit: float) -> List[str]:
    """Return what is wrong with the answer to a request."""
    text = answer.text
    found = ['has %r' % sign for sign in SIGNS if sign in text]
    if seconds > limit:
        found.append('took %.1f s' % seconds)
    # EAGAIN of ours is 503, with a word for it
    if answer.status_code >= 500 and '"EAGAIN"' not in text:
        found.append('status %d' % answer.status_code)
    if answer.status_code >= 400 and len(text) > 2 * LONGEST:
        found.append('an error of %d characters' % len(text))
    return found
