"""The reasons for which a job has no result, in one line, without secrets."""

from typing import Iterable, List, Optional, Tuple

import re

# Anything that looks like a Ceph key, and what follows the word `key`.
_KEYLIKE = re.compile(
    r'\bA[A-Za-z0-9+/]{37,}={0,2}(?![A-Za-z0-9+/=])'
    r'|(?<=key = )\S+|(?<=key=)\S+|(?<=secret=)\S+'
)
_STAMP = re.compile(r'^\d{4}-\d\d-\d\dT\S+\s+[0-9a-f]+\s+-?\d+\s+')


class Failure(Exception):
    """End a job; ``kind`` is one word for programs, the text is for people.

    Kinds: tool, access, pool, population, full, deadline, bound, short,
    load, stopped, clock, spool, protocol, internal.
    """

    def __init__(self, kind: str, message: str) -> None:
        super().__init__(message)
        self.kind = kind
        # of a stop: the span (Unix times) that the manager asks about
        self.window: Optional[Tuple[float, float]] = None
        # of a stop: the seconds that the result may take
        self.within: Optional[float] = None


def printable(text: str) -> str:
    """Return ``text`` without what moves a cursor or rings a bell."""
    if text.isprintable():
        return text
    return ''.join(c if c.isprintable() else '.' for c in text)


def scrub(text: str, secrets: Iterable[str] = ()) -> str:
    """Return ``text`` with keys replaced by asterisks."""
    for secret in secrets:
        if secret:
            text = text.replace(secret, '***')
    return _KEYLIKE.sub('***', text)


def keyring_secrets(path: str) -> List[str]:
    """Return the keys in a keyring file, so that they can be scrubbed."""
    try:
        with open(path, encoding='utf-8', errors='replace') as file:
            text = file.read(65536)
    except OSError:
        return []
    return re.findall(r'^\s*key\s*=\s*(\S+)', text, re.M)


def one_line(text: str, limit: int = 300) -> str:
    """Return the last lines of ``text`` that fit, without time stamps."""
    kept: List[str] = []
    for line in reversed(text.splitlines()):
        line = ' '.join(_STAMP.sub('', line.strip()).split())
        if not line or line in kept or line == 'hints = 1':
            continue
        if sum(map(len, kept)) + len(line) > limit:
            if not kept:
                kept.append(line[:limit])
            break
        kept.append(line)
    return '; '.join(reversed(kept))
