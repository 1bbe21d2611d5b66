"""The module's options as typed settings, read anew at each use."""

from typing import Any, Callable, Dict, List

import dataclasses
import functools
import logging

log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Settings:
    """Hold the options of the module; their documentation is in OPTIONS."""

    max_duration: int = 86400  # seconds
    max_tenant_impact: float = 2.0
    load_limit_ops: float = 50.0
    error_budget: float = 0.001
    emergency_stop: bool = False
    allow_failure_tests: bool = False
    enable_pool_delete: bool = False
    worker_lease: int = 15  # seconds
    resume_within: int = 600  # seconds
    retention_runs: int = 100
    retention_days: int = 0
    retention_bytes: int = 4 << 30
    observe_recoveries: bool = True
    retention_recoveries: int = 500
    run_dir: str = ''
    osd_metrics: bool = True
    host_metrics: str = 'exporters'
    host_metrics_period: int = 5  # seconds
    node_exporter_url: str = ''
    node_exporter_port: int = 9100
    ipmi_exporter_url: str = ''
    prometheus_url: str = ''
    dashboard_ui: str = 'full'
    gateway_patience: int = 300  # seconds
    gateway_port: int = 17480
    s3_verify_share: float = 0.01
    s3_sign_payload: bool = False

    @classmethod
    def read(cls, option: Callable[[str], Any]) -> 'Settings':
        """Build the settings with ``option``, a getter by name.

        A value outside the range of its option, which mons do not refuse
        in ceph.conf, by force or from before it had one, is taken as the
        nearest bound.
        """
        values: Dict[str, Any] = {}
        for field in dataclasses.fields(cls):
            value = option(field.name)
            if value is not None:
                values[field.name] = _within(field.name, value)
        return cls(**values)

    @property
    def without_hosts(self) -> str:
        """Say why there are no figures of hosts; empty where there are."""
        if self.host_metrics == 'off':
            return 'option host_metrics is off'
        if self.host_metrics == 'prometheus' and not self.prometheus_url:
            return 'host_metrics is prometheus, prometheus_url is not set'
        return ''


