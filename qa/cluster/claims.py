"""Cluster numbers: each running cluster has one, and addresses with it."""

from typing import Dict, List

import errno
import json
import os
import pathlib

from .messages import ClusterError
from .settings import CLAIMS

NUMBERS = range(10, 250)


def claim(directory: pathlib.Path, token: str) -> int:
    """Take a free number for a cluster; raise when there is none."""
    CLAIMS.mkdir(mode=0o755, parents=True, exist_ok=True)
    for number in NUMBERS:
        path = CLAIMS / str(number)
        if path.exists() and _is_stale(path):
            path.unlink()
        try:
            handle = os.open(
                str(path), os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o644
            )
        except FileExistsError:
            continue
        with os.fdopen(handle, 'w', encoding='utf-8') as out:
            json.dump({'dir': str(directory), 'token': token}, out)
        return number
    raise ClusterError(
        'all %d cluster numbers are taken; see %s' % (len(NUMBERS), CLAIMS),
        errno.EAGAIN,
    )


def _is_stale(path: pathlib.Path) -> bool:
    """Tell whether a claim's cluster folder is gone or another one."""
    try:
        record = json.loads(path.read_text(encoding='utf-8'))
        token = pathlib.Path(record['dir']) / 'token'
        return token.read_text(encoding='utf-8') != str(record['token'])
    except FileNotFoundError:
        return True
    except ValueError:
        return False  # being written right now


def release(token: str) -> None:
    """Give back the number of a cluster, and the folder when it is empty."""
    for number, record in taken().items():
        if record.get('token') == token:
            (CLAIMS / str(number)).unlink()
    try:
        CLAIMS.rmdir()
    except OSError:
        pass  # other clusters, or none ever


def taken() -> Dict[int, Dict[str, str]]:
    """Return the claims by number."""
    found = {}
    if CLAIMS.is_dir():
        for path in CLAIMS.iterdir():
            try:
                record = json.loads(path.read_text(encoding='utf-8'))
                found[int(path.name)] = record
            except (ValueError, FileNotFoundError):
                continue
    return found


def users_of(cache: pathlib.Path) -> List[str]:
    """Return the folders of the clusters that run from this cache."""
    found = []
    for record in taken().values():
        settings = pathlib.Path(record['dir']) / 'cluster.json'
        try:
            data = json.loads(settings.read_text(encoding='utf-8'))
        except (FileNotFoundError, ValueError):
            continue
        if pathlib.Path(data['roots']).parent == cache:
            found.append(record['dir'])
    return found
