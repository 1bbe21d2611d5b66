"""The gateways of operators as a run uses them."""

from typing import Dict, FrozenSet, Sequence, Tuple

import dataclasses
import json
import os

from ....model.group import GatewaySet
from ....model.plan import GroupPlan
from ....model.topology import Pool
from ....worker.wire.s3_spec import Endpoint
from . import repository as gatewaybook
from .private import Service
from .repository import GatewayRepository


def service(
    book: GatewayRepository, found: GatewaySet, folder: str
) -> Service:
    """Write a group's keys to files that only we can read; say where."""
    secrets = book.secrets(found.group)
    stem = os.path.join(folder, f'gateways-{found.group}')
    keys = {
        'access_key': secrets.access_key,
        'secret_key': secrets.secret_key,
    }
    _private(f'{stem}.keys', json.dumps(keys))
    if secrets.ca:
        _private(f'{stem}.ca', secrets.ca)
    # the zone group is the gateway's own
    location = f':{found.placement}' if found.placement else ''
    endpoints = tuple(gatewaybook.endpoint(e) for e in found.endpoints)
    return Service(
        endpoints=endpoints,
        credentials=f'{stem}.keys',
        host=', '.join(sorted({e.host for e in endpoints})),
        arch='',
        version='',
        reads=location,
        writes=location,
        ca_file=f'{stem}.ca' if secrets.ca else '',
        region=found.region,
    )


def addressed(
    endpoints: Tuple[Endpoint, ...], domain: str
) -> Tuple[Endpoint, ...]:
    """Return endpoints whose buckets are hosts in a domain, if any."""
    return tuple(dataclasses.replace(e, domain=domain) for e in endpoints)


def pools_of(pools: Sequence[Pool]) -> FrozenSet[str]:
    """Return which of some pools gateways have, or may just have made.

    They come with the first bucket, and for a moment without application.
    """
    return frozenset(
        p.name for p in pools if 'rgw' in p.application or not p.application
    )


def _private(path: str, text: str) -> None:
    if os.path.exists(path):
        os.unlink(path)
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
    with os.fdopen(os.open(path, flags, 0o600), 'w') as file:
        file.write(text)


class ExistingGateways:
    """Use gateways that are there; nothing is started or ended."""

    def __init__(self, book: GatewayRepository, folder: str) -> None:
        self._book = book
        self._folder = folder
        self._services: Dict[str, Service] = {}

    def of(self, group: GroupPlan) -> Service:
        """Return a group's gateways; NotFound when they are set no more."""
        name = group.gateways
        if name not in self._services:
            self._services[name] = service(
                self._book, self._book.get(name), self._folder
            )
        return self._services[name]

    def problem(self, group: GroupPlan) -> str:
        """Return nothing: whether they answer is for requests to see."""
        return ''

    def close(self) -> None:
        """Leave them as they are; the files go with the run's folder."""