# In the form of mgr_module.Option's arguments; module.py makes Options of
# them, so that this file stays free of Ceph. Mons enforce a range only where
# it has both ends.
OPTIONS: List[Dict[str, Any]] = [
    {
        'name': 'max_duration',
        'type': 'secs',
        'default': Settings.max_duration,
        'min': 60,
        'max': 365 * 86400,
        'desc': 'Refuse runs whose worst case takes longer than this',
    },
    {
        'name': 'max_tenant_impact',
        'type': 'float',
        'default': Settings.max_tenant_impact,
        'min': 1.1,
        'max': 1e6,
        'desc': 'Abort when the latency of other pools exceeds this '
        'multiple of its baseline for 15 seconds',
    },
    {
        'name': 'load_limit_ops',
        'type': 'float',
        'default': Settings.load_limit_ops,
        'min': 0.0,
        'max': 1e9,
        'desc': 'Client operations per second of other pools above which '
        'a run needs consent, and above which rows get no verdict (busy)',
    },
    {
        'name': 'error_budget',
        'type': 'float',
        'default': Settings.error_budget,
        'min': 0.0,
        'max': 1.0,
        'desc': 'Share of failed operations above which a run is aborted',
    },
    {
        'name': 'emergency_stop',
        'type': 'bool',
        'default': Settings.emergency_stop,
        'desc': 'Abort the current run at once and refuse new ones',
    },
    {
        'name': 'allow_failure_tests',
        'type': 'bool',
        'default': Settings.allow_failure_tests,
        'desc': 'Allow recovery tests that mark OSDs out or down or stop '
        'them; without it only the backfill scenario can be run',
    },
    {
        'name': 'enable_pool_delete',
        'type': 'bool',
        'default': Settings.enable_pool_delete,
        'desc': 'Consent for all runs and recovery tests: set '
        'mon_allow_pool_delete for the moments in which their own pools '
        'are removed, and restore it',
    },
    {
        'name': 'worker_lease',
        'type': 'secs',
        'default': Settings.worker_lease,
        'min': 10,
        'max': 120,
        'desc': 'Load stops when it was not renewed for this time',
    },
    {
        'name': 'resume_within',
        'type': 'secs',
        'default': Settings.resume_within,
        'min': 0,
        'max': 365 * 86400,
        'desc': 'Go on with a run that a failover cut, when the cut is not '
        'longer ago than this; otherwise undo it',
    },
    {
        'name': 'retention_runs',
        'type': 'uint',
        'default': Settings.retention_runs,
        'desc': 'Keep the results of this many ended runs; 0 keeps all',
    },
    {
        'name': 'retention_days',
        'type': 'uint',
        'default': Settings.retention_days,
        'desc': 'Remove results older than this; 0 keeps them',
    },
    {
        'name': 'retention_bytes',
        'type': 'size',
        'default': Settings.retention_bytes,
        'desc': 'Remove the oldest results when those of runs, of observed '
        'recoveries or of tests occupy more than this; 0 keeps them',
    },
    {
        'name': 'observe_recoveries',
        'type': 'bool',
        'default': Settings.observe_recoveries,
        'desc': 'Record every recovery that the cluster goes through by '
        'itself; nothing is changed and no daemon is asked',
    },
    {
        'name': 'retention_recoveries',
        'type': 'uint',
        'default': Settings.retention_recoveries,
        'desc': 'Keep this many observed recoveries, and as many tests; '
        '0 keeps all',
    },
    {
        'name': 'run_dir',
        'type': 'str',
        'default': Settings.run_dir,
        'desc': 'Folder in which a run has one, perfcompare-<run>, for its '
        'sockets, keyrings and spool files; empty means the run_dir of Ceph, '
        'or the temporary folder where that cannot be written',
    },
    {
        'name': 'osd_metrics',
        'type': 'bool',
        'default': Settings.osd_metrics,
        'desc': 'Read counters and latency histograms of the OSDs under '
        "test, and other pools' traffic on them, during trials",
    },
    {
        'name': 'host_metrics',
        'type': 'str',
        'default': Settings.host_metrics,
        'enum_allowed': ['exporters', 'prometheus', 'off'],
        'desc': 'Take figures of the hosts from their node_exporters, from '
        'the Prometheus server at prometheus_url, or not at all',
    },
    {
        'name': 'host_metrics_period',
        'type': 'secs',
        'default': Settings.host_metrics_period,
        'min': 1,
        'max': 300,
        'desc': 'Time between two scrapes of a host; less in trials that '
        'are short',
    },
    {
        'name': 'node_exporter_url',
        'type': 'str',
        'default': Settings.node_exporter_url,
        'desc': 'Template of the URL of node_exporters that are not found '
        'otherwise, with {addr} and {host}; empty means the address of the '
        'host\'s OSDs and node_exporter_port',
    },
    {
        'name': 'node_exporter_port',
        'type': 'uint',
        'default': Settings.node_exporter_port,
        'min': 1,
        'max': 65535,
        'desc': 'Port of node_exporters that are found by address',
    },
    {
        'name': 'ipmi_exporter_url',
        'type': 'str',
        'default': Settings.ipmi_exporter_url,
        'desc': 'Template of the URL of a second exporter on each host, '
        'which shows its power, with {addr} and {host}; empty means none',
    },
    {
        'name': 'prometheus_url',
        'type': 'str',
        'default': Settings.prometheus_url,
        'desc': 'A Prometheus server that knows the node_exporters; it is '
        'asked for their addresses, and for samples where host_metrics '
        'says so',
    },
    {
        'name': 'gateway_patience',
        'type': 'secs',
        'default': Settings.gateway_patience,
        'min': 10,
        'max': 3600,
        'desc': 'End a run whose S3 gateways, placed by the orchestrator, do '
        'not serve within this time',
    },
    {
        'name': 'gateway_port',
        'type': 'uint',
        'default': Settings.gateway_port,
        'min': 1024,
        'max': 60000,
        'desc': 'First port of S3 gateways that the orchestrator places; '
        'each group of a run has 16',
    },
    {
        'name': 's3_verify_share',
        'type': 'float',
        'default': Settings.s3_verify_share,
        'min': 0.0,
        'max': 1.0,
        'desc': 'Share of S3 reads whose content is compared with what was '
        'written',
    },
    {
        'name': 's3_sign_payload',
        'type': 'bool',
        'default': Settings.s3_sign_payload,
        'desc': 'Sign the content of S3 writes, too, not only their heads; '
        'it costs CPU of the client and of the gateway',
    },
    {
        'name': 'dashboard_ui',
        'type': 'str',
        'default': Settings.dashboard_ui,
        'enum_allowed': ['full', 'standalone', 'off'],
        'desc': 'Show a tab in the dashboard (full), only the standalone '
        'page (standalone), or neither these nor the REST API (off)',
    },
]

_RANGES = {o['name']: (o['min'], o['max']) for o in OPTIONS if 'min' in o}


def _within(name: str, value: Any) -> Any:
    low, high = _RANGES.get(name, (None, None))
    if low is None or low <= value <= high:
        return value
    used = getattr(Settings, name)  # of what is no number
    if value < low:
        used = low
    elif value > high:
        used = high
    _tell(name, repr(value), used)
    return used


@functools.lru_cache(maxsize=64)
def _tell(name: str, value: str, used: Any) -> None:
    """Log a value that is not used; once, for options are read often."""
    low, high = _RANGES[name]
    log.warning(
        'mgr/perfcompare/%s is %s, not %s to %s; taken as %s',
        name,
        value,
        low,
        high,
        used,
    )
