"""The files of the page: listed once, found by name only."""

from typing import Dict, Optional

import hashlib
import os
import re

# Older browsers' nosniff and the dashboard's gzip know these types.
TYPES: Dict[str, str] = {
    '.css': 'text/css',
    '.html': 'text/html',
    '.js': 'application/javascript',
    '.json': 'application/json',
    '.svg': 'image/svg+xml',
    '.txt': 'text/plain',
    '.woff2': 'font/woff2',
}
SHELL = 'shell.js'
# what the build names by its content, in the folder of a language or none
_CHUNK = re.compile(r'(?:[\w-]+/)?chunk-[\w-]{8}\.js\Z', re.ASCII)
KEPT = 'public, max-age=31536000, immutable'
ASKED = 'no-cache'  # kept, but asked for each time


def folder() -> str:
    """Return where the page is installed: beside the module's folder."""
    package = os.path.dirname(os.path.abspath(__file__))
    modules = os.path.dirname(os.path.dirname(package))
    return os.path.join(modules, 'perfcompare-ui')


class Assets:
    """Hold the files of one folder; a request never becomes a path."""

    def __init__(self, root: str) -> None:
        self.files = _listed(root)
        self.revision = _revision(self.files.get(SHELL))

    def path(self, name: str) -> Optional[str]:
        """Return the file of a name of the list, else None."""
        return self.files.get(name)


def content_type(path: str) -> str:
    """Return the type of a listed file."""
    return TYPES[os.path.splitext(path)[1]]


def cache_control(name: str) -> str:
    """Return how long a browser may keep a listed file."""
    return KEPT if _CHUNK.match(name) else ASKED


def _listed(root: str) -> Dict[str, str]:
    """Return name -> path of what may be served; links are left out."""
    found = {}
    for parent, _, names in os.walk(root):
        for name in names:
            path = os.path.join(parent, name)
            if os.path.splitext(name)[1] in TYPES and not os.path.islink(
                path
            ):
                key = os.path.relpath(path, root).replace(os.sep, '/')
                found[key] = path
    return found


def _revision(shell: Optional[str]) -> Optional[str]:
    """Return a word that changes with the shell; None without one."""
    if shell is None:
        return None
    with open(shell, 'rb') as source:
        return hashlib.sha256(source.read()).hexdigest()[:12]
