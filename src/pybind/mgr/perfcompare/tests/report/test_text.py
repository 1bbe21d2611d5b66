import dataclasses

import pytest

from ...analysis.comparison import compare
from ...analysis.sides import RunTrials, Side
from ...model.trial import TrialState
from ...model.workload import Op
from ...report.text import render
from ..data.comparison_data import Scene, of

RATIOS = {
    'write-4K-c16': 0.35,
    'write-4M-c16': 0.62,
    'rand-4K-c16': 0.5,
    'rand-4K-c1': 0.98,
    'rand-64K-c4/osd': 1.0,
    'seq-4M-c16': 1.0,
}


def compared(scene):
    return compare(scene.side('x86'), scene.side('arm'))


def text(scene, width=100):
    return render(compared(scene), width)


def section(report, start):
    """Return the paragraph whose first words are ``start``."""
    for part in report.split('\n\n'):
        if part.lstrip().startswith(start):
            return part
    raise AssertionError(f'no section {start!r} in:\n{report}')


def golden():
    """Make a run with a row of each kind of verdict."""
    scene = Scene(RATIOS, noise=0.015, seed=3)
    scene.change(
        lambda t: t.workload == 'write-4M-c16' and t.group == 'x86',
        summary={'client_thread_cores': 0.97},
    )
    scene.change(
        lambda t: t.workload == 'rand-4K-c16' and t.group == 'arm',
        manifest={'primaries_max_mean': 1.25},
    )
    for r, factor in enumerate((1.0, 1.3, 0.8, 1.2, 0.9, 1.1, 1.25, 1.0)):
        scene.change(
            lambda t, r=r: t.workload == 'seq-4M-c16'
            and t.round == r
            and t.group == 'arm',
            summary={'ops_per_s': 1000.0 * factor},
        )
    scene.change(
        lambda t: t.workload == 'rand-64K-c4/osd'
        and t.round in (2, 6)
        and t.group == 'x86',
        state=TrialState.VOID,
        reason='PGs moved',
    )
    for trial in scene.trials:
        trial.evidence.clear()
    return scene


GOLDEN = """\
arm (candidate) against x86 (baseline)
run 0a1b2c3d; profile quick (version 0123456789ab); rados; paired by block; rule 12
baseline   x86: 2 OSDs on x86-1, x86-2; x86_64; Ceph 20.2.4; size 2, min_size 1
candidate  arm: 2 OSDs on arm-1, arm-2; aarch64; Ceph 20.2.4; size 2, min_size 1; note: emulated

                                            ratio
workload                x86         arm  (paired)        interval      q  blocks  verdict
write-4K-c16     1,004 op/s    348 op/s     0.346  [0.342, 0.350]  <.001     7/7  slower
write-4M-c16       998 op/s    618 op/s     0.618  [0.609, 0.628]  <.001     7/7  slower (at least)
rand-4K-c16        997 op/s    498 op/s     0.504  [0.495, 0.519]      -     7/7  inconclusive
                                                                                  (placement)
rand-4K-c1         994 op/s    971 op/s     0.975   [0.960, 1.01]  0.252     7/7  no difference
                                                                                  shown, < 4.2%
rand-64K-c4/osd    997 op/s  1,008 op/s     1.003   [0.979, 1.06]      -     5/7  inconclusive (5 of
                                                                                  6 blocks)
seq-4M-c16       1,005 op/s  1,100 op/s      1.07   [0.886, 1.32]  0.573     7/7  inconclusive (too
                                                                                  noisy)
Medians of trials; interval: 95.3%, range of 5; q: Benjamini-Hochberg over 6 rows.

                                           x86      arm     x86     arm
in all                 x86        arm  latency  latency  spread  spread  load
write-4K-c16     4.11 MB/s  1.42 MB/s  15.9 ms  46.0 ms     ±2%     ±2%  saturated
write-4M-c16     4.18 GB/s  2.59 GB/s  16.0 ms  25.9 ms     ±1%     ±3%  saturated
rand-4K-c16      4.08 MB/s  2.04 MB/s  16.0 ms  32.1 ms     ±3%     ±3%  saturated
rand-4K-c1       4.07 MB/s  3.98 MB/s  1.01 ms  1.03 ms     ±3%     ±4%  latency-bound
rand-64K-c4/osd  65.4 MB/s  66.1 MB/s  8.02 ms  7.94 ms     ±3%     ±2%  saturated
seq-4M-c16       4.21 GB/s  4.16 GB/s  15.9 ms  16.1 ms     ±6%    ±27%  saturated
Latency: average in a closed loop, without a verdict. Spread: farthest trial from the median op/s.
Read from the OSDs' caches, as planned: rand-4K-c16, rand-4K-c1, rand-64K-c4/osd, seq-4M-c16.
Percentiles: not available.

per OSD               x86       arm        x86        arm  ratio        interval
write-4K-c16     502 op/s  174 op/s  2.06 MB/s   712 kB/s  0.346  [0.342, 0.350]
write-4M-c16     499 op/s  309 op/s  2.09 GB/s  1.30 GB/s  0.618  [0.609, 0.628]
rand-4K-c16      499 op/s  249 op/s  2.04 MB/s  1.02 MB/s  0.504  [0.495, 0.519]
rand-4K-c1       497 op/s  486 op/s  2.04 MB/s  1.99 MB/s  0.975   [0.960, 1.01]
rand-64K-c4/osd  499 op/s  504 op/s  32.7 MB/s  33.0 MB/s  1.003   [0.979, 1.06]
seq-4M-c16       502 op/s  550 op/s  2.11 GB/s  2.08 GB/s   1.07   [0.886, 1.32]
Both groups have 2 OSDs: the verdicts above hold per OSD too.

What limited the groups: not available (see `ceph perfcompare show <run> --findings`).

Reasons:
  rand-4K-c16: placement: max/mean primaries 1.00 for x86, 1.25 for arm
  seq-4M-c16: about 31 blocks needed

Noted, and no reason against a verdict:
  write-4M-c16: client: only the faster side: x86: submitting thread used 0.97 of a core

Order of the two trials of a block:
  write-4K-c16: x86 first 4× 0.347, arm first 3× 0.344, being second +0.4%
  write-4M-c16: x86 first 3× 0.610, arm first 4× 0.624, being second -1.1%
  rand-4K-c16: x86 first 4× 0.499, arm first 3× 0.515, being second -1.5%
  rand-4K-c1: x86 first 3× 0.967, arm first 4× 0.990, being second -1.2%
  rand-64K-c4/osd: x86 first 4× 0.996, arm first 1× 1.06, being second -2.9%
  seq-4M-c16: x86 first 3× 0.989, arm first 4× 1.13, being second -6.6%
  over all rows: being second -2.2%

Where the manifests differ (each may explain a difference):
  field  x86     arm
  arch   x86_64  aarch64
  cpu    CPU X   CPU A

Not available:
  latency percentiles not available: rados bench records no distribution
  moving data: not checked in any row, not recorded: recovery_ops of x86

Trials:
  2 void trials of x86: PGs moved
  left out: rand-64K-c4/osd in round 2: trial of x86 is void (PGs moved)
  left out: rand-64K-c4/osd in round 6: trial of x86 is void (PGs moved)
"""


