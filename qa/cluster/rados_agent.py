"""Program that runs inside the cluster: one connection, many commands.

It reads one JSON list of requests per line, each {"to": "mon"|"mgr",
"cmd": {...}, "in": "..."}, runs them at the same time and answers with the
list of {"rc": …, "out": "...", "err": "..."}. The `ceph` tool takes half a
second for each command, and the mon up to one to commit a change; requests
that are sent together share one commit. What is sent to "objects" looks into
a pool, as the `rados` tool does: {"pool": "...", "list": N} has the names of
its first objects, {"pool": "...", "md5": [NAME, ...]} their checksums, and
{"pool": "...", "fill": [NAME, ...], "bytes": N} makes objects of random data.
"""

from typing import Any, Dict, List

import concurrent.futures
import hashlib
import itertools
import json
import os
import sys

import rados

TIMEOUT = 20


def objects(client: Any, cmd: Dict[str, Any]) -> List[str]:
    """Return names of a pool's objects, or checksums of what they hold.

    Those to be filled are filled before, and their names are the answer.
    """
    # a pool may have been made anew, with the name of one that is gone
    client.wait_for_latest_osdmap()
    with client.open_ioctx(cmd['pool']) as pool:
        if 'list' in cmd:
            found = itertools.islice(pool.list_objects(), cmd['list'])
            return [one.key for one in found]
        if 'fill' in cmd:
            for name in cmd['fill']:
                pool.write_full(name, os.urandom(cmd['bytes']))
            return list(cmd['fill'])
        sums = []
        for name in cmd['md5']:
            size, _ = pool.stat(name)
            sums.append(hashlib.md5(pool.read(name, size)).hexdigest())
        return sums


def ask(client: Any, request: Dict[str, Any]) -> Dict[str, Any]:
    """Run one command; return its answer."""
    if request['to'] == 'objects':
        try:
            out = json.dumps(objects(client, request['cmd']))
            return {'rc': 0, 'out': out, 'err': ''}
        except rados.Error as error:
            return {
                'rc': -abs(error.errno or 5),
                'out': '',
                'err': str(error),
            }
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
    client.conf_set('rados_osd_op_timeout', str(TIMEOUT))
    client.connect(timeout=TIMEOUT)
    print(json.dumps([]), flush=True)
    with concurrent.futures.ThreadPoolExecutor(32) as pool:
        for line in sys.stdin:
            requests = json.loads(line)
            answers = list(pool.map(lambda r: ask(client, r), requests))
            print(json.dumps(answers), flush=True)


main()
