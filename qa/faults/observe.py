"""What a fault left: of our own, and changed of others'."""

from typing import Any, Dict, List, Set, Tuple

import json
import pathlib
import shutil

from integration.state import ClusterState, differences

from .lab import Lab

OURS = 'perfcompare'
CRASHES = '/var/lib/ceph/crash'


def sort(lines: List[str]) -> Tuple[List[str], List[str]]:
    """Return (leftovers, foreign changes) of lines of `differences`."""
    left = [line for line in lines if OURS in line]
    return left, [line for line in lines if OURS not in line]


def daemon_crashes(folder: pathlib.Path) -> Set[str]:
    """Return the crashes of daemons that are noted in a folder.

    Those of one module of a mgr name it. A mgr also notes each module
    that it cannot load, with no backtrace: that is no crash, and the health
    check of modules tells of it.
    """
    found = set()
    for path in folder.glob('*/meta'):
        try:
            meta = json.loads(path.read_text(encoding='utf-8'))
        except (OSError, ValueError):
            meta = {'backtrace': ['?']}
        if meta.get('backtrace'):
            who = meta.get('entity_name', 'somebody')
            if 'mgr_module' in meta:
                who += ' in ' + meta['mgr_module']
            found.add('%s: %s' % (who, path.parent.name))
    return found


class Observer:
    """Compare the cluster with what it was before the first fault."""

    def __init__(self, lab: Lab) -> None:
        self._lab = lab
        self._state = ClusterState(lab.live)
        self._before: Dict[str, Any] = {}
        self._crashes: List[str] = []

    def remember(self) -> None:
        """Take what is there now as what must be there later."""
        self._before = self._state.snapshot()
        self._crashes = self.crashes()

    def changes(self) -> List[str]:
        """Return a line for each thing that is not as it was."""
        found = differences(self._before, self._state.snapshot())
        if self._lab.hosts is not None:
            found += self._lab.hosts.left()
        return found

    def crashes(self) -> List[str]:
        """Return the crashes that Ceph knows, and those of its daemons.

        Nobody posts here what mons and OSDs note down when they die.
        """
        known = self._lab.ask('crash ls')
        found = {str(one['crash_id']) for one in known}
        return sorted(found | daemon_crashes(self._lab.path(CRASHES)))

    def new_crashes(self) -> List[str]:
        """Return crashes since `remember`; each is told once.

        What daemons noted of them is kept beside the results.
        """
        found = self.crashes()
        new = [one for one in found if one not in self._crashes]
        self._crashes = found
        for one in new:
            ident = one.split()[-1]
            meta = self._lab.path(CRASHES) / ident / 'meta'
            if meta.is_file():
                kept = self._lab.dir.parent / 'crashes' / (ident + '.json')
                kept.parent.mkdir(exist_ok=True)
                shutil.copyfile(str(meta), str(kept))
        return new

    def module_errors(self) -> List[str]:
        """Return what Ceph says of modules that failed."""
        checks = self._lab.see('health')['checks']
        return [
            '%s: %s' % (code, check['summary']['message'])
            for code, check in checks.items()
            if code.startswith('MGR_MODULE') or code == 'RECENT_MGR_CRASH'
        ]

    def memory(self) -> Dict[str, int]:
        """Return the resident KiB of the active mgr by its pid."""
        name = 'mgr.' + self._lab.active()
        pid = self._lab.pid(name)
        if pid is None:
            return {}
        text = pathlib.Path('/proc/%d/status' % pid).read_text()
        for line in text.splitlines():
            if line.startswith('VmRSS:'):
                return {str(pid): int(line.split()[1])}
        return {}
