"""All that belongs to others, as Ceph itself tells it, to be compared."""

from typing import Any, Callable, Dict, List, Set

import hashlib
import json
import pathlib

from . import processes
from .live import LiveCluster
from .waiting import wait_for

# grow or change by themselves, or with any change of the map
_MAP_NOISE = {
    'epoch', 'modified', 'last_up_change', 'last_in_change', 'crush_version',
    'pool_max', 'osd_xinfo', 'pg_temp', 'primary_temp', 'blocklist',
    'removed_snaps_queue', 'new_removed_snaps', 'new_purged_snaps',
}  # fmt: skip
_POOL_NOISE = {
    'last_change', 'last_force_op_resend', 'read_balance',
    'last_force_op_resend_prenautilus', 'last_force_op_resend_preluminous',
    'last_pg_merge_meta',
}  # fmt: skip
_OSD_KEPT = ('osd', 'uuid', 'up', 'in', 'weight', 'primary_affinity')
# what other modules note for themselves, and ours of what it observes
_KEY_NOISE = (
    'mgr/perfcompare/recovery/',
    'config-history/', 'mgr/progress/', 'mgr/telemetry/', 'mgr/devicehealth/',
    'mgr/crash/', 'mgr/balancer/', 'device/',
)  # fmt: skip

State = Dict[str, Any]


class ClusterState:
    """Snapshot a cluster; blocklistings of its own managers are Ceph's."""

    def __init__(self, cluster: LiveCluster) -> None:
        self._cluster = cluster
        self._managers: Set[str] = set()
        self._noted = 0  # epoch of the manager map

    def clean_snapshot(self) -> State:
        """Return a snapshot once all PGs are clean.

        On a busy machine an OSD may just have been taken for dead.
        """
        self._cluster.wait_clean()
        return self.snapshot()

    def snapshot(self) -> State:
        """Return everything that a run must leave as it was."""
        osdmap, crush, auth, config, names, values, health = (
            self._cluster.looks(
                [
                    ('osd dump', {}),
                    ('osd crush dump', {}),
                    ('auth ls', {}),
                    ('config dump', {}),
                    ('config-key ls', {}),
                    ('config-key dump', {'key': 'mgr/perfcompare/'}),
                    ('health', {}),
                ]
            )
        )
        self._note_managers()  # later than the map that may blocklist them
        return {
            'osdmap': self._osdmap(osdmap),
            'crush': crush,
            'auth': {
                one['entity']: {
                    'caps': one['caps'],
                    'key': hashlib.sha256(one['key'].encode()).hexdigest(),
                }
                for one in auth['auth_dump']
            },
            'config': sorted(json.dumps(c, sort_keys=True) for c in config),
            'keys': {
                key: values.get(key, '')  # values only of what is ours
                for key in names
                if not key.startswith(_KEY_NOISE)
            },
            'pgs': pg_mapping(self._cluster),
            'processes': processes.of_runs(self._cluster),
            'files': self._files(),
            'health': sorted(health['checks']),
        }

    def told(self) -> List[str]:
        """Return what the cluster says of its health, for a message."""
        checks = self._cluster.look('health', detail='detail')['checks']
        return [
            '%s: %s' % (name, detail['message'])
            for name, check in sorted(checks.items())
            for detail in check['detail']
        ]

    def _note_managers(self) -> None:
        """Learn the addresses of every active manager and its clients.

        One that is active for a second between two others is blocklisted
        too: the mon keeps hundreds of epochs, which tell of all of them.
        """
        newest = self._cluster.look('mgr dump')['epoch']
        epochs = range(self._noted + 1, newest + 1)
        asked = [('mgr dump', {'epoch': epoch}) for epoch in epochs]
        self._managers |= _nonces(self._cluster.looks(asked))
        self._noted = newest

    def _osdmap(self, found: Any) -> Dict[str, Any]:
        kept = {k: v for k, v in found.items() if k not in _MAP_NOISE}
        kept['pools'] = {
            pool['pool_name']: {
                k: v for k, v in pool.items() if k not in _POOL_NOISE
            }
            for pool in found['pools']
        }
        kept['osds'] = [{k: o[k] for k in _OSD_KEPT} for o in found['osds']]
        kept['blocklist'] = sorted(
            address
            for address in found['blocklist']
            if address.rpartition('/')[2] not in self._managers
        )
        return kept

    def _files(self) -> List[str]:
        return sorted(
            str(path)
            for name in ('run', 'tmp')
            for path in pathlib.Path(self._cluster.dir, name).rglob('*')
            if 'perfcompare' in path.name
        )


def _nonces(data: Any) -> Set[str]:
    """Return the nonces of all addresses anywhere in `data`."""
    found: Set[str] = set()
    if isinstance(data, dict):
        if 'nonce' in data:
            found.add(str(data['nonce']))
        for value in data.values():
            found |= _nonces(value)
    elif isinstance(data, list):
        for value in data:
            found |= _nonces(value)
    return found


def pg_mapping(cluster: LiveCluster, pools: Any = None) -> Dict[str, Any]:
    """Return up and acting sets of all PGs, or those of some pool ids."""
    found = cluster.look('pg dump', 'mgr', dumpcontents=['pgs_brief'])
    return {
        pg['pgid']: (tuple(pg['up']), tuple(pg['acting']))
        for pg in found['pg_stats']
        if pools is None or int(pg['pgid'].split('.')[0]) in pools
    }


def differences(before: Any, after: Any, path: str = '') -> List[str]:
    """Return one line for each thing that is not as it was."""
    if isinstance(before, dict) and isinstance(after, dict):
        lines = []
        for key in sorted({*before, *after}, key=str):
            place = '%s/%s' % (path, key)
            if key not in after:
                lines.append('%s is gone (was %r)' % (place, before[key]))
            elif key not in before:
                lines.append('%s is new: %r' % (place, after[key]))
            else:
                lines += differences(before[key], after[key], place)
        return lines
    if isinstance(before, list) and isinstance(after, list):
        gone = [item for item in before if item not in after]
        new = [item for item in after if item not in before]
        if gone or new:
            return ['%s: gone %r, new %r' % (path, gone, new)]
        return []
    return [] if before == after else [
        '%s: was %r, is %r' % (path, before, after)
    ]  # fmt: skip


def wait_unchanged(
    tracker: ClusterState, before: State, seconds: float = 30
) -> None:
    """Assert that all is as before; PGs get a while to settle."""
    lines: List[str] = []

    def same() -> bool:
        lines[:] = differences(before, tracker.snapshot())
        return not lines

    look: Callable[[], bool] = same
    try:
        wait_for(look, seconds, 'the cluster is as before', step=1.0)
    except AssertionError:
        lines += tracker.told()
        raise AssertionError('left behind:\n' + '\n'.join(lines)) from None
