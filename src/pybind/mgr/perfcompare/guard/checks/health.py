"""HEALTH: which warnings a benchmark may live with, and why.

The codes are those of Ceph's manual, "Health checks". A code that is not in
ALLOWED refuses the run: it says that data, daemons or space are in trouble,
or that results would measure the trouble.
"""

from typing import Dict, Optional

from ...model.topology import HealthCheck
from .finding import CheckContext, Finding, Findings, ok, refuse, warn

_SEPARATE = 'the check {} of this list judges it'
_OPINION = 'an opinion on the layout of pools; load is served as before'
_NO_IO = 'it takes no part in I/O'
_SECURITY = 'a matter of security settings; I/O is not affected'
_LEGACY = 'an old format or setting that works as before'

ALLOWED: Dict[str, str] = {
    # other checks look closer at these
    'OSDMAP_FLAGS': _SEPARATE.format('FLAGS'),
    'DAEMON_OLD_VERSION': _SEPARATE.format('UPGRADE'),
    'MON_CLOCK_SKEW': _SEPARATE.format('CLOCK'),
    'SMALLER_PGP_NUM': _SEPARATE.format('AUTOSCALER'),
    # manager, crash archive, reporting
    'MGR_MODULE_DEPENDENCY': 'a Manager module cannot load; ' + _NO_IO,
    'RECENT_CRASH': 'a crash of the past that was not archived yet',
    'RECENT_MGR_MODULE_CRASH': 'a Manager module crashed; ' + _NO_IO,
    'TELEMETRY_CHANGED': 'telemetry wants to be confirmed; ' + _NO_IO,
    'DASHBOARD_DEBUG': 'the dashboard is in debug mode; ' + _NO_IO,
    # monitors
    'MON_MSGR2_NOT_ENABLED': _SECURITY,
    'MON_DISK_LOW': 'a run stores only kilobytes in the Monitors',
    'MON_DISK_BIG': 'a run stores only kilobytes in the Monitors',
    'AUTH_BAD_CAPS': 'an entity has capabilities that cannot be parsed',
    # pools and placement
    'POOL_APP_NOT_ENABLED': _OPINION,
    'POOL_NO_REDUNDANCY': 'pools without replicas; that risk was taken '
    'before and load does not change it',
    'POOL_SCRUB_FLAGS': 'scrubs of some pools are off, as they are on '
    'pools of a run; Ceph itself calls that HEALTH_OK',
    'POOL_PG_NUM_NOT_POWER_OF_TWO': _OPINION,
    'POOL_TOO_FEW_PGS': _OPINION,
    'POOL_TOO_MANY_PGS': _OPINION,
    'POOL_TARGET_SIZE_BYTES_OVERCOMMITTED': _OPINION,
    'POOL_HAS_TARGET_SIZE_BYTES_AND_RATIO': _OPINION,
    'TOO_FEW_PGS': _OPINION,
    'TOO_FEW_OSDS': 'fewer OSDs than replicas by default; our pools set '
    'their own size',
    'MANY_OBJECTS_PER_PG': _OPINION,
    'LARGE_OMAP_OBJECTS': 'large objects in other pools, untouched',
    'CACHE_POOL_NO_HIT_SET': _OPINION,
    'OLD_CRUSH_TUNABLES': _LEGACY,
    'OLD_CRUSH_STRAW_CALC_VERSION': _LEGACY,
    # scrubs are late; load of a run adds little to that
    'PG_NOT_SCRUBBED': 'scrubs are late; SCRUB records those under way',
    'PG_NOT_DEEP_SCRUBBED': 'scrubs are late; SCRUB records those under '
    'way',
    # OSDs
    'OSD_NO_DOWN_OUT_INTERVAL': 'down OSDs stay in; a run stops none',
    'OSD_UPGRADE_FINISHED': 'require-osd-release lags behind; I/O is not '
    'affected',
    'BLUESTORE_LEGACY_STATFS': _LEGACY,
    'BLUESTORE_NO_PER_POOL_OMAP': _LEGACY,
    'BLUESTORE_NO_PER_PG_OMAP': _LEGACY,
    'BLUESTORE_NO_COMPRESSION': 'a compression plugin is missing; our '
    'pools do not compress',
    'BLUEFS_SPILLOVER': 'metadata on the slow device is how these OSDs '
    'work at present',
    # this module
    'PERFCOMPARE_RUN_CUT': 'a new Manager undoes what a former one left; no '
    'run is accepted until it has',
}

# families of codes: prefix -> reason
INSECURE = 'AUTH_INSECURE_'
ALLOWED_PREFIXES: Dict[str, str] = {
    INSECURE: _SECURITY,
    'CEPHADM_STRAY_': 'daemons that cephadm does not manage',
    'CEPHADM_CHECK_': 'cephadm could not compare settings of hosts',
    'CEPHADM_PAUSED': 'the orchestrator starts nothing by itself',
}

LEFTOVERS = 'PERFCOMPARE_LEFTOVERS'


def allowed(code: str) -> Optional[str]:
    """Return why a run may start under this warning, None if it may not."""
    if code == LEFTOVERS:
        return None
    if code in ALLOWED:
        return ALLOWED[code]
    for prefix, reason in ALLOWED_PREFIXES.items():
        if code.startswith(prefix):
            return reason
    return None


def health(s: CheckContext) -> Findings:
    """Judge every health check by itself; the status alone says little."""
    found = [
        _judge(code, check)
        for code, check in sorted(s.facts.health.checks.items())
    ]
    if not found:
        return [ok(s.facts.health.status or 'HEALTH_OK')]
    return found


def _judge(code: str, check: HealthCheck) -> Finding:
    message = f'{code}: {check.message}'
    if code == LEFTOVERS:
        return refuse(message, 'run `ceph perfcompare cleanup`')
    # an upgrade to a release with better keys leaves such errors for weeks
    if check.severity == 'HEALTH_ERR' and not code.startswith(INSECURE):
        return refuse(
            message, 'resolve the error first; muting it does not help'
        )
    reason = allowed(code)
    if reason:
        return warn(f'{message} (allowed: {reason})')
    if check.muted:
        return warn(f'{message} (muted by an operator)')
    return refuse(
        message,
        'resolve it, or accept it for the time of the run with '
        f'`ceph health mute {code} 1d`',
    )
