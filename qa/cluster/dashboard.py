"""Set the dashboard up: address, plain HTTP, one administrator."""

from typing import Dict, List

import json
import os
import secrets
import time

from . import conf
from .admin import Admin, Request, mon_request
from .messages import ClusterError
from .state import Cluster

USER = 'admin'
PATIENCE = 60.0


def option_requests(cluster: Cluster, mgrs: List[str]) -> List[Request]:
    """Return the requests that set the module's options.

    To be sent before the first mgr starts, when the mon does not know the
    module's options yet; hence `force`. Plain HTTP, because the cluster
    is on the loopback network and its login is thrown away with it.
    """
    port = str(cluster.settings.dashboard_port)
    options = {'ssl': 'false', 'server_port': port}
    for name in mgrs:
        options[name + '/server_addr'] = conf.mgr_address(cluster, name)
    return [
        mon_request(
            'config set',
            who='mgr',
            name='mgr/dashboard/' + key,
            value=value,
            force=True,
        )
        for key, value in options.items()
    ]


def create_user(cluster: Cluster, admin: Admin) -> None:
    """Create the administrator and keep the login in the folder."""
    password = secrets.token_urlsafe(12)
    request = Request(
        'mgr',
        {
            'prefix': 'dashboard ac-user-create',
            'username': USER,
            'rolename': 'administrator',
            'force_password': True,
        },
        password,
    )
    deadline = time.monotonic() + PATIENCE
    answer = admin.ask([request])[0]
    # The command is not known until the module is loaded.
    while answer['rc'] and time.monotonic() < deadline:
        time.sleep(0.5)
        answer = admin.ask([request])[0]
    if answer['rc']:
        raise ClusterError(
            'cannot create the dashboard user: %s' % answer['err'].strip(),
            abs(answer['rc']),
        )
    path = cluster.dir / 'dashboard.json'
    handle = os.open(str(path), os.O_WRONLY | os.O_CREAT, 0o600)
    with os.fdopen(handle, 'w', encoding='utf-8') as out:
        json.dump({'user': USER, 'password': password}, out)


def login(cluster: Cluster) -> Dict[str, object]:
    """Return user, password and one address per mgr; {} without one."""
    path = cluster.dir / 'dashboard.json'
    if not path.exists():
        return {}
    found: Dict[str, object] = json.loads(path.read_text(encoding='utf-8'))
    mgrs = sorted(p.name for p in (cluster.dir / 'mgr').iterdir())
    found['urls'] = {
        name: 'http://%s:%d/'
        % (conf.mgr_address(cluster, name), cluster.settings.dashboard_port)
        for name in mgrs
    }
    return found
