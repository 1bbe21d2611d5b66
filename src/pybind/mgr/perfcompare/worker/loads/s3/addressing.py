"""Where a request says which bucket it is for: in its path, or its host."""

from typing import Dict, Mapping, Optional, Tuple

from ...wire.s3_spec import Endpoint, Target
from .extras import NOTHING, Extras
from .sigv4 import EMPTY, Signer


def place(endpoint: Endpoint, path: str) -> Tuple[str, str]:
    """Return host header and path of what is at ``/bucket/name``."""
    bucket, slash, name = path[1:].partition('/')
    if not endpoint.domain or not bucket:
        return endpoint.authority(), path
    return endpoint.authority(bucket), f'/{name}' if slash else '/'


class HostSigner(Signer):
    """Sign requests whose buckets are hosts: one signer for each."""

    def __init__(self, target: Target, endpoint: Endpoint, extras: Extras):
        """Sign for the buckets of ``endpoint.domain``."""
        super().__init__(*_keys(target), endpoint.authority(), extras)
        self._target = target
        self._endpoint = endpoint
        self._extras = extras
        self._now = 0.0
        self._hosts: Dict[bytes, Signer] = {}

    def tick(self, now: float) -> None:
        """Take Unix time ``now`` for what is signed from here on."""
        super().tick(now)
        self._now = now
        for signer in self._hosts.values():
            signer.tick(now)

    def head(
        self,
        method: bytes,
        path: bytes,
        payload: bytes = EMPTY,
        extra: bytes = b'',
    ) -> bytes:
        """Return a whole request head, as ``Signer`` does."""
        signer, name = self._split(path)
        return signer.head(method, name, payload, extra)

    def full(
        self,
        method: bytes,
        path: bytes,
        query: bytes = b'',
        headers: Optional[Mapping[bytes, bytes]] = None,
        plain: bytes = b'',
        payload: bytes = EMPTY,
    ) -> bytes:
        """Return the head of a request with more, as ``Signer`` does."""
        signer, name = self._split(path)
        return signer.full(method, name, query, headers, plain, payload)

    def _split(self, path: bytes) -> Tuple[Signer, bytes]:
        at = path.find(b'/', 1)
        bucket, name = (path, b'/') if at < 0 else (path[:at], path[at:])
        signer = self._hosts.get(bucket)
        if signer is None:
            host = self._endpoint.authority(bucket[1:].decode())
            signer = Signer(*_keys(self._target), host, self._extras)
            signer.tick(self._now)
            self._hosts[bucket] = signer
        return signer, name


def signer(
    target: Target, endpoint: Endpoint, extras: Extras = NOTHING
) -> Signer:
    """Return what signs requests to an endpoint; ``tick`` it first."""
    if endpoint.domain:
        return HostSigner(target, endpoint, extras)
    return Signer(*_keys(target), endpoint.authority(), extras)


def _keys(target: Target) -> Tuple[str, str, str]:
    return target.access_key, target.secret_key, target.region
