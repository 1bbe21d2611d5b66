"""Gateways of operators: where they are, and the keys to use them.

All of it is kept in the mon store, so that another mgr can remove the
buckets of a run that was cut. Keys are never returned by a use case.
"""

from typing import Any, Callable, Dict, List, NamedTuple, Optional, Sequence

import json
import logging
import re
import urllib.parse

from ....common.codec import from_text, to_data
from ....common.errors import Busy, InvalidArgument, NotFound
from ....groups import resolution as groups
from ....model.group import GatewaySet
from ....ports.keys import KeyValueStore
from ....undo.entries import EntryStore, Kind
from ....worker.wire.s3_spec import Endpoint

log = logging.getLogger(__name__)

PREFIX = 'gateways/'
KEYS = 'gateway-keys/'
AUTHORITY = 'gateway-ca/'
MOST = 64  # endpoints of a group
LONGEST = 3500  # characters: the mon store loses values of 4 KiB silently
LARGEST = 128 * 1024  # characters of a file of keys
_KEY = re.compile(r'[\x21-\x7e]+\Z')
_HOST = re.compile(r'[A-Za-z0-9._:-]{1,253}\Z')
# a top-level domain has no digits only, which an address would end with
_DOMAIN = re.compile(
    r'(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)*'
    r'(?!\d+\Z)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\Z'
)
LONGEST_DOMAIN = 253 - 64  # of a host, and before it a bucket and a dot
_WORD = re.compile(r'[A-Za-z0-9][A-Za-z0-9._-]{0,62}\Z')


class Secrets(NamedTuple):
    """Hold the keys of an S3 user, and who signed the certificates."""

    access_key: str
    secret_key: str
    ca: str = ''  # PEM; empty: the authorities that the host trusts

    def __repr__(self) -> str:
        return 'Secrets(not shown)'


def _read(group: str, text: str) -> GatewaySet:
    """Return stored gateways; without endpoints where they are damaged."""
    try:
        found = from_text(GatewaySet, text)
        if found.group == group and found.endpoints:
            return found
        why = 'they are of another group, or none'
    except InvalidArgument as error:
        why = error.message
    log.warning('gateways of group %r cannot be read: %s', group, why)
    return GatewaySet(group, ())


class GatewayRepository:
    """Set, list, use and forget gateways of operators, by group."""

    def __init__(
        self,
        cluster: KeyValueStore,
        refuse_active: Callable[[str], None] = lambda group: None,
    ) -> None:
        """``refuse_active`` raises Busy while a run may use a group's.

        Its plan has their addresses, and its first bucket may be yet to come.
        """
        self._refuse_active = refuse_active
        self._cluster = cluster
        self._entries = EntryStore(cluster)

    def set(
        self,
        group: str,
        endpoints: Optional[Sequence[str]],
        placement: Optional[str],
        region: Optional[str],
        text: Optional[str],
        dns_name: Optional[str] = None,
    ) -> GatewaySet:
        """Set a group's gateways; ``text`` is the file with the keys."""
        groups.check_name(group)
        words = [w for e in endpoints or () for w in e.split(',') if w]
        if not words:
            raise InvalidArgument(
                f'gateways of group {group!r} need an endpoint: '
                'http://<host>:<port>'
            )
        if len(words) > MOST:
            raise InvalidArgument(
                f'{len(words)} endpoints; give at most {MOST}'
            )
        for option, word in (
            ('placement', placement),
            ('region', region),
        ):
            if word is not None and not _WORD.match(word):
                raise InvalidArgument(
                    f'{option} {word[:40]!r} is not valid; give 1 to 63 '
                    "letters, digits, '.', '_' and '-'"
                )
        if dns_name is not None:
            dns_name = domain(dns_name)
        secrets = read_secrets(text)
        found = GatewaySet(
            group=group,
            endpoints=tuple(endpoint(word).url() for word in words),
            placement=placement or '',
            region=region or 'us-east-1',
            own_ca=bool(secrets.ca),
            dns_name=dns_name or '',
        )
        if not self._same_place(found):
            self._refuse_used(group)
        keys = {
            'access_key': secrets.access_key,
            'secret_key': secrets.secret_key,
        }
        self._cluster.kv_set(KEYS + group, json.dumps(keys))
        if secrets.ca:
            self._cluster.kv_set(AUTHORITY + group, secrets.ca)
        else:
            self._cluster.kv_remove(AUTHORITY + group)
        self._cluster.kv_set(PREFIX + group, json.dumps(to_data(found)))
        return found

    def list(self) -> List[GatewaySet]:
        """Return all gateways that are set, without keys.

        Those that this version cannot read have no endpoints.
        """
        stored = self._cluster.kv_list(PREFIX)
        return [
            _read(key[len(PREFIX) :], text)
            for key, text in sorted(stored.items())
        ]

    def hosts(self) -> List[str]:
        """Return the hosts that all gateways are on: names and addresses."""
        found: Dict[str, None] = {}
        for gateways in self.list():
            for url in gateways.endpoints:
                try:
                    found[endpoint(url).host] = None
                except InvalidArgument:  # a run through them says so
                    continue
        return list(found)

    def get(self, group: str) -> GatewaySet:
        """Return a group's gateways; NotFound says how to set them."""
        for found in self.list():
            if found.group == group and found.endpoints:
                return found
            if found.group == group:
                raise InvalidArgument(
                    f'the gateways of group {group[:40]!r} cannot be read by '
                    'this version; set them again with `ceph perfcompare '
                    f'gateways set {group[:40]}`, or remove them with '
                    f'`ceph perfcompare gateways rm {group[:40]}`'
                )
        raise NotFound(
            f'no gateways are set for group {group[:40]!r}; set them with '
            f'`ceph perfcompare gateways set {group[:40]} --endpoint '
            'http://<host>:<port> -i <keys>`'
        )

    def secrets(self, group: str) -> Secrets:
        """Return a group's keys; NotFound when there are none."""
        text = self._cluster.kv_get(KEYS + group)
        if text is None:
            raise NotFound(f'group {group!r} has no keys of gateways')
        try:
            keys = from_text(Dict[str, str], text)
            pair = keys['access_key'], keys['secret_key']
        except (InvalidArgument, KeyError):
            # no part of it is shown: it may be a key
            raise InvalidArgument(
                f'the keys of gateways of group {group!r} cannot be read by '
                'this version; give them again with `ceph perfcompare '
                f'gateways set {group}`'
            ) from None
        return Secrets(*pair, self._cluster.kv_get(AUTHORITY + group) or '')

    def remove(self, group: str) -> None:
        """Forget a group's gateways and keys."""
        if PREFIX + group not in self._cluster.kv_list(PREFIX):
            raise NotFound(f'no gateways are set for group {group[:40]!r}')
        self._refuse_used(group)
        for prefix in (PREFIX, KEYS, AUTHORITY):
            self._cluster.kv_remove(prefix + group)

    def _same_place(self, found: GatewaySet) -> bool:
        """Say whether only keys are new, as when they were rotated."""
        return any(
            set(known.endpoints) == set(found.endpoints)
            for known in self.list()
            if known.group == found.group
        )

    def _refuse_used(self, group: str) -> None:
        """Raise Busy while a run, or buckets that it left, need these."""
        # no run can have any that are not set
        if any(known.group == group for known in self.list()):
            self._refuse_active(group)
        for run in self._entries.runs():
            for entry in self._entries.entries(run):
                if entry.kind is not Kind.BUCKET:
                    continue
                if entry.detail.get('gateways') == group:
                    raise Busy(
                        f'bucket {entry.name!r} of run {run} is yet to be '
                        f'removed through gateways of group {group!r}: wait '
                        'for the run, or try `ceph perfcompare cleanup`'
                    )