def test_report_of_every_kind_of_row():
    assert text(golden(), 100) == GOLDEN.rstrip('\n')


@pytest.mark.parametrize('width', [80, 96, 100, 120])
def test_lines_fit_the_terminal(width):
    for scene in (
        golden(),
        Scene(RATIOS, osds={'arm': 4}),
        Scene(RATIOS, rounds=3),
    ):
        for line in text(scene, width).splitlines():
            assert len(line) <= width, line
            assert line == line.rstrip()


def test_narrow_report_keeps_every_verdict():
    report = text(golden(), 80)
    table = section(report, 'ratio')
    assert '(paired)' in table.splitlines()[1]
    assert 'slower (at' in table
    assert ' q ' not in table


def test_percentiles_of_rados_bench_print_not_available():
    report = text(Scene({'rand-4K-c16': 0.5}))
    assert 'Percentiles: not available.' in report
    assert (
        'latency percentiles not available: '
        'rados bench records no distribution'
    ) in section(report, 'Not available:')


def test_percentiles_are_printed_where_recorded():
    scene = Scene({'rand-4K-c16': 0.5}).change(
        lambda t: True, summary={'ops': 10**6, 'percentiles': {'p99': 0.02}}
    )
    report = text(scene)
    table = section(report, 'rand-4K-c16: percentiles of latency')
    _, header, x86, arm = table.splitlines()[:4]
    assert header.split() == ['operation', 'group', 'p99']
    assert x86.split() == ['all', 'x86', '20.0', 'ms']
    assert arm.split() == ['all', 'arm', '20.0', 'ms']
    assert 'Not available' not in report


def test_percentiles_of_one_group_at_two_times_are_told_apart():
    before, after = (
        Scene({'rand-4K-c16': 0.5}, run=run).change(
            lambda t: True,
            summary={'ops': 10**6, 'percentiles': {'p99': 0.02}},
        )
        for run in ('0a1b2c3d', '4e5f6a7b')
    )
    report = render(compare(before.side('x86'), after.side('x86')), 100)
    table = section(report, 'rand-4K-c16: percentiles of latency')
    found = [line.split()[1] for line in table.splitlines()[2:4]]
    assert found == ['x86@0a1b2c3d', 'x86@4e5f6a7b']


