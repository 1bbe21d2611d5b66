"""Watch the module from within its mgr; run by `ceph mgr self-test eval`.

What to do and the number of OSDs are filled in. What phantom OSDs cannot
report is fed at the size that it has in a real cluster, as text that is
parsed at each call: that they are up, metadata, statistics and addresses of
OSDs, and sums of PGs by OSD. The mgr makes `osd_metadata` OSD by OSD, others
have the interpreter in between (ActivePyModules::get_python); all else of
these it makes in one go. So does what is fed.
"""

import gc
import json
import resource
import threading
import time

ASK = '{ask}'
SIZE = int('{size}')
PGS = 100  # on each OSD
RUN = '5ca1e000'


def module():
    """Return the module, which lives in this interpreter."""
    return next(
        o
        for o in gc.get_objects()
        if type(o).__name__ == 'Module'
        and type(o).__module__ == 'perfcompare.module'
    )


def metadata(osd):
    """Return as many facts of an OSD as a real one reports."""
    found = {f'bluestore_fact_{i}': f'value {i} of {osd}' for i in range(50)}
    found.update(
        arch='x86_64',
        hostname=f'host-{osd // 40}',
        cpu='Intel(R) Xeon(R) Gold 6430',
        kernel_version='6.8.0-45-generic',
        ceph_version_short='20.2.4',
        mem_total_kb='263000000',
        bluestore_bdev_type='ssd',
        bluestore_bdev_rotational='0',
        devices='nvme0n1',
    )
    return found


def fed(size):
    """Return what the mgr would say of so many living OSDs, as text."""
    stats = {
        'osd': 0,
        'seq': 123456789,
        'statfs': {'total': 1 << 43, 'available': 1 << 42, 'allocated': 1},
        'hb_peers': list(range(30)),
        'op_queue_age_hist': {'histogram': [1] * 20, 'upper_bound': 1},
        'perf_stat': {'commit_latency_ms': 1, 'apply_latency_ms': 1},
        'network_ping_times': [],
    }
    clean = {'active+clean': PGS, 'active+clean+scrubbing': 1}
    return {
        'osd_metadata': {str(o): metadata(o) for o in range(size)},
        'osd_stats': [dict(stats, osd=o) for o in range(size)],
        'by_osd': {str(o): clean for o in range(size)},
    }


def install(pc):
    """Count calls and time commands, from now on."""
    holds = Holds()  # noqa: F821  (of holds.py)
    log = pc.scale_log = {
        'get': {},
        'commands': [],
        'calls': [],
        'holds': holds.found,
    }
    sizes = fed(SIZE)
    known = sizes.pop('osd_metadata')
    facts = [(osd, json.dumps(each)) for osd, each in known.items()]
    del known
    text = {n: json.dumps(v) for n, v in sizes.items()}
    vectors = json.dumps(
        {
            name: {
                'addrvec': [
                    {'type': t, 'addr': '10.1.2.3:6800', 'nonce': 1}
                    for t in ('v2', 'v1')
                ]
            }
            for name in ('public_addrs', 'cluster_addrs', 'heartbeat_addrs')
        }
    )
    real_get, real_api = type(pc).get.__get__(pc), type(pc).api.__get__(pc)
    real_osdmap = type(pc).get_osdmap.__get__(pc)
    handle = type(pc)._handle_command.__get__(pc)

    def get(name):
        log['get'][name] = log['get'].get(name, 0) + 1
        found = real_get(name)
        if name == 'osd_metadata':
            known = {osd: json.loads(each) for osd, each in facts}
            known.update(found)
            return known
        if name == 'osd_stats':
            real = {s['osd'] for s in found['osd_stats']}
            found['osd_stats'] += [
                s for s in json.loads(text[name]) if s['osd'] not in real
            ]
        elif name == 'pg_summary':
            found['by_osd'] = dict(
                json.loads(text['by_osd']), **found['by_osd']
            )
        return found

    class Fed:
        """Be an OSDMap whose OSDs are all up."""

        def __init__(self, osdmap):
            self._osdmap = osdmap

        def __getattr__(self, name):
            return getattr(self._osdmap, name)

        def dump(self):
            log['get']['osdmap.dump'] = log['get'].get('osdmap.dump', 0) + 1
            osd_map = self._osdmap.dump()
            for entry in osd_map['osds']:
                if not entry['up']:
                    entry.update(json.loads(vectors))
                    entry.update(up=1, **{'in': 1}, weight=1.0)
                    entry.update(up_from=5, up_thru=5)
            return osd_map

    def timed(name, work):
        began = time.monotonic()
        try:
            return work()
        finally:
            log[name[0]].append((name[1], time.monotonic() - began))

    pc.get = get
    pc.get_osdmap = lambda: Fed(real_osdmap())
    holds.start()
    pc._handle_command = lambda inbuf, cmd: timed(
        ('commands', cmd['prefix']), lambda: handle(inbuf, cmd)
    )
    pc.api = lambda name, args: timed(
        ('calls', name), lambda: real_api(name, args)
    )


def store(pc):
    """Store a run of 4,400 trials, each with a series of 20 seconds."""
    from perfcompare.store.rows import TrialRecord
    from perfcompare.tests.data import run_data

    names = [
        f'{op}-{size}-c{count}'
        for op in ('write', 'rand')
        for size in ('4K', '64K')
        for count in (1, 2, 4, 8, 16)
    ] + ['seq-4K-c1', 'seq-4K-c4']
    run = run_data.make_run(RUN, rounds=100, workloads=names)
    series = run_data.make_series(n=20)
    records = [
        TrialRecord.of(
            run_data.make_trial(RUN, r, b, p, workload=name), series
        )
        for r in range(1, 101)
        for b, name in enumerate(names)
        for p in range(2)
    ]
    pc.service._database.call(lambda s: s.add_run(run, records), 280.0)
    return len(records)


def usage():
    """Return memory, and CPU seconds of the threads of this process."""
    with open('/proc/self/status', encoding='ascii') as file:
        fields = dict(line.split(':', 1) for line in file)
    return {
        'rss': int(fields['VmRSS'].split()[0]) * 1024,
        'peak': resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024,
        'threads': threading.active_count(),
    }


def main():
    """Do what was asked, and print what came of it."""
    pc = module()
    if ASK == 'install':
        install(pc)
        found = usage()
    elif ASK == 'store':
        found = store(pc)
    elif ASK == 'log':
        found = {n: v.copy() for n, v in pc.scale_log.items()}
        for value in pc.scale_log.values():
            value.clear()
    else:
        found = usage()
    print(json.dumps(found))


main()
