"""Results as vdbench writes them."""

FLAT_NAMES = (
    'tod Run Interval reqrate rate MB/sec bytes/io read% resp read_resp '
    'write_resp resp_max resp_std xfersize threads rdpct seekpct queue_depth'
).split()


def flat_row(tod, interval, **kw):
    row = {
        'tod': tod,
        'Run': 'rd1',
        'Interval': interval,
        'reqrate': '999988',
        'rate': '2000.00',
        'MB/sec': '7.81',
        'bytes/io': '4096',
        'read%': '100.00',
        'resp': '1.5',
        'read_resp': '1.5',
        'write_resp': '0.000',
        'resp_max': '40.25',
        'resp_std': '0.2',
        'xfersize': '4096',
        'threads': '8',
        'rdpct': '100',
        'seekpct': '100',
        'queue_depth': '3.0',
    }
    row.update(kw)
    return ' '.join(row[name] for name in FLAT_NAMES)


def flatfile(*rows):
    head = [
        '<title>Vdbench flatfile.html</title><pre>',
        '* Run: name of the run',
        ' '.join(FLAT_NAMES),
    ]
    return '\n'.join([*head, *rows]) + '\n'


def intervals(start=0, **kw):
    rows = [
        flat_row(f'23:59:{57 + i:02d}.010', str(i + 1), **kw)
        for i in range(3)
    ]
    rows += [
        flat_row(f'00:00:{i:02d}.010', str(i + 4), **kw) for i in range(3)
    ]
    return [*rows, flat_row('00:00:02.050', 'avg_2-6', **kw)]


TOTALS = """<title>Vdbench totals.html</title><pre>
<a name="_1"></a><i><b>15:41:39.002 Starting RD=rd1; I/O rate: Uncontrolled \
MAX; elapsed=120 warmup=30; For loops: xfersize=1m threads=64</b></i>

Dec 02, 2020  interval        i/o   MB/sec   bytes   read     resp     read
                             rate  1024**2     i/o    pct     time     resp
17:46:35.060  avg_31-150  2228.00  2228.00 1048576  29.80   28.448   22.487 \
30.979  376.343   50.317  63.6   1.4   0.2
"""
