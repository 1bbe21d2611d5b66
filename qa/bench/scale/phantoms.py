"""Add OSDs to a real map that nobody runs: they are known, down and out.

The mon takes each by `osd create` and all at once into CRUSH, below a root
of their own, 40 to a host; no pool of the cluster can use them.
"""

from typing import List

import pathlib
import re

import rig

from cluster import admin, state

HOST = 40  # OSDs
BATCH = 500  # commands at a time
CLASSES = ('big', 'huge')  # each has half of the hosts


def present(agent: admin.Admin) -> int:
    """Return the number of OSDs that the map has."""
    return len(agent.json('osd ls'))


def grow(cluster: rig.MiniCluster, osds: int) -> None:
    """Add phantoms until the map has so many OSDs."""
    agent = admin.Admin(state.Cluster(pathlib.Path(cluster.dir)))
    try:
        real = sum(len(h['osds']) for h in cluster.status()['hosts'])
        have = present(agent)
        if have >= osds:
            return
        while have < osds:
            count = min(BATCH, osds - have)
            agent.must([admin.mon_request('osd create')] * count)
            have += count
        _place(cluster, agent, real, osds)
    finally:
        agent.close()


def _place(
    cluster: rig.MiniCluster, agent: admin.Admin, real: int, osds: int
) -> None:
    script = 'ceph osd getcrushmap -o /tmp/map && crushtool -d /tmp/map'
    text = _shell(cluster, script)
    text = _extended(text, real, osds)
    _shell(
        cluster,
        'cat > /tmp/text && crushtool -c /tmp/text -o /tmp/map && '
        'ceph osd setcrushmap -i /tmp/map',
        text,
    )


def _shell(cluster: rig.MiniCluster, script: str, stdin: str = '') -> str:
    done = cluster.exec(['sh', '-c', script], stdin)
    if done.returncode:
        raise SystemExit(f'{script}: {done.stderr.strip()}')
    return str(done.stdout)


def _extended(text: str, real: int, osds: int) -> str:
    """Return a CRUSH map with the phantoms below root 'phantoms'."""
    text = re.sub(r'(?ms)^host ghost-.*?^}\n', '', text)
    text = re.sub(r'(?ms)^root phantoms .*?^}\n', '', text)
    text = re.sub(r'(?m)^device (\d+) .*\n', lambda m: (
        m.group() if int(m.group(1)) < real else ''
    ), text)  # fmt: skip
    devices: List[str] = []
    hosts: List[str] = []
    names: List[str] = []
    for number, first in enumerate(range(real, osds, HOST)):
        members = range(first, min(first + HOST, osds))
        kind = CLASSES[number % len(CLASSES)]
        names.append(f'ghost-{number}')
        devices += [f'device {o} osd.{o} class {kind}\n' for o in members]
        items = ''.join(f'\titem osd.{o} weight 1.00000\n' for o in members)
        hosts.append(
            f'host ghost-{number} {{\n\tid {-1000 - number}\n\talg straw2\n'
            f'\thash 0\n{items}}}\n'
        )
    items = ''.join(f'\titem {n} weight {HOST}.00000\n' for n in names)
    root = f'root phantoms {{\n\tid -999\n\talg straw2\n\thash 0\n{items}}}\n'
    head, mark, rules = text.partition('# rules')
    head, types, tail = head.partition('# types')
    return (
        head + ''.join(devices) + '\n' + types + tail
        + ''.join(hosts) + root + '\n' + mark + rules
    )  # fmt: skip
