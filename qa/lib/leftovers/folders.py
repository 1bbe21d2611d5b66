"""Private folders of runs on this host: found, and removed."""

from typing import List, Sequence, Set, Tuple

import os
import pwd
import re
import shutil
import stat

from .names import FOLDER
from .report import Report

_FSID = re.compile(r'[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z')


def find(bases: Sequence[str], runs: Set[str]) -> Tuple[List[str], List[str]]:
    """Return private folders on this host: of these runs, and of others.

    Others may belong to a run of another cluster.
    """
    ours: List[str] = []
    others: List[str] = []
    users = {os.geteuid()}
    try:
        users.add(pwd.getpwnam('ceph').pw_uid)
    except KeyError:
        pass
    users |= {167}  # of containers
    for base in bases:
        below = _directories(base, users)
        # of /run/ceph a container of cephadm has the folder of its cluster
        clusters = [
            path for path in below if _FSID.match(os.path.basename(path))
        ]
        for path in clusters:
            below += _directories(path, users)
        for path in below:
            match = FOLDER.match(os.path.basename(path))
            if match:
                (ours if match[1] in runs else others).append(path)
    return ours, others


def _directories(base: str, users: Set[int]) -> List[str]:
    try:
        paths = [
            os.path.join(base, name) for name in sorted(os.listdir(base))
        ]
    except OSError:
        return []
    return [path for path in paths if _directory(path, users)]


def _directory(path: str, users: Set[int]) -> bool:
    try:
        found = os.lstat(path)
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid in users


def remove(paths: Sequence[str], report: Report, act: bool) -> None:
    """Remove folders, or tell of them."""
    for path in paths:
        if not act:
            report.would('folder ' + path, 'rm -r ' + path)
            continue
        try:
            shutil.rmtree(path)
        except OSError as error:
            why = error.strerror or str(error)
            report.stays('folder ' + path, why, 'rm -r ' + path)
        else:
            report.undone('folder ' + path)
