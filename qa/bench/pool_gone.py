"""Whether a client of librados lives when a pool goes that it asks about.

Commands to PGs wait for an OSD that hangs; their pool is removed, the client
has the new map, and the OSD answers, all within some ten milliseconds. With
20.2 a client that asks PGs (`pg_command`) ends with a segmentation fault in
few turns; one that asks the OSD of them, as the module does, does not.

    python3 qa/bench/pool_gone.py --turns 14
"""

from typing import List

import argparse
import json
import os
import signal

import rig

from cluster.api import MiniCluster

PROGRAM = r'''
import json, os, random, signal, sys, threading, time
import rados

conf, keyring, way, pids, turns = json.loads(sys.argv[1])


def connected():
    found = rados.Rados(
        conffile=conf, name='client.admin', conf={'keyring': keyring}
    )
    found.connect()
    return found


admin = connected()


def mon(prefix, **words):
    command = json.dumps(dict(words, prefix=prefix, format='json'))
    code, out, text = admin.mon_command(command, b'')
    assert code == 0, text
    return json.loads(out) if out.strip() else None


for turn in range(turns):
    name = f'gone-{way}-{turn}'
    mon('osd pool create', pool=name, pg_num=8, autoscale_mode='off')
    pools = {p['poolname']: p['poolnum'] for p in mon('osd lspools')}
    time.sleep(3)
    maps = [mon('pg map', pgid=f'{pools[name]}.{ps}') for ps in range(8)]
    osd = maps[0]['acting'][0]
    pgs = [m['pgid'] for m in maps if m['acting'][0] == osd]
    client, answers = connected(), []
    client.wait_for_latest_osdmap()
    os.kill(pids[str(osd)], signal.SIGSTOP)

    def ask(pgid):
        command = {'prefix': 'query', 'pgid': pgid, 'format': 'json'}
        if way == 'pg':
            found = client.pg_command(pgid, json.dumps(command), b'')
        else:
            command.update(prefix='pg', cmd='query')
            found = client.osd_command(osd, json.dumps(command), b'')
        answers.append(found[0])

    for number in range(150):
        pgid = pgs[number % len(pgs)]
        threading.Thread(target=ask, args=(pgid,), daemon=True).start()
    time.sleep(1)
    sure = {'yes_i_really_really_mean_it': True}
    mon('osd pool delete', pool=name, pool2=name, **sure)
    os.kill(pids[str(osd)], signal.SIGCONT)
    time.sleep(random.choice([0, 0.002, 0.005, 0.01, 0.02, 0.05]))
    client.wait_for_latest_osdmap()
    time.sleep(3)
    print(f'turn {turn}: {len(answers)} answers', flush=True)
os._exit(0)
'''


def lived(cluster: MiniCluster, way: str, turns: int) -> str:
    """Return what became of a client, after how many turns."""
    daemons = cluster.status()['daemons']
    pids = {n[4:]: d['pid'] for n, d in daemons.items() if n[:4] == 'osd.'}
    place = str(cluster.dir)
    given = [place + '/ceph.conf', place + '/keyring', way, pids, turns]
    argv: List[str] = ['python3', '-c', PROGRAM, json.dumps(given)]
    done = cluster.exec(argv, timeout=60.0 + 30.0 * turns)
    for pid in pids.values():
        os.kill(pid, signal.SIGCONT)
    code = done.returncode
    # a shell between us tells a signal as 128 and its number
    end = 'lived' if not code else f'ended with {code}: {done.stderr[-200:]}'
    return f'asks the {way}: {end}, after {done.stdout.count("turn")} turns'


def main() -> None:
    """Try both ways."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('--turns', type=int, default=14)
    options = parser.parse_args()
    with rig.native_cluster() as cluster:
        words = ['config', 'set', 'mon', 'mon_allow_pool_delete', 'true']
        cluster.exec(['ceph', *words])
        for way in ('osd', 'pg'):
            print(lived(cluster, way, options.turns), rig.load(), flush=True)


if __name__ == '__main__':
    main()
