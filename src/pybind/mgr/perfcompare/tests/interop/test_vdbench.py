"""Tests of results of vdbench."""

import pytest

from ...worker.wire.strict import Malformed
from ..data.vdbench_data import TOTALS, flatfile, intervals
from .reading import only, read

FILES = """<title>Vdbench output/totals.html</title><pre>
09:10:25.001 Starting RD=rd1; elapsed=20; fwdrate=max. For loops: None
Mar 11, 2021 .Interval. .ReqstdOps... ...cpu%...  read ....read..... ....write
                          rate   resp total  sys   pct   rate   resp   rate
09:10:45.052   avg_2-20  11471  0.080   5.2 3.46 100.0  11471  0.080    0.0 \
0.000 44.81  0.00  44.81    4096   0.0  0.000   0.0  0.000
"""


def test_flatfile_has_the_average_and_the_series_of_its_intervals():
    reading = read(flatfile(*intervals()))
    (found,) = reading.measured
    assert reading.tool == 'vdbench'
    assert (found.op, found.workload) == ('io-randread', 'rd1-4K-t8')
    assert (found.size, found.concurrency) == (4096, None)
    assert (found.ops_per_s, found.bytes_per_s) == (2000.0, 2000.0 * 4096)
    assert (found.latency_avg, found.latency_max) == (0.0015, 0.04025)
    # five intervals of one second, across midnight
    assert found.duration == 5.0
    assert found.samples.t == (1.0, 2.0, 3.0, 4.0, 5.0)
    assert found.samples.ops == (2000.0,) * 5
    assert found.percentiles == {}
    assert 'no latency percentiles' in found.notes[0]


@pytest.mark.parametrize(
    'read_share, seeks, op',
    [
        ('0.00', '100', 'io-randwrite'),
        ('0.00', '0', 'io-write'),
        ('100.00', 'eof', 'io-read'),
        ('100.00', '80', 'other'),
        ('70.11', '80', 'io-mixed'),
    ],
)
def test_operations_are_named_by_reads_and_seeks(read_share, seeks, op):
    rows = intervals(**{'read%': read_share, 'seekpct': seeks})
    assert only(flatfile(*rows)).op == op


def test_mix_has_both_directions():
    rows = intervals(
        rdpct='75.0000',
        **{'read%': '75.00', 'read_resp': '1.0', 'write_resp': '3.0'},
    )
    found = only(flatfile(*rows))
    assert found.workload == 'rd1-r75-4K-t8'
    assert found.operations == {
        'read': {'ops_per_s': 1500.0, 'latency_avg': 0.001},
        'write': {'ops_per_s': 500.0, 'latency_avg': 0.003},
    }


def test_runs_of_a_loop_are_workloads_and_repetitions_rounds():
    reading = read(
        flatfile(
            *intervals(threads='8'),
            *intervals(threads='16'),
            *intervals(threads='8'),
        )
    )
    assert [(r.workload, r.round) for r in reading.measured] == [
        ('rd1-4K-t8', 1),
        ('rd1-4K-t16', 1),
        ('rd1-4K-t8', 2),
    ]


@pytest.mark.parametrize('seen', ['69.46', '70.51'])
def test_runs_are_named_by_the_share_of_reads_that_was_asked_for(seen):
    rows = intervals(rdpct='70.0000', **{'read%': seen})
    assert only(flatfile(*rows)).workload == 'rd1-r70-4K-t8'
    # of workloads that differ none is told, and of other loads not this one
    for asked in ('n/a', '100'):
        rows = intervals(rdpct=asked, **{'read%': seen})
        assert only(flatfile(*rows)).workload == 'rd1-4K-t8'
    text = TOTALS.replace('29.80', seen)
    assert only(text).workload == 'rd1-1M-t64'
    text = text.replace('threads=64', 'threads=64 rdpct=70')
    found = only(text)
    assert found.workload == 'rd1-r70-1M-t64'
    share = float(seen) / 100
    assert found.operations['read']['ops_per_s'] == pytest.approx(
        2228.0 * share
    )


