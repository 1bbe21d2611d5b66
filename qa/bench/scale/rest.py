"""How long REST calls hold a thread of the dashboard."""

from typing import Any, Callable, Dict, List, Sequence

import json
import statistics
import time
import urllib.error
import urllib.request

import rig

RUN = '5ca1e000'
ROUTES: Sequence[str] = (
    '/status',
    '/group',
    '/group/big',
    '/osd',
    '/profile',
    '/gateways',
    '/run',
    f'/run/{RUN}',
    f'/run/{RUN}/findings',
    f'/run/{RUN}/hosts',
    f'/run/{RUN}/osds',
    f'/run/{RUN}/export',
    f'/comparison?baseline=x86&candidate=arm&run={RUN}',
    '/recovery',
    '/doctor',
)
LONGEST = 120.0


def measure(
    cluster: rig.MiniCluster,
    probe: Callable[[str], Any],
    times: int,
    watch: Callable[[], Callable[[], float]],
) -> Dict[str, Any]:
    """Ask each route several times, as its page does.

    ``watch`` begins to see how late the machine is; what it returns tells.
    """
    login = cluster.status()['dashboard']
    base = login['urls']['x'].rstrip('/')
    token = json.loads(
        _ask(
            base + '/api/auth',
            {},
            {'username': login['user'], 'password': login['password']},
        )[1]
    )['token']
    headers = {'Authorization': f'Bearer {token}'}
    probe('log')
    found = {}
    for route in ROUTES:
        took: List[float] = []
        status, late = 0, 0.0
        for _ in range(times):
            began = time.monotonic()
            lateness = watch()
            while True:
                url = f'{base}/api/perfcompare{route}'
                status, body = _ask(url, headers)
                waited = time.monotonic() - began
                if b'in_progress' not in body[:2000] or waited > LONGEST:
                    break
                time.sleep(0.7)
            took.append(time.monotonic() - began)
            late = max(late, lateness())
        log = probe('log')
        held = [seconds for _, seconds in log['calls']]
        found[route] = {
            'code': status,
            'late': round(1e3 * late, 1),
            'held': _figures(held),
            'answer': _figures(took),
            'holds': longest(log['holds']),
            'get': {n: round(c / times, 1) for n, c in log['get'].items()},
        }
    return found


def longest(holds: Sequence[Dict[str, Any]]) -> List[Dict[str, Any]]:
    """Return the three longest waits for the interpreter."""
    return sorted(holds, key=lambda hold: -hold['late'])[:3]


def _figures(values: Sequence[float]) -> Dict[str, float]:
    if not values:
        return {}
    return {
        'median': round(1e3 * statistics.median(values), 1),
        'max': round(1e3 * max(values), 1),
    }


def _ask(url: str, headers: Dict[str, str], body: Any = None) -> Any:
    request = urllib.request.Request(
        url,
        None if body is None else json.dumps(body).encode(),
        dict(
            headers,
            Accept='application/vnd.ceph.api.v1.0+json',
            **{'Content-Type': 'application/json'},
        ),
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, answer.read()
    except urllib.error.HTTPError as error:
        return error.code, error.read()
