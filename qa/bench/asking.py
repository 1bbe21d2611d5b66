"""Ask a cluster and its module over one connection, for benchmarks."""

from typing import Any, Dict, List, Optional, Tuple

import errno
import json
import pathlib
import time

import rig  # noqa: F401  (finds the packages below)

from cluster import admin, state

PREFIX = 'perfcompare '


class Asker:
    """One connection, which survives a mgr that takes its time."""

    def __init__(self, directory: pathlib.Path) -> None:
        self.dir = directory
        self.agent = admin.Admin(state.Cluster(directory))

    def __enter__(self) -> 'Asker':
        return self

    def __exit__(self, *_: Any) -> None:
        self.agent.close()

    def give(self, prefix: str, **args: Any) -> Tuple[int, str]:
        """Give a command of the module once; return code and text."""
        request = admin.Request('mgr', dict(args, prefix=PREFIX + prefix))
        [found] = self.agent.ask([request])
        return int(found['rc']), str(found['out'] or found['err'])

    def data(self, prefix: str, **args: Any) -> Any:
        """Return the data of a command, however long it takes."""
        while True:
            code, text = self.give(prefix, format='json', **args)
            if code == 0:
                return json.loads(text)
            if code != -errno.EAGAIN or rig.AGAIN not in text:
                raise SystemExit(f'{prefix}: {code} {text}')
            time.sleep(0.2)

    def progress(self) -> Optional[Dict[str, Any]]:
        """Return what goes on, None when nothing does."""
        found: Optional[Dict[str, Any]] = self.data('status')['progress']
        return found

    def idle(self, seconds: float) -> None:
        """Wait until nothing goes on."""
        deadline = time.monotonic() + seconds
        while self.progress() is not None:
            if time.monotonic() > deadline:
                raise SystemExit('it does not end')
            time.sleep(1.0)

    def option(self, who: str, name: str, value: str) -> None:
        """Set an option of the central configuration."""
        self.agent.mon('config set', who=who, name=name, value=value)

    def mons(self, prefix: str, **args: Any) -> Any:
        """Return what the mons answer, as JSON."""
        return self.agent.json(prefix, **args)

    def evaluate(self, source: str) -> str:
        """Run Python in the mgr, by its module selftest."""
        return str(
            self.agent.mgr('mgr self-test eval', s=f'exec({source!r})')
        )


def allow_recovery_tests(asker: Asker, runs_kept: int = 0) -> None:
    """Set what recovery tests need in a cluster as small as these are."""
    options: List[Tuple[str, str, str]] = [
        ('mgr', 'mgr/perfcompare/allow_failure_tests', 'true'),
        # more objects than PG logs can tell of
        ('osd', 'osd_target_pg_log_entries_per_osd', '1000'),
        ('osd', 'osd_min_pg_log_entries', '50'),
        ('osd', 'osd_max_pg_log_entries', '100'),
    ]
    if runs_kept:
        for kind in ('runs', 'recoveries'):
            name = f'mgr/perfcompare/retention_{kind}'
            options.append(('mgr', name, str(runs_kept)))
    for who, name, value in options:
        asker.option(who, name, value)
