"""What opens exporters: a CA and credentials, kept in the mon store.

They are set from a file, never shown, exported or logged; a worker gets
them as files of mode 0600 in the private folder of its run.
"""

from typing import Any, Dict, List, Optional, Tuple

import dataclasses
import json
import os

from ..common import strict_yaml
from ..common.errors import InvalidArgument
from ..ports.keys import KeyValueStore

PREFIX = 'exporter/'
PART = 3000  # characters of one value
VALUE = 4095  # bytes that the mon store takes
CA_MAX = 20 * PART
BEGIN = '-----BEGIN CERTIFICATE-----'
END = '-----END CERTIFICATE-----'
KEYS = (
    'ca',
    'username',
    'password',
    'prometheus_username',
    'prometheus_password',
)

Pair = Optional[Tuple[str, str]]  # username, password


@dataclasses.dataclass(frozen=True)
class ExporterAccess:
    """Hold what exporters and a Prometheus server ask for."""

    ca: str = ''  # PEM
    exporter: Pair = None
    prometheus: Pair = None

    @property
    def secure(self) -> bool:
        """Say whether exporters are to be reached by TLS."""
        return bool(self.ca or self.exporter)

    def over(self, kept: 'ExporterAccess') -> 'ExporterAccess':
        """Return this, with what it lacks as it was kept."""
        return ExporterAccess(
            self.ca or kept.ca,
            self.exporter or kept.exporter,
            self.prometheus or kept.prometheus,
        )

    def shown(self) -> 'ShownAccess':
        """Return what may be told of it."""
        return ShownAccess(
            ca=bool(self.ca),
            credentials=self.exporter is not None,
            prometheus_credentials=self.prometheus is not None,
        )

    def __repr__(self) -> str:
        """Return no secret, whatever prints it."""
        return f'ExporterAccess({self.shown()})'


@dataclasses.dataclass(frozen=True)
class ShownAccess:
    """Say which secrets are set, without them."""

    ca: bool
    credentials: bool
    prometheus_credentials: bool


def parse(text: Optional[str]) -> ExporterAccess:
    """Read the file of `exporter set -i`: YAML with some of KEYS.

    Raises InvalidArgument, naming keys only, never what they hold.
    """
    if not text or not text.strip():
        raise InvalidArgument(
            f'nothing is given; give one of: {", ".join(KEYS)} (on the '
            'command line, as YAML in a file that -i names)'
        )
    if len(text) > strict_yaml.MAX_BYTES:
        raise InvalidArgument(
            f'{len(text):,} characters are given; at most '
            f'{strict_yaml.MAX_BYTES:,} are read'
        )
    try:
        data = strict_yaml.parse(text, most=4 * len(KEYS))
    except InvalidArgument:
        # its message may quote a line of the file
        raise InvalidArgument(
            f'not valid YAML with some of: {", ".join(KEYS)}'
        ) from None
    if not isinstance(data, dict) or not data:
        raise InvalidArgument(
            f'nothing is given; give one of: {", ".join(KEYS)}'
        )
    unknown = sorted(str(k) for k in data if k not in KEYS)
    if unknown:
        raise InvalidArgument(
            f'unknown key {unknown[0][:40]!r}; known are: {", ".join(KEYS)}'
        )
    for key, value in data.items():
        if not isinstance(value, str) or not value:
            raise InvalidArgument(
                f'{key}: a text is needed (in YAML: quote it)'
            )
    return ExporterAccess(
        _ca(data.get('ca', '')),
        _pair(data, ''),
        _pair(data, 'prometheus_'),
    )


def _ca(text: str) -> str:
    if not text:
        return ''
    text = text.strip() + '\n'
    if 'PRIVATE KEY' in text:
        raise InvalidArgument(
            'ca: it has a private key; give the certificate alone'
        )
    if not text.startswith(BEGIN) or text.count(BEGIN) != text.count(END):
        raise InvalidArgument('ca: not a certificate in PEM form')
    if len(text) > CA_MAX:
        raise InvalidArgument(
            f'ca: {len(text)} characters are more than {CA_MAX}; give the '
            'signing CA alone'
        )
    return text


def _pair(data: Dict[str, Any], prefix: str) -> Pair:
    user, password = (data.get(prefix + k) for k in ('username', 'password'))
    if (user is None) != (password is None):
        raise InvalidArgument(
            f'{prefix}username and {prefix}password go together'
        )
    if user is None or password is None:
        return None
    if ':' in user or len(user) + len(password) > 1000:
        raise InvalidArgument(f'{prefix}username: not one of basic auth')
    return user, password


def save(store: KeyValueStore, access: ExporterAccess) -> None:
    """Replace what is kept in the mon store; that goes last.

    Raises InvalidArgument, with nothing changed, for what it cannot hold.
    """
    parts = [access.ca[i : i + PART] for i in range(0, len(access.ca), PART)]
    wanted = {f'{PREFIX}ca.{n:02d}': part for n, part in enumerate(parts)}
    for name, pair in (
        ('exporter', access.exporter),
        ('prometheus', access.prometheus),
    ):
        if pair is not None:
            wanted[PREFIX + name] = json.dumps(pair)
    if any(
        len(v.encode('utf-8', 'replace')) > VALUE for v in wanted.values()
    ):
        raise InvalidArgument(
            'ca, username or password: too long for the mon store; of '
            'letters beyond ASCII fewer fit'
        )
    kept = store.kv_list(PREFIX)
    for key, value in wanted.items():
        if kept.get(key) != value:
            store.kv_set(key, value)
    for key in sorted(set(kept) - set(wanted)):
        store.kv_remove(key)


def load(store: KeyValueStore) -> ExporterAccess:
    """Return what is kept in the mon store."""
    found = store.kv_list(PREFIX)
    ca = ''.join(
        found[key] for key in sorted(found) if key.startswith(PREFIX + 'ca.')
    )
    pairs: List[Pair] = []
    for name in ('exporter', 'prometheus'):
        text = found.get(PREFIX + name)
        pair: Pair = None
        if text:
            user, password = json.loads(text)
            pair = (str(user), str(password))
        pairs.append(pair)
    return ExporterAccess(ca, pairs[0], pairs[1])


def clear(store: KeyValueStore) -> bool:
    """Forget all of it; say whether there was any."""
    found = store.kv_list(PREFIX)
    for key in found:
        store.kv_remove(key)
    return bool(found)


@dataclasses.dataclass(frozen=True)
class AccessFiles:
    """Name the files that a worker reads; empty where none is needed."""

    ca: str = ''
    exporter: str = ''
    prometheus: str = ''


def write(access: ExporterAccess, folder: str) -> AccessFiles:
    """Write the files, mode 0600, into a private folder."""
    paths = {}
    for name, text in (
        ('ca', access.ca),
        ('exporter', _json(access.exporter)),
        ('prometheus', _json(access.prometheus)),
    ):
        if not text:
            continue
        path = os.path.join(folder, f'access.{name}')
        flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        with os.fdopen(os.open(path, flags, 0o600), 'w') as file:
            file.write(text)
        paths[name] = path
    return AccessFiles(**paths)


def _json(pair: Pair) -> str:
    if pair is None:
        return ''
    return json.dumps({'username': pair[0], 'password': pair[1]})
