"""Files as other tools write them, small, for tests of what reads them."""

import datetime
import json

T0 = datetime.datetime(2026, 11, 20, 12, 0, tzinfo=datetime.timezone.utc)
OLD = 'idx\tthread\top\tclient_id\tn_objects\tbytes\tendpoint\tfile\terror'
HEADER = OLD + '\tstart\tfirst_byte\tend\tduration_ns'
NEW_HEADER = OLD + '\tstart\tfirst_byte\tlast_byte\tend\tduration_ns\tcat'


def stamp(nanos, zone='Z'):
    """Return RFC 3339 as Go prints it: no zeros at the end."""
    when = T0 + datetime.timedelta(seconds=nanos // 10**9)
    if zone != 'Z':
        when += datetime.timedelta(hours=1)
    part = f'{nanos % 10**9:09d}'.rstrip('0')
    return (
        when.strftime('%Y-%m-%dT%H:%M:%S')
        + (f'.{part}' if part else '')
        + zone
    )


def warp_rows(op, thread, begin, count, wait, size, **kw):
    """Return back-to-back operations of one thread; times in ns."""
    zone, error, first = (
        kw.get('zone', 'Z'),
        kw.get('error', ''),
        kw.get('first'),
    )
    new = kw.get('new', False)
    rows = []
    for i in range(count):
        start, end = begin + i * wait, begin + (i + 1) * wait
        cells = [str(i), str(thread), op, 'c1', '1', str(size), 'http://a']
        cells += ['x/y.rnd', error, stamp(start, zone)]
        cells.append(stamp(start + first, zone) if first else '')
        cells += [''] if new else []
        cells += [stamp(end, zone), str(wait)]
        cells += ['0'] if new else []
        rows.append('\t'.join(cells))
    return rows


def warp_get(threads=4, seconds=10, wait=10_000_000, size=4096, **kw):
    """Return a GET test: preparation, then reads."""
    header = NEW_HEADER if kw.get('new') else HEADER
    rows = [header]
    for thread in range(threads):
        rows += warp_rows('PUT', thread, 0, 5, 20_000_000, size, **kw)
    begin = 3 * 10**9
    for thread in range(threads):
        rows += warp_rows(
            'GET',
            thread,
            begin + thread * 1000,
            seconds * 10**9 // wait,
            wait,
            size,
            first=wait // 2,
            **kw,
        )
    return '\n'.join(rows) + '\n# warp get --objects 20\n'


def throughput(seconds, ops, size, segments=10, start=0, old=False):
    """Return a throughput as `warp analyze --json` has it."""
    counts = {'bytes': ops * size, 'objects': ops, 'ops': ops}
    if old:
        counts = {'average_bps': ops * size / seconds}
        counts.update(average_ops=ops / seconds, operations=ops)
    step = seconds / segments
    return {
        'start_time': stamp(start),
        'end_time': stamp(start + int(seconds * 1e9)),
        'measure_duration_millis': int(seconds * 1000),
        **counts,
        'errors': 0,
        'segmented': {
            'segment_duration_millis': int(step * 1000),
            'segments': [
                {
                    'start': stamp(start + int(i * step * 1e9)),
                    'bytes_per_sec': ops * size / seconds,
                    'obj_per_sec': ops / seconds,
                }
                for i in reversed(range(segments))
            ],
        },
    }


def single(millis, requests, size):
    return {
        'dur_avg_millis': millis,
        'dur_median_millis': millis,
        'dur_90_millis': millis,
        'dur_99_millis': 2 * millis,
        'slowest_millis': 5 * millis,
        'fastest_millis': 1,
        'dur_percentiles_millis': [millis] * 99 + [2 * millis, 5 * millis],
        'requests': requests,
        'obj_size': size,
        'merged_entries': 1,
    }


def warp_old_json(ops=('PUT', 'GET'), mixed=False):
    """Return what warp up to 1.0 prints."""
    rows = [
        {
            'type': op,
            'skipped': False,
            'n': 1000 * (i + 1),
            'errors': i,
            'concurrency': 8,
            'throughput': throughput(10, 1000 * (i + 1), 4096, old=True),
            'start_time': stamp(0 if mixed else i * 15 * 10**9),
            'end_time': stamp(10**10 + (0 if mixed else i * 15 * 10**9)),
            'single_sized_requests': single(8, 1000, 4096),
        }
        for i, op in enumerate(ops)
    ]
    data = {'type': 'mixed' if mixed else 'single', 'mixed': mixed}
    data['operations'] = rows
    if mixed:
        data['mixed_server_stats'] = throughput(10, 3000, 4096, old=True)
    return json.dumps(data, indent=2)


def warp_new_json(ops=('GET',), mixed=False, segments=2):
    """Return what warp from 1.1 on prints."""
    by_type = {}
    for i, op in enumerate(ops):
        begin = 0 if mixed else i * 15 * 10**9
        by_type[op] = {
            'Title': 'x',
            'total_requests': 1000 * (i + 1),
            'total_objects': 1000 * (i + 1),
            'total_errors': 0,
            'total_bytes': 4096 * 1000 * (i + 1),
            'concurrency': 8,
            'start_time': stamp(begin),
            'end_time': stamp(begin + 10**10),
            'throughput': throughput(10, 1000 * (i + 1), 4096, start=begin),
            'requests_by_client': {
                'c1': [
                    {
                        'start_time': stamp(begin),
                        'end_time': stamp(begin + 10**10),
                        'single_sized_requests': single(
                            8 * (j + 1), 500, 4096
                        ),
                    }
                    for j in range(segments)
                ]
            },
        }
    data = {'v': 2, 'final': True, 'warp_version': '1.6.1'}
    data['by_op_type'] = by_type
    data['total'] = {'throughput': throughput(10, 3000, 4096)}
    return json.dumps(data)


COSBENCH = '''\
Stage,Op-Name,Op-Type,Op-Count,Byte-Count,Avg-ResTime,Avg-ProcTime,60%-ResTime,80%-ResTime,90%-ResTime,95%-ResTime,99%-ResTime,100%-ResTime,Throughput,Bandwidth,Succ-Ratio,Status,Detailed Status
s1-init,init-init,init,0,0,N/A,N/A,N/A,N/A,N/A,N/A,N/A,N/A,0,0,N/A,completed,launching @ 2026-11-20 12:00:00,running @ 2026-11-20 12:00:01,completed @ 2026-11-20 12:00:02
s2-prepare,prepare-write,write,640,41943040,9.5,9.1,10,20,20,20,30,60,320,20971520,100%,completed,launching @ 2026-11-20 12:00:02,running @ 2026-11-20 12:00:03,completed @ 2026-11-20 12:00:05
s3-main,read,read,80000,5242880000,6.25,5.5,10,10,10,20,20,120,1333.33,87381333,100%,completed,launching @ 2026-11-20 12:00:05,running @ 2026-11-20 12:00:06,completed @ 2026-11-20 12:01:06
s3-main,write,write,20000,1310720000,12.5,11,20,20,30,30,40,300,333.33,21845333,99.5%,completed,launching @ 2026-11-20 12:00:05,running @ 2026-11-20 12:00:06,completed @ 2026-11-20 12:01:06
s4-cleanup,cleanup-delete,delete,640,0,3,3,10,10,10,10,10,10,400,0,100%,completed,launching @ 2026-11-20 12:01:06,running @ 2026-11-20 12:01:07,completed @ 2026-11-20 12:01:09
'''

COSBENCH_STAGE = '''\
Timestamp,Op-Count,,Byte-Count,,Avg-ResTime,,Avg-ProcTime,,Throughput,,Bandwidth,,Succ-Ratio,,Version-Info,,
,read,write,read,write,read,write,read,write,read,write,read,write,read,write,Min-Version,Version,Max-Version
23:59:50,6666,1666,436862976,109182976,6.2,12.4,5,11,1333.2,333.2,87372595,21836595,100%,100%,2,2,2
23:59:55,6667,1667,436928512,109248512,6.3,12.6,5,11,1333.4,333.4,87385702,21849702,100%,100%,3,3,3
00:00:00,0,0,0,0,N/A,N/A,N/A,N/A,0,0,0,0,N/A,N/A,4,4,4
'''

COSBENCH_MATRIX = '''\
Id,Op-Name,Op-Count,Byte-Count,Worker-Count,Avg-ResTime,Avg-ProcTime,60%-ResTime,80%-ResTime,90%-ResTime,95%-ResTime,99%-ResTime,100%-ResTime,Throughput,Bandwidth,Succ-Ratio,Config-Info
w1-s3-main-1,read,80000,5242880000,64,6.25,5.5,10,10,10,20,20,120,1333.33,87381333,100%,100% containers=c(1);objects=u(1-640)
w2-s3-main-1,write,20000,1310720000,64,12.5,11,20,20,30,30,40,300,333.33,21845333,100%,100% containers=c(1) objects=s(1-640) sizes=c(64)KB
'''

TABLE = '''\
group,round,workload,ops_per_s,latency_avg_ms,p99_ms,duration,errors,osds
ours,1,oltp-rw,1000,8,30,60,0,4
theirs,1,oltp-rw,500,16,60,60,0,4
ours,2,oltp-rw,1010,8,30,60,0,4
theirs,2,oltp-rw,505,16,60,60,0,4
'''
