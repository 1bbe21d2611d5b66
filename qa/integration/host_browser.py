"""The dashboard, asked from a host, which alone reaches its address."""

from typing import Any, Dict, Sequence, Tuple

import json

from managed.bootstrap import PASSWORD, USER

from .live import LiveCluster
from .waiting import wait_for

# Runs on the host: one JSON object with url, login and paths.
PROGRAM = '''
import json, ssl, sys, urllib.error, urllib.request
given = json.load(sys.stdin)
trust = ssl._create_unverified_context()
headers = {
    'Accept': 'application/vnd.ceph.api.v1.0+json',
    'Content-Type': 'application/json',
}
def ask(path, data=None, more={}):
    request = urllib.request.Request(
        given['url'] + path, data=data, headers={**headers, **more})
    try:
        answer = urllib.request.urlopen(request, timeout=30, context=trust)
    except urllib.error.HTTPError as error:
        answer = error
    text = answer.read().decode('utf-8', 'replace')
    return {'status': answer.status, 'text': text,
            'type': answer.headers.get('Content-Type', '')}
login = json.dumps(given['login']).encode()
token = json.loads(ask('api/auth', login)['text'])['token']
bearer = {'Authorization': 'Bearer ' + token}
print(json.dumps({path: ask(path, more=bearer) for path in given['paths']}))
'''


CEPHADM = (USER, PASSWORD, 'host1')


def visit(
    cluster: LiveCluster,
    paths: Sequence[str],
    by: Tuple[str, str, str] = CEPHADM,
) -> Dict[str, Dict[str, Any]]:
    """Return status, type and text of paths, to a user who has logged in.

    ``by``: user, password, and the host to ask from ('': any).
    """
    user, password, host = by

    def address() -> Any:
        return cluster.ceph('mgr', 'services').get('dashboard')

    url = wait_for(address, 60, 'the dashboard has an address')
    given = {
        'url': url,
        'login': {'username': user, 'password': password},
        'paths': list(paths),
    }

    def answer() -> Any:
        done = cluster.exec(
            ['python3', '-c', PROGRAM], json.dumps(given), host=host
        )
        # it begins to serve
        if 'Connection refused' in done.stderr:
            return None
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    found: Dict[str, Dict[str, Any]] = wait_for(
        answer, 60, 'the dashboard answers'
    )
    return found