@pytest.mark.parametrize(
    'asked, seen, size',
    [
        ('4096', '4096', 4096),
        ('6144', '6144', 6144),
        ('4096', '4090', 4096),
        # xfersize=(4k,50,8k,50), and workloads of 4k and 8k
        ('4096', '6143', 8192),
        ('4096', '6150', 8192),
        ('n/a', '6144', 8192),
    ],
)
def test_size_is_the_nominal_one_of_several(asked, seen, size):
    rows = intervals(xfersize=asked, **{'bytes/io': seen})
    found = only(flatfile(*rows))
    assert found.size == size
    assert found.bytes_per_s == 2000.0 * int(seen)


def test_totals_have_bytes_by_the_size_of_io():
    # with MB of 1000**2, and of a loop that does not say the size
    text = TOTALS.replace('1024**2', '1000**2')
    text = text.replace('2228.00  2228.00', '2228.00  2336.22')
    assert only(text).bytes_per_s == 2228.0 * 2**20
    text = text.replace('xfersize=1m ', '')
    assert only(text).size == 1048576
    assert only(text.replace('1048576', '6144')).size == 6144
    assert only(text.replace('1048576', '6143')).size == 8192


def apart(content):
    return [(r.workload, r.apart, r.round) for r in read(content).measured]


def test_runs_of_any_other_loop_are_no_rounds():
    rates = ('1000.0000', '2000.0000', '9999988.0000')
    rows = [row for rate in rates for row in intervals(reqrate=rate)]
    assert apart(flatfile(*rows, *intervals(reqrate='1000'))) == [
        ('rd1-4K-t8', 'iorate-1000', 1),
        ('rd1-4K-t8', 'iorate-2000', 1),
        ('rd1-4K-t8', 'iorate-max', 1),
        ('rd1-4K-t8', 'iorate-1000', 2),
    ]
    # operations of its own as well, so that both are refused by one name
    seeks = [r for s in ('100.0000', '0.0000') for r in intervals(seekpct=s)]
    found = read(flatfile(*seeks)).measured
    assert [(r.op, r.apart) for r in found] == [
        ('io-randread', 'seekpct-100'),
        ('io-read', 'seekpct-0'),
    ]
    assert "seekpct '0'" in found[1].notes[-1]


def test_runs_of_totals_are_told_apart_by_what_starts_them():
    head, start, *rest = TOTALS.split('\n', 2)
    tail = '\n'.join(rest)

    def runs(*changes):
        texts = [start.replace(*change) + '\n' + tail for change in changes]
        return apart('\n'.join([head, *texts]))

    name = 'rd1-1M-t64'
    assert runs(('Uncontrolled MAX', '1000'), ('Uncontrolled MAX', '2000')) == [
        (name, 'iorate-1000', 1), (name, 'iorate-2000', 1),
    ]  # fmt: skip
    assert runs(('64<', '64 hitarea=1g<'), ('64<', '64 hitarea=2g<')) == [
        (name, 'hitarea-1g', 1), (name, 'hitarea-2g', 1),
    ]  # fmt: skip
    assert runs(('MAX', 'MAX'), ('MAX', 'MAX')) == [
        (name, '', 1), (name, '', 2),
    ]  # fmt: skip


def test_rates_that_were_asked_for_are_noted():
    limit = 'its rate was limited: iorate=1000'
    assert limit in only(flatfile(*intervals(reqrate='1000.0000'))).notes
    assert limit in only(TOTALS.replace('Uncontrolled MAX', '1000')).notes
    # of no limit, and of curve, each release has a number of its own
    for rate in ('9999988.0000', '9999988', '9999977', '999988'):
        notes = only(flatfile(*intervals(reqrate=rate))).notes
        assert not any('limited' in note for note in notes)
    assert not any('limited' in note for note in only(TOTALS).notes)


def read_to_queue(names):
    return f'   read    write     resp     {names} queue  cpu%  cpu%\n'


def test_threads_are_those_of_each_lun_and_not_what_was_in_flight():
    found = only(flatfile(*intervals(threads='1', queue_depth='31.5')))
    assert (found.workload, found.concurrency) == ('rd1-4K-t1', None)
    assert found.notes[1:] == (
        'threads=1 of each SD; their number is not told',
        'on average 31.5 I/O were in flight',
    )
    # SDs that differ, and a release without the column
    found = only(flatfile(*intervals(threads='-1', queue_depth='n/a')))
    assert (found.workload, len(found.notes)) == ('rd1-4K', 1)
    # totals, whose releases have it in other columns
    assert only(TOTALS).notes[-1].startswith('threads=64 of each SD')
    found = only(TOTALS.replace('    read\n', read_to_queue('resp'), 1))
    assert found.notes[-1] == 'on average 63.6 I/O were in flight'
    found = only(TOTALS.replace('    read\n', read_to_queue('x resp'), 1))
    assert found.notes[-1] == 'on average 1.4 I/O were in flight'
    found = only(TOTALS.replace('threads=64', 'threads=1k'))
    assert found.workload == 'rd1-1M-t1024'


