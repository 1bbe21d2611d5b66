"""Bring Ceph's own manager files within reach of unit tests.

The environment variable CEPH_MGR_PATH names a folder with the mgr_module.py
of a release, e.g. /usr/share/ceph/mgr of an installed ceph-mgr (or of a root
file system of the mini cluster), or src/pybind/mgr of Ceph's sources. What is
compiled into ceph-mgr comes from the stubs folder. Without the variable,
tests that need it are skipped.
"""

from typing import Any, List, Optional, Sequence

import importlib.abc
import importlib.machinery
import os
import sys
from pathlib import Path

VARIABLE = 'CEPH_MGR_PATH'
STUBS = Path(__file__).parent / 'stubs'
STUBBED = ('bcrypt', 'ceph_module', 'cephfs', 'rados')
FROM_CEPH = ('ceph', 'ceph_argparse', 'mgr_module', 'mgr_util')
FROM_CEPH += ('object_format',)


class CephFinder(importlib.abc.MetaPathFinder):
    """Find the few modules above, and only these, in Ceph's folders.

    The rest of a foreign root's Python path stays out: it was made for
    another interpreter.
    """

    def __init__(self, mgr_path: Path) -> None:
        self.folders = [str(f) for f in _folders(mgr_path)]

    def find_spec(
        self,
        name: str,
        path: Optional[Sequence[str]] = None,
        target: Any = None,
    ) -> Optional[importlib.machinery.ModuleSpec]:
        """Return where ``name`` is, or None when it is not ours to find."""
        if name in STUBBED:
            return importlib.machinery.PathFinder.find_spec(
                name, [str(STUBS)]
            )
        if name in FROM_CEPH:
            return importlib.machinery.PathFinder.find_spec(
                name, self.folders
            )
        return None


def _folders(mgr_path: Path) -> List[Path]:
    prefix = mgr_path.parent.parent.parent
    return [
        mgr_path,
        *sorted(prefix.glob('lib*/python3*/*-packages')),
        mgr_path.parent,  # src/pybind, in Ceph's sources
        mgr_path.parent.parent / 'python-common',
    ]


def install(mgr_path: str) -> None:
    """Make ``import mgr_module`` find the file in ``mgr_path``.

    Raises FileNotFoundError when there is none.
    """
    folder = Path(mgr_path).resolve()
    if not (folder / 'mgr_module.py').is_file():
        raise FileNotFoundError(f'{VARIABLE}: no mgr_module.py in {folder}')
    sys.meta_path.insert(0, CephFinder(folder))


def install_from_environment() -> None:
    """Call ``install`` where CEPH_MGR_PATH is set."""
    if os.environ.get(VARIABLE):
        install(os.environ[VARIABLE])


def construct(cls: Any, **collaborators: Any) -> Any:
    """Register and construct module class ``cls`` as ceph-mgr does."""
    cls._register_commands('perfcompare')
    cls._register_options('perfcompare')
    return cls('perfcompare', 0, 0, **collaborators)


def call(module: Any, prefix: str, inbuf: str = '', **args: Any) -> Any:
    """Dispatch a command as ceph-mgr does; return (retval, out, err)."""
    cmd = dict(args, prefix=f'perfcompare {prefix}')
    return module._handle_command(inbuf, cmd)
