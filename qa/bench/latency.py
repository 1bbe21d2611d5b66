"""Latency of commands inside the module (aim: median under 100 ms).

A client with an open connection sends each command to the mgr; what it
waits is the module's time and about a millisecond of network.
"""

import json

import rig

COMMANDS = (
    'status', 'ls', 'group ls', 'profile ls', 'show', 'compare', 'doctor',
    'preflight',
)  # fmt: skip

# runs inside, where librados is
CLIENT = '''
import json, sys, time, rados
commands, times = json.load(sys.stdin), {}
with rados.Rados(conffile='') as cluster:
    for _ in range(20):
        for name, command in commands.items():
            began = time.perf_counter()
            code, out, text = cluster.mgr_command(json.dumps(command), b'')
            assert code == 0, (name, text)
            times.setdefault(name, []).append(time.perf_counter() - began)
print(json.dumps(times))
'''


def main() -> None:
    """Make a run to look at, then time each command 20 times, in turn."""
    with rig.native_cluster() as cluster:
        rig.enable(cluster)
        run = rig.execute(
            cluster, 'x86', 'alt', '--profile', 'smoke', '--duration', '3'
        )['run']['id']
        more = {
            'show': {'run': run},
            'compare': {'baseline': 'x86', 'candidate': 'alt'},
            'preflight': {'group': ['x86', 'alt']},
        }
        commands = {
            name: {'prefix': f'perfcompare {name}', **more.get(name, {})}
            for name in COMMANDS
        }
        commands['run --dry-run'] = {
            'prefix': 'perfcompare run',
            'group': ['x86', 'alt'],
            'dry_run': True,
        }
        done = cluster.exec(
            ['python3', '-c', CLIENT], stdin=json.dumps(commands)
        )
        if done.returncode:
            raise SystemExit(done.stderr)
    print(rig.load())
    for name, times in json.loads(done.stdout).items():
        print(f'{name:14}', rig.spread([1000 * t for t in times], 'ms'))


if __name__ == '__main__':
    main()