def dated(zone):
    """Return a flatfile with the column of its release, in a zone."""
    head, *rows = flatfile(*intervals()).rstrip().split('\n')[2:]
    stamps = [f'12/02/2020-23:59:{57 + i}-{zone}' for i in range(3)]
    stamps += [f'12/03/2020-00:00:0{i}-{zone}' for i in (0, 1, 2, 2)]
    lines = [
        row.replace(' ', f' {stamp} ', 1)
        for row, stamp in zip([head, *rows], ['timestamp', *stamps])
    ]
    return '\n'.join(['<title>Vdbench x</title>', *lines]) + '\n'


def test_flatfile_says_when_its_run_began():
    # that is at the end of the interval that does not count: 23:59:57
    found = only(dated('UTC'))
    assert found.started == 1606953597.0
    assert not any('zone' in note for note in found.notes)
    found = only(dated('CST'))
    assert found.started == 1606953597.0
    assert found.notes[-1] == "its times are of zone 'CST', and taken as UTC"
    for zone, hours in (('GMT-03:00', 3), ('GMT+05:30', -5.5)):
        found = only(dated(zone))
        assert found.started == 1606953597.0 + 3600 * hours
        assert not any('zone' in note for note in found.notes)
    assert only(flatfile(*intervals())).started is None
    with pytest.raises(Malformed, match="'13/02/2020-.* is not a time"):
        read(dated('UTC').replace('12/02/', '13/02/'))


def test_points_of_a_curve_are_rounds_whatever_rate_they_came_to():
    curves = [
        flatfile(*intervals(Run='rd1_(50%)', reqrate=rate))
        for rate in ('1000', '1100')
    ]
    found = read('\n'.join(curves)).measured
    assert [(row.apart, row.round) for row in found] == [('', 1), ('', 2)]
    assert {row.limited for row in found} == {'curve 50%'}


@pytest.mark.parametrize('name', ['SD_format', 'format_for_rd1'])
def test_runs_that_prepare_are_left_out(name):
    format_run = intervals(Run=name, **{'read%': '0.00'})
    assert only(flatfile(*format_run, *intervals())).op == 'io-randread'
    with pytest.raises(Malformed, match='no run in it has an average'):
        read(TOTALS.replace('RD=rd1', f'RD={name}'))


def test_average_that_touches_its_time_is_read():
    text = TOTALS.replace('  avg_31-150', 'avg_31-150')
    assert only(text) == only(TOTALS)


@pytest.mark.parametrize('text', [flatfile(*intervals()), TOTALS])
def test_joined_files_are_rounds(text):
    assert [row.round for row in read(text + text).measured] == [1, 2]


def test_totals():
    found = only(TOTALS)
    assert (found.op, found.workload) == ('io-mixed', 'rd1-1M-t64')
    assert (found.size, found.concurrency) == (1048576, None)
    assert found.duration == 120.0
    assert found.ops_per_s == 2228.0
    assert found.bytes_per_s == 2228.0 * 2**20
    assert found.latency_avg == pytest.approx(0.028448)
    assert found.latency_max is None


@pytest.mark.parametrize(
    'text, message',
    [
        ('<title>Vdbench</title>\nnothing\n', 'neither the columns'),
        (flatfile(*intervals()[:-1]), 'no run in it has an average'),
        (flatfile(*intervals())[:-20], 'truncated'),
        (flatfile(*intervals(rate='fast')), "'fast' is not a number"),
        (flatfile(*intervals(rate='nan')), 'its rate is not there'),
        (TOTALS.split('28.448')[0], 'truncated'),
        (FILES.replace('fwdrate=max', ''), 'not of file systems'),
        (FILES.replace('.ReqstdOps', ''), 'not of file systems'),
    ],
)
def test_wrong_files_say_what_is_wrong(text, message):
    with pytest.raises(Malformed, match=message):
        read(text)