def test_notes_of_groups_are_always_printed():
    assert 'note: emulated' in text(Scene(RATIOS))


def test_smoke_says_that_brackets_hold_a_range():
    report = text(Scene({'rand-4K-c16': 0.9}, rounds=3), 120)
    assert 'interval: range of 3;' in report
    assert 'inconclusive (3 of 6 blocks)' in report
    assert 'brackets hold the range of three' in report


def test_three_stored_runs_a_side_are_judged_by_their_trials():
    sides = []
    for group, seed in (('x86', 1), ('arm', 11)):
        scenes = [
            Scene({'rand-4K-c16': 0.95}, run=f'{i:08x}', seed=i)
            for i in range(seed, seed + 3)
        ]
        sides.append(
            Side(
                group,
                tuple(RunTrials(s.run, tuple(s.trials)) for s in scenes),
            )
        )
    report = render(compare(*sides), 120)
    assert 'inconclusive (between runs)' in report
    assert 'the interval must lie beyond' in report


def test_adaptive_marks_rows_that_stopped():
    scene = Scene({'rand-4K-c16': 0.1}, adaptive=True)
    scene.trials = [t for t in scene.trials if t.round <= 3]
    report = text(scene, 120)
    assert ' 3/7* ' in report
    assert '* stopped early by --adaptive' in report


def test_per_osd_verdicts_are_printed_where_counts_differ():
    report = text(Scene({'rand-4K-c16': 1.5}, osds={'arm': 4}))
    table = section(report, 'per OSD')
    assert 'verdict' in table.splitlines()[0]
    assert table.splitlines()[1].endswith('slower')
    assert 'hold per OSD too' not in report
    assert 'different load for each OSD' in section(report, 'Reasons:')


def test_bound_per_osd_is_told_once():
    name = 'rand-4K-c4/osd'
    report = text(Scene({name: 2.0}, noise=0.005, osds={'arm': 4}))
    table = section(report, 'per OSD')
    assert 'shown, < ' in table
    assert 'any difference is below' not in report
    total = text(Scene({'rand-4K-c16': 2.0}, noise=0.005, osds={'arm': 4}))
    bound = section(total, 'per OSD').rpartition('< ')[2].split()[0]
    words = ' '.join(total.split())
    assert f'any difference is below {bound}; one total' in words


def test_one_group_of_two_runs_is_named_with_its_run():
    old = Scene({'rand-4K-c16': 1.0}, run='aaaaaaaa')
    new = Scene({'rand-4K-c16': 2.0}, run='bbbbbbbb', seed=2)
    report = render(compare(old.side('arm'), new.side('arm')), 100)
    assert report.startswith(
        'arm@bbbbbbbb (candidate) against arm@aaaaaaaa (baseline)\n'
    )
    assert 'trials' in section(report, 'workload')
    assert 'Order of' not in report
    assert 'unpaired: the groups were not measured' in report


def test_long_confounders_become_a_list():
    scene = Scene({'rand-4K-c16': 0.5})
    scene.change(of('x86'), manifest={'cpu': ['X' * 60]})
    scene.change(of('arm'), manifest={'cpu': ['A' * 60]})
    part = section(text(scene, 80), 'Where the manifests differ')
    assert f'  cpu: x86 {"X" * 60}; arm' in part


def test_run_without_trials_still_prints():
    scene = Scene({'rand-4K-c16': 0.5})
    scene.trials = []
    report = text(scene, 120)
    assert 'inconclusive (0 of 6 blocks)' in report
    assert 'effect unknown' in report


def test_sides_of_several_runs_print():
    scenes = [Scene({'rand-4K-c16': 1.0}, run=f'aaaaaaa{i}') for i in '12']
    sides = [
        Side(g, tuple(s.side(g).runs[0] for s in scenes))
        for g in ('x86', 'arm')
    ]
    assert 'runs aaaaaaa1, aaaaaaa2;' in render(compare(*sides), 100)


def test_what_only_writes_is_not_read_from_caches():
    scene = Scene({'rand-4K-c1': 1.0, 'rand-4K-c2': 1.0, 'rand-4K-c4': 1.0})
    found = compare(scene.side('x86'), scene.side('arm'))
    rows = [
        dataclasses.replace(row, workload=op, op=Op(op))
        for row, op in zip(
            found.rows,
            ('rbd-randread', 'rbd-randwrite', 'rbd-rw'),
        )
    ]
    text = render(dataclasses.replace(found, rows=tuple(rows)), 200)
    assert "caches, as planned: rbd-randread, rbd-rw." in text
