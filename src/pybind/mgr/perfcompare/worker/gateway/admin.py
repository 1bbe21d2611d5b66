"""Make realm, zonegroup, zone and user in the run's pool."""

from typing import Any, Dict, List, Optional

import errno
import json
import os

from ..runtime.context import Context
from ..runtime.failure import Failure, one_line, scrub
from ..wire.gateway_jobs import NAME, ROOTS, Gateway
from . import zone

LIMIT = 120.0  # seconds of one command


def scope(job: Gateway) -> List[str]:
    """Return the arguments that keep a program within the run.

    Without them the roots would be looked for in the cluster's `.rgw.root`.
    """
    found = [
        '--conf',
        job.access.conf,
        '--name',
        job.access.entity,
        '--keyring',
        job.access.keyring,
        '--rgw-realm',
        NAME,
        '--rgw-zonegroup',
        NAME,
        '--rgw-zone',
        NAME,
    ]
    for option in ROOTS:
        found += [f'--{option.replace("_", "-")}', job.access.pool]
    return found


class Admin:
    """Run `radosgw-admin` with the run's key."""

    def __init__(self, job: Gateway, context: Context) -> None:
        self._job = job
        self._context = context
        self._serial = 0

    def call(self, *words: str, absent: bool = False) -> Optional[Any]:
        """Return what a command says; Failure when it fails.

        With ``absent`` None stands for a thing that is not there.
        """
        self._serial += 1
        label = f'admin.{self._serial}'
        argv = [self._job.radosgw_admin, *words, *scope(self._job)]
        argv += ['--log-to-stderr=false', '--log-file=']
        child = self._context.children.start(label, argv)
        left = LIMIT
        while child.poll() is None:
            self._context.pause(0.05)
            left -= 0.05
            if left <= 0:
                child.kill()
                raise Failure(
                    'gateway', f'radosgw-admin {words[0]} hangs: {LIMIT:g} s'
                )
        text, code = child.output(), child.poll()
        # it may hold the user's keys
        os.unlink(self._context.path(f'{label}.out'))
        if code == 127:
            raise Failure(
                'tool',
                f'program {self._job.radosgw_admin!r} was not found: install '
                'the package radosgw on this host',
            )
        if code:
            if absent and code in (errno.ENOENT, 256 - errno.ENOENT):
                return None
            why = scrub(one_line(child.errors())) or f'code {code}'
            raise Failure(
                'gateway', f'radosgw-admin {" ".join(words[:2])}: {why}'
            )
        try:
            return json.loads(text) if text.strip() else {}
        except ValueError:
            return {}

    def file(self, name: str, data: Any) -> str:
        """Write what a command reads; return the path."""
        path = self._context.path(name)
        with open(path, 'w', encoding='utf-8') as file:
            json.dump(data, file)
        return path


def set_up(job: Gateway, context: Context) -> Dict[str, str]:
    """Make what is not there yet; return the S3 keys of our user."""
    admin = Admin(job, context)
    user = None
    if admin.call('realm', 'get', absent=True) is not None:
        user = admin.call('user', 'info', '--uid', NAME, absent=True)
    if user is None:
        _make_zone(job, admin)
        user = admin.call(
            'user', 'create', '--uid', NAME, '--display-name', NAME,
            '--max-buckets', '0',  # as many as loads need
        )  # fmt: skip
    try:
        key = user['keys'][0]  # type: ignore[index]
        return {
            'access_key': str(key['access_key']),
            'secret_key': str(key['secret_key']),
        }
    except (KeyError, IndexError, TypeError):
        raise Failure('gateway', 'the new S3 user has no key') from None


def _make_zone(job: Gateway, admin: Admin) -> None:
    admin.call('realm', 'create', '--default')
    admin.call('zonegroup', 'create', '--master', '--default')
    made = admin.call('zone', 'create', '--master', '--default')
    if not isinstance(made, dict):
        raise Failure('gateway', 'radosgw-admin describes no zone')
    ours = zone.rewrite(made, job.access.pool, job.targets)
    admin.call('zone', 'set', '--infile', admin.file('zone.json', ours))
    for target in job.targets[1:]:
        admin.call(
            'zonegroup', 'placement', 'add', '--placement-id', target.name
        )
    admin.call('period', 'update', '--commit')
    # what counts is what it will read
    now = admin.call('zone', 'get')
    allowed = {job.access.pool}
    for target in job.targets:
        allowed |= {target.index, target.data}
    stray = [p for p in zone.pools(now) if p not in allowed]
    if stray:
        raise Failure('gateway', f'the zone names foreign pool {stray[0]!r}')
