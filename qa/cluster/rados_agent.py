"""Program that runs inside the cluster: one connection, many commands.

It reads one JSON list of requests per line, each {"to": "mon"|"mgr",
"cmd": {...}, "in": "..."}, runs them at the same time and answers with the
list of {"rc": …, "out": "...", "err": "..."}. The `ceph` tool takes half a
second for each command, and the mon up to one to commit a change; requests
that are sent together share one commit.
"""

from typing import Any, Dict

import concurrent.futures
import json
import sys

import rados

TIMEOUT = 20


def ask(client: Any, request: Dict[str, Any]) -> Dict[str, Any]:
    """Run one command; return its answer."""
    call = client.mon_command
    if request['to'] == 'mgr':
        call = client.mgr_command
    try:
        code, out, err = call(
            json.dumps(request['cmd']),
            request['in'].encode(),
            timeout=TIMEOUT,
        )
        return {'rc': code, 'out': out.decode(), 'err': err}
    except rados.Error as error:
        code = abs(error.errno or 5)
        return {'rc': -code, 'out': '', 'err': str(error)}


def main() -> None:
    """Answer requests until the input ends."""
    client = rados.Rados(conffile=sys.argv[1], name='client.admin')
    client.conf_set('client_mount_timeout', str(TIMEOUT))
    client.connect(timeout=TIMEOUT)
    print(json.dumps([]), flush=True)
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        for line in sys.stdin:
            requests = json.loads(line)
            answers = list(pool.map(lambda r: ask(client, r), requests))
            print(json.dumps(answers), flush=True)


main()
