"""An in-memory Cluster for unit tests; what Ceph really does is proven
elsewhere, on a real cluster.

The state is in public attributes, so that a test can set any of it. The
CRUSH of this cluster is simple, but keeps what counts: hosts with several
parents, class filters, one replica per failure domain, upmaps that break the
rule are dropped silently, rules and profiles in use cannot be removed.
"""

from typing import (
    Dict,
    Optional,
    Sequence,
)

from ...common.errors import InvalidArgument
from .faults import FakeFaults
from .orchestration import FakeOrchestration
from .sights import FakeSights
from .state import Call, Failure, verb
from .writes import FakeWrites

__all__ = ['Call', 'FakeCluster', 'Failure']


class FakeCluster(FakeWrites, FakeFaults, FakeOrchestration, FakeSights):
    """Behave like ``cluster.Cluster``, without Ceph."""

    @verb
    def log_info(self, message: str) -> None:
        self.log.append(('info', message))

    @verb
    def log_warn(self, message: str) -> None:
        self.log.append(('warn', message))

    @verb
    def set_health_warning(
        self, code: str, summary: str, detail: Sequence[str]
    ) -> None:
        self.warnings[code] = (summary, list(detail))

    @verb
    def clear_health_warning(self, code: str) -> None:
        self.warnings.pop(code, None)

    @verb
    def progress_update(
        self, ident: str, message: str, fraction: float
    ) -> None:
        self.progress[ident] = (message, fraction)

    @verb
    def progress_complete(self, ident: str) -> None:
        self.progress.pop(ident, None)

    @verb
    def kv_get(self, key: str) -> Optional[str]:
        return self.kv.get(key)

    @verb
    def kv_set(self, key: str, value: str) -> None:
        if len(value.encode()) >= 4096:
            raise InvalidArgument(
                f'value of {key!r} has {len(value.encode())} bytes; '
                'at most 4095 can be stored'
            )
        self.kv[key] = value

    @verb
    def kv_remove(self, key: str) -> None:
        self.kv.pop(key, None)

    @verb
    def kv_list(self, prefix: str) -> Dict[str, str]:
        return {
            k: v for k, v in sorted(self.kv.items()) if k.startswith(prefix)
        }
