"""The module's options as typed settings, read anew at each use."""

from typing import Any, Callable, Dict, List

import dataclasses


@dataclasses.dataclass(frozen=True)
class Settings:
    """Hold the options of the module; their documentation is in OPTIONS."""

    max_duration: int = 43200  # seconds
    max_tenant_impact: float = 2.0
    load_limit_ops: float = 50.0
    error_budget: float = 0.001
    emergency_stop: bool = False
    worker_lease: int = 15  # seconds
    resume_within: int = 600  # seconds
    retention_runs: int = 100
    retention_days: int = 0
    run_dir: str = ''
    dashboard_ui: str = 'full'

    @classmethod
    def read(cls, option: Callable[[str], Any]) -> 'Settings':
        """Build the settings with ``option``, a getter by name."""
        values: Dict[str, Any] = {}
        for field in dataclasses.fields(cls):
            value = option(field.name)
            if value is not None:
                values[field.name] = value
        return cls(**values)


# In the form of mgr_module.Option's arguments; module.py makes Options of
# them, so that this file stays free of Ceph.
OPTIONS: List[Dict[str, Any]] = [
    {
        'name': 'max_duration',
        'type': 'secs',
        'default': Settings.max_duration,
        'min': 60,
        'desc': 'Refuse runs whose worst case takes longer than this',
    },
    {
        'name': 'max_tenant_impact',
        'type': 'float',
        'default': Settings.max_tenant_impact,
        'min': 1.1,
        'desc': 'Abort when the latency of other pools exceeds this '
        'multiple of its baseline for 15 seconds',
    },
    {
        'name': 'load_limit_ops',
        'type': 'float',
        'default': Settings.load_limit_ops,
        'min': 0.0,
        'desc': 'Client operations per second of other pools above which '
        'a run needs consent and its result is marked busy',
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
        'desc': 'Go on with a run that a failover cut, when the cut is not '
        'longer ago than this; otherwise undo it',
    },
    {
        'name': 'retention_runs',
        'type': 'uint',
        'default': Settings.retention_runs,
        'min': 1,
        'desc': 'Keep the results of this many ended runs',
    },
    {
        'name': 'retention_days',
        'type': 'uint',
        'default': Settings.retention_days,
        'desc': 'Remove results older than this; 0 keeps them',
    },
    {
        'name': 'run_dir',
        'type': 'str',
        'default': Settings.run_dir,
        'desc': 'Folder for sockets, keyrings and spool files of a run; '
        'empty means perfcompare below the run_dir of Ceph',
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
