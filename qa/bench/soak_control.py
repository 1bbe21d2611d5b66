"""What the soak does without the module: what the mgr grows by is its own.

A pool is made, loaded by `rados bench` and removed; in turn an OSD goes out
and comes in. The mons hear about as much as of a short run.
"""

from typing import Tuple

import json
import time

import rig  # noqa: F401  (finds the packages below)
from asking import Asker

from cluster.api import MiniCluster

POOL = 'soak-control'
PGS = 4
SECONDS = '3'  # of load
LIMIT = 300.0  # seconds until PGs are clean


def prepare(cluster: MiniCluster, asker: Asker) -> None:
    """Disable the module, and allow that pools are removed."""
    cluster.exec(['ceph', 'mgr', 'module', 'disable', 'perfcompare'])
    asker.option('mon', 'mon_allow_pool_delete', 'true')


def work(cluster: MiniCluster, asker: Asker, number: int) -> Tuple[str, str]:
    """Do one piece of work; return what it was and how it ended."""
    mon = asker.agent.mon
    mon('osd pool create', pool=POOL, pg_num=PGS, autoscale_mode='off')
    mon('osd pool application enable', pool=POOL, app='rados')
    _clean(asker)
    argv = ['rados', 'bench', '-p', POOL, SECONDS, 'write']
    done = cluster.exec([*argv, '-b', '4096', '-t', '4', '--no-cleanup'])
    if done.returncode:
        raise SystemExit(done.stderr)
    what = 'control'
    if number % 3:
        what = 'control osd-out'
        mon('osd out', ids=['0'])
        _clean(asker)
        mon('osd in', ids=['0'])
        _clean(asker)
    mon(
        'osd pool delete', pool=POOL, pool2=POOL,
        yes_i_really_really_mean_it=True,
    )  # fmt: skip
    _clean(asker)
    return what, 'completed'


def _clean(asker: Asker) -> None:
    """Wait until all PGs are clean, with a map that all know."""
    deadline = time.monotonic() + LIMIT
    time.sleep(5.0)  # the mgr hears of PGs as often
    while True:
        states = json.loads(asker.agent.mon('status', format='json'))
        found = states['pgmap']['pgs_by_state']
        if all(s['state_name'].startswith('active+clean') for s in found):
            return
        if time.monotonic() > deadline:
            raise SystemExit(f'not clean: {found}')
        time.sleep(1.0)