def endpoint(text: str) -> Endpoint:
    """Return the endpoint of a URL; InvalidArgument when it is none."""
    try:
        found = urllib.parse.urlsplit(text.strip())
        port = found.port
    except ValueError:
        found, port = urllib.parse.urlsplit(''), None
    plain = (
        not (found.path.strip('/') or found.query or found.fragment)
        and found.username is None
    )
    if found.scheme not in ('http', 'https') or port == 0:
        plain = False
    if not _HOST.match(found.hostname or ''):
        plain = False
    if not plain:
        # what was given may hold a password
        raise InvalidArgument(
            'an endpoint is not valid; give http://<host>:<port> or '
            'https://<host>:<port>, without user and path'
        )
    tls = found.scheme == 'https'
    return Endpoint(found.hostname or '', port or (443 if tls else 80), tls)


def domain(text: str) -> str:
    """Return a name in which buckets are hosts, in lower case."""
    found = text.strip().lower()
    if not _DOMAIN.match(found) or len(found) > LONGEST_DOMAIN:
        raise InvalidArgument(
            f'--dns-name {text[:40]!r} is not valid; give the rgw_dns_name '
            'of the gateways, as s3.example.com'
        )
    return found


def read_secrets(text: Optional[str]) -> Secrets:
    """Read a keys file: access_key, secret_key and, if needed, ca.

    What `radosgw-admin user info` prints is such a file as well. Raises
    InvalidArgument, never with the content.
    """
    if not text:
        raise InvalidArgument(
            'no keys are given: access_key and secret_key are needed (on '
            'the command line, as JSON in a file that -i names)'
        )
    if len(text) > LARGEST:
        raise InvalidArgument(
            f'the keys have {len(text):,} characters; at most '
            f'{LARGEST:,} are read'
        )
    try:
        data: Any = json.loads(text)
    except (ValueError, RecursionError):
        data = None
    if not isinstance(data, dict):
        raise InvalidArgument('the keys are not a JSON mapping')
    users = data.get('keys')
    if isinstance(users, list):
        if not users or not isinstance(users[0], dict):
            raise InvalidArgument('keys: there are none')
        data = {**users[0], 'ca': data.get('ca', '')}
    found = []
    for key in ('access_key', 'secret_key', 'ca'):
        value = data.get(key, '' if key == 'ca' else None)
        if not isinstance(value, str) or (not value and key != 'ca'):
            raise InvalidArgument(
                f'the keys have no {key}, or no text as such'
            )
        if len(value) > LONGEST:
            raise InvalidArgument(
                f'{key} has {len(value)} characters; at most {LONGEST} '
                'are kept'
            )
        if key != 'ca' and not _KEY.match(value):
            raise InvalidArgument(
                f'{key} has blanks, control characters or others that no '
                'key has'
            )
        found.append(value)
    if found[2] and '-----BEGIN CERTIFICATE-----' not in found[2]:
        raise InvalidArgument('ca is no PEM text')
    return Secrets(*found)
