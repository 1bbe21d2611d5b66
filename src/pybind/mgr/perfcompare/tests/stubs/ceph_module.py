"""Stand in for the classes that ceph-mgr builds in C++.

Only what mgr_module needs to construct a module and to keep its options and
its store; each other method of the real classes is absent, so that a test
that reaches for the cluster fails instead of meeting an invented answer.
"""

from typing import Any, Callable, Dict, List, Optional, Tuple


class BasePyOSDMap:
    """Be the base of mgr_module.OSDMap."""


class BasePyOSDMapIncremental:
    """Be the base of mgr_module.OSDMapIncremental."""


class BasePyCRUSH:
    """Be the base of mgr_module.CRUSHMap."""


class _Base:
    ceph_options: Dict[str, Any] = {
        'debug_mgr': '1/5',
        'log_file': '',
        'log_to_stderr': False,
        'mgr_pool': True,
        'run_dir': '/var/run/ceph',
    }

    def __init__(self, *handles: object) -> None:
        self.stub_options: Dict[str, Any] = {}
        self.stub_store: Dict[str, str] = {}
        self.stub_health: Dict[str, Any] = {}
        self.stub_cluster_log: List[Tuple[str, int, str]] = []
        self.stub_progress: Dict[str, Tuple[str, float]] = {}

    def _ceph_get_mgr_id(self) -> str:
        return 'x'

    def _ceph_get_option(self, key: str) -> Any:
        return self.ceph_options.get(key)

    def _ceph_log(self, record: str) -> None:
        pass

    def _ceph_get_store(self, key: str) -> Optional[str]:
        return self.stub_store.get(key)

    def _ceph_get_store_prefix(self, prefix: str) -> Dict[str, str]:
        found = self.stub_store.items()
        return {k: v for k, v in found if k.startswith(prefix)}

    def _ceph_set_store(self, key: str, value: Optional[str]) -> None:
        if value is None:
            self.stub_store.pop(key, None)
        else:
            self.stub_store[key] = value


class BaseMgrStandbyModule(_Base):
    """Be the base of mgr_module.MgrStandbyModule."""

    def _ceph_get_module_option(self, key: str, prefix: str = '') -> Any:
        return self.stub_options.get(key)

    def _ceph_get_active_uri(self) -> str:
        return ''


_CASTS: Dict[str, Callable[[str], Any]] = {
    'bool': lambda text: str(text).lower() == 'true',
    'float': float,
    'int': int,
    'secs': int,
    'size': int,
    'str': str,
    'uint': int,
}


class BaseMgrModule(_Base):
    """Be the base of mgr_module.MgrModule."""

    MODULE_OPTIONS: List[Dict[str, Any]] = []

    def _ceph_get_module_option(
        self, module: str, key: str, prefix: str = ''
    ) -> Any:
        value = self.stub_options.get(key)
        if value is None:
            return None
        declared = {o['name']: o for o in self.MODULE_OPTIONS}
        return _CASTS[declared[key].get('type', 'str')](value)

    def _ceph_set_module_option(
        self, module: str, key: str, value: Optional[str]
    ) -> None:
        self.stub_options[key] = value

    def _ceph_get_version(self) -> str:
        return 'ceph version 20.2.0 (0) tentacle (stable)'

    def _ceph_get_release_name(self) -> str:
        return 'tentacle'

    def _ceph_get_ceph_conf_path(self) -> str:
        return '/etc/ceph/ceph.conf'

    def _ceph_set_health_checks(self, checks: Dict[str, Any]) -> None:
        self.stub_health = checks

    def _ceph_cluster_log(self, channel: str, prio: int, text: str) -> None:
        self.stub_cluster_log.append((channel, prio, text))

    def _ceph_have_mon_connection(self) -> bool:
        return True

    def _ceph_update_progress_event(
        self, ident: str, text: str, fraction: float, in_status: bool
    ) -> None:
        self.stub_progress[ident] = (text, fraction)

    def _ceph_complete_progress_event(self, ident: str) -> None:
        self.stub_progress.pop(ident, None)
