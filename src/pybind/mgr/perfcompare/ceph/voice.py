"""How MgrCluster speaks to people, and keeps small facts in the mon."""

from typing import Any, Dict, Optional, Sequence

import errno
import json
import logging

from ..common.errors import CommandFailed, InvalidArgument
from ..common.printable import line
from .commands import Commands

log = logging.getLogger(__name__)

MAX_VALUE = 4096  # bytes; larger entries have been lost without a word
# (type, id) pairs: the dashboard makes a dict of them, and answers 500 to
# every page that polls its summary when it cannot.
PROGRESS_REFS = [('module', 'perfcompare')]


class MgrVoice:
    """Implement ``Notifications`` and ``KeyValueStore`` on a MgrModule."""

    def __init__(self, mgr: Any, commands: Commands) -> None:
        self._mgr = mgr
        self._commands = commands
        self._warnings: Dict[str, Dict[str, Any]] = {}

    def log_info(self, message: str) -> None:
        """Write a line to the cluster log."""
        self._mgr.cluster_log(
            'cluster', self._mgr.ClusterLogPrio.INFO, line(message)
        )

    def log_warn(self, message: str) -> None:
        """Write a warning to the cluster log."""
        self._mgr.cluster_log(
            'cluster', self._mgr.ClusterLogPrio.WARN, line(message)
        )

    def set_health_warning(
        self, code: str, summary: str, detail: Sequence[str]
    ) -> None:
        """Raise one of our health warnings, unless it stands like this.

        ceph-mgr (seen with 20.2.4) never frees what is passed to it here.
        """
        warning = {
            'severity': 'warning',
            'summary': line(summary),
            'count': max(1, len(detail)),
            'detail': [line(one) for one in detail],
        }
        if self._warnings.get(code) == warning:
            return
        self._warnings[code] = warning
        self._mgr.set_health_checks(dict(self._warnings))

    def clear_health_warning(self, code: str) -> None:
        """Take one of our health warnings back."""
        if self._warnings.pop(code, None) is not None:
            self._mgr.set_health_checks(dict(self._warnings))

    def progress_update(
        self, ident: str, message: str, fraction: float
    ) -> None:
        """Show progress in `ceph -s`; quietly nothing without the module."""
        self._progress(
            'update', ident, message, fraction, PROGRESS_REFS, True
        )

    def progress_complete(self, ident: str) -> None:
        """End a progress event."""
        self._progress('complete', ident)

    def _progress(self, method: str, *args: Any) -> None:
        try:
            self._mgr.remote('progress', method, *args)
        except Exception as error:  # absent, or not ready: no matter
            log.debug('progress %s: %s', method, error)

    # The mon is asked each time: MgrModule.set_store() says nothing when
    # the mon refuses, and get_store() then returns what was refused.

    def _key(self, key: str) -> str:
        return f'mgr/{self._mgr.module_name}/{key}'

    def kv_get(self, key: str) -> Optional[str]:
        """Return a value of our own store in the mon."""
        return self._commands.mon_or_none(
            'config-key get', key=self._key(key)
        )

    def kv_set(self, key: str, value: str) -> None:
        """Store a value (< 4 KiB) in the mon, verified by reading it back."""
        size = len(value.encode())
        if size >= MAX_VALUE:
            raise InvalidArgument(
                f'value of {key!r} has {size} bytes; '
                f'at most {MAX_VALUE - 1} can be stored'
            )
        self._commands.change('config-key set', key=self._key(key), val=value)
        if self.kv_get(key) != value:
            raise CommandFailed(
                'config-key set', errno.EIO, f'{key!r} was not stored'
            )

    def kv_remove(self, key: str) -> None:
        """Remove a value; fine when absent."""
        self._commands.change('config-key rm', key=self._key(key))

    def kv_list(self, prefix: str) -> Dict[str, str]:
        """Return all keys (whole, with prefix) and values below prefix."""
        own = self._key('')
        text = self._commands.mon('config-key dump', key=own + prefix)
        return {
            key[len(own) :]: value
            for key, value in sorted(json.loads(text or '{}').items())
            if key.startswith(own + prefix)
        }
