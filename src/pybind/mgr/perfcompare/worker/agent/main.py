"""Start a load agent: its options, and the channel to the Manager."""

from typing import TYPE_CHECKING, Any, List, Optional

import argparse
import errno
import json
import os
import platform
import sys

from ..wire.agents import COMMAND, ENTITY, check_host
from ..wire.strict import Malformed
from .run import Outdone, Refused, Replaced, default_folder, serve

if TYPE_CHECKING:
    from .run import Call

CONF = '/etc/ceph/ceph.conf'
CONNECT = 10  # seconds until a mon must have answered
# Seconds without a byte after which a connection is made anew, longer than
# between two exchanges. A host whose network was cut for half a minute would
# else be deaf for as long again: TCP tries ever more rarely.
STALE = 15


def _options(argv: List[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog='python3 -m worker agent',
        description='Make load on this host, as the Ceph Manager tells.',
    )
    parser.add_argument(
        '--host',
        default=platform.node(),
        help='name under which the host was added (default: its own)',
    )
    parser.add_argument(
        '--conf', default=CONF, help=f'ceph.conf (default: {CONF})'
    )
    parser.add_argument(
        '--keyring',
        help='file with the key (default: /etc/ceph/ceph.'
        f'{ENTITY}HOST.keyring)',
    )
    parser.add_argument(
        '--dir', help='folder in which the files of jobs have one'
    )
    return parser.parse_args(argv)


def main(argv: List[str]) -> int:
    """Serve until SIGTERM; return the exit code.

    One that is not 0 has systemd start it again, which would drive out the
    agent that serves the host.
    """
    given = _options(argv)
    try:
        host = check_host(given.host)
        conf = os.path.abspath(given.conf)
        keyring = given.keyring or f'/etc/ceph/ceph.{ENTITY}{host}.keyring'
        for path in (conf, keyring):
            with open(path, 'rb'):
                pass
        call = _channel(host, conf, os.path.abspath(keyring))
        serve(call, conf, os.path.abspath(given.dir or default_folder()))
    except Outdone as error:
        _fail(str(error))
        return 0
    except (Malformed, Replaced) as error:
        return _fail(str(error))
    except OSError as error:
        name = f'{error.filename!r}: ' if error.filename else ''
        return _fail(f'{name}{error.strerror or error}')
    return 0


def _fail(message: str) -> int:
    sys.stderr.write(message + '\n')
    return 1


def _channel(host: str, conf: str, keyring: str) -> 'Call':
    """Return what makes one exchange with the Manager, by librados.

    It follows a failover by itself, and waits as long as there is no
    Manager: the lease is the worker's own.
    """
    try:
        import rados
    except ImportError:
        raise OSError(
            errno.ENOENT, "python3-rados is missing: install Ceph's"
        ) from None
    held: List[Any] = []

    def connection() -> Any:
        if not held:
            made = rados.Rados(
                name=ENTITY + host,
                conffile=conf,
                conf={
                    'keyring': keyring,
                    'log_file': '/dev/null',
                    'ms_connection_idle_timeout': str(STALE),
                },
            )
            try:
                made.connect(timeout=CONNECT)
            except rados.Error:
                made.shutdown()
                raise
            held.append(made)
        return held[0]

    def call(text: str) -> str:
        command = json.dumps({'prefix': COMMAND, 'host': host})
        code, output, status = connection().mgr_command(
            command, text.encode()
        )
        if code == 0:
            return str(output.decode('utf-8', 'replace'))
        told: Optional[str] = status.strip() if status else None
        refused = Refused(
            told or f'{COMMAND!r}: {os.strerror(abs(code))}', abs(code)
        )
        if refused.shut_out:
            # the next connection is made with the key that is there then
            held.pop().shutdown()
        raise refused

    return call
