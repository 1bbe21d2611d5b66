"""Tests of the runs that results of other tools become."""

import hashlib
import io
import json
import pathlib

import pytest

from ...analysis.comparison import compare
from ...analysis.sides import RunTrials, Side
from ...app.requests import RunDetail
from ...common.errors import InvalidArgument
from ...interop import runs
from ...interop.request import ImportRequest
from ...model.workload import Op
from ...report import listing, text
from ...store.archive import export, parse
from ...worker.interop import detect
from ..data import interop_data as data
from ..data.interop_fio import file_of, one_job


def read(content):
    return detect.read(io.BufferedReader(io.BytesIO(content.encode())))


def ident(content, group):
    text = f'{content}/{group}'
    return hashlib.sha256(text.encode()).hexdigest()[:8]


def made(content, group=None, label=''):
    run, records = runs.make(
        read(content), ident(content, group), group, label, 2e9
    )
    return run, [r.trial for r in records], records


def side(content, group):
    run, trials, _ = made(content, group)
    return Side(group, (RunTrials(run, tuple(trials)),))


def test_run_of_a_file():
    run, trials, records = made(data.warp_get(), 'arm', 'first try')
    assert run.origin == 'import:warp' and run.state.ended
    assert run.created == pytest.approx(data.T0.timestamp() + 3, abs=0.02)
    assert run.plan.options.label == 'first try'
    (workload,) = run.plan.profile.workloads
    assert workload.name == 's3-get-4K-c4' and workload.op == Op('s3-get')
    assert (workload.tool, workload.duration) == ('warp', 10.0)
    (trial,) = trials
    assert len(trial.summary.windows) == 6
    assert set(records[0].series) == {'client'}
    assert made(data.warp_get(), 'arm')[0].id == run.id
    assert made(data.warp_get(), 'x86')[0].id != run.id


def test_a_run_can_be_exported_and_shown():
    run, trials, records = made(data.TABLE)
    again = parse(export(run, records))
    assert again.run == run
    shown = listing.run(RunDetail(run, tuple(trials)))
    assert 'size 0' not in shown and 'not available' in shown


def test_groups_of_one_file_are_paired_by_round():
    rows = ['group,round,workload,ops_per_s']
    for i in range(7):
        rows.append(f'ours,{i + 1},oltp,{1000 + i}')
        rows.append(f'theirs,{i + 1},oltp,{500 + 2 * i}')
    run, trials, _ = made('\n'.join(rows) + '\n')
    entry = RunTrials(run, tuple(trials))
    found = compare(Side('ours', (entry,)), Side('theirs', (entry,)))
    assert found.paired
    (row,) = found.rows
    assert row.estimate.verdict_text == 'slower'
    assert row.blocks_complete == 7


def test_a_file_that_does_not_tell_errors_was_not_checked_for_them():
    def compared(head, last=''):
        rows = [f'group,round,workload,ops_per_s{head}']
        for i in range(7):
            rows.append(f'ours,{i + 1},oltp,{1000 + i}{last and ",0"}')
            rows.append(f'theirs,{i + 1},oltp,{500 + 2 * i}{last}')
        run, trials, records = made('\n'.join(rows) + '\n')
        assert parse(export(run, records)).run == run
        entry = RunTrials(run, tuple(trials))
        found = compare(Side('ours', (entry,)), Side('theirs', (entry,)))
        lacks = [t for t in found.missing if t.startswith('errors: ')]
        return found.rows[0].estimate.verdict_text, lacks

    assert compared('') == (
        'slower',
        [
            'errors: not checked in the row, not recorded: failed '
            'operations of ours, theirs'
        ],
    )
    assert compared(',errors', ',0') == ('slower', [])
    _, lacks = compared(',errors', ',')
    assert lacks == [
        'errors: not checked in the row, not recorded: failed operations of '
        'theirs'
    ]


def test_percentiles_of_operations_that_nobody_counted_say_so():
    rows = ['group,round,workload,ops_per_s,p99_ms']
    for i in range(7):
        rows.append(f'ours,{i + 1},oltp,{1000 + i},9')
        rows.append(f'theirs,{i + 1},oltp,{500 + 2 * i},20')
    run, trials, _ = made('\n'.join(rows) + '\n')
    entry = RunTrials(run, tuple(trials))
    found = compare(Side('ours', (entry,)), Side('theirs', (entry,)))
    side_ = found.rows[0].baseline
    why = 'p99 (number of operations not recorded)'
    assert (side_.percentiles, side_.percentiles_reason) == ({}, why)
    assert f'latency percentiles not available: {why}' in found.missing


def test_tests_of_a_fixed_amount_of_work_are_as_long_as_they_take():
    rows = ['group,round,workload,ops_per_s,duration']
    for i in range(7):
        rows.append(f'ours,{i + 1},oltp,{1000 + i},300')
        rows.append(f'theirs,{i + 1},oltp,{6000 + 12 * i},50')
    run, trials, _ = made('\n'.join(rows) + '\n')
    entry = RunTrials(run, tuple(trials))
    found = compare(Side('ours', (entry,)), Side('theirs', (entry,)))
    (row,) = found.rows
    assert row.estimate.verdict_text == 'faster'
    assert row.reasons == ()


def test_what_warp_recorded_in_both_forms_is_compared():
    folder = pathlib.Path(__file__).parents[1] / 'data'
    rows = side((folder / 'recorded_warp.csv').read_text('utf-8'), 'rows')
    text_ = side((folder / 'recorded_warp.json').read_text('utf-8'), 'text')
    (row,) = compare(rows, text_).rows
    assert row.workload == 's3-mixed-4K-c2'
    assert row.estimate.ratio == pytest.approx(1.0, abs=0.02)
    assert row.estimate.verdict_text.startswith('inconclusive')


def test_two_files_are_unpaired_and_say_what_is_missing():
    found = compare(
        side(data.warp_get(), 'arm'),
        side(data.warp_get(wait=9_000_000, seconds=11), 'x86'),
    )
    (row,) = found.rows
    assert not found.paired
    assert 'inconclusive' in row.estimate.verdict_text
    lacks = ' '.join(found.missing)
    assert 'settings' in lacks and 'client locality' in lacks
    shown = text.render(found)
    assert 'measured by warp' in shown
    assert 'OSDs not available' in shown and '0 OSDs' not in shown
    assert 'per OSD: not available' in shown


def test_unlike_durations_are_not_compared():
    with pytest.raises(InvalidArgument, match='unlike'):
        compare(
            side(data.warp_get(), 'arm'),
            side(data.warp_get(seconds=20), 'x86'),
        )


def test_three_runs_of_each_group_are_judged_as_runs():
    sides = []
    for group, wait in (('arm', 20), ('x86', 10)):
        entries = []
        for i in range(4):
            content = data.warp_get(wait=wait * 10**6 + i * 10**5)
            run, trials, _ = made(content, group)
            entries.append(RunTrials(run, tuple(trials)))
        sides.append(Side(group, tuple(entries)))
    found = compare(*sides)
    assert found.rows[0].estimate.verdict_text == 'faster'


@pytest.mark.parametrize(
    'content, group, message',
    [
        (data.warp_get(), None, 'name it with --group'),
        (data.TABLE, 'arm', 'leave out --group'),
        (data.warp_get(), 'a b', 'is not valid'),
        (data.TABLE.replace('theirs', 'ours'), None, 'twice in round 1'),
        (data.TABLE.replace(',2,', ',5000,'), None, '1000 at most'),
    ],
)
def test_wrong_runs(content, group, message):
    with pytest.raises(InvalidArgument, match=message):
        made(content, group)


def test_workloads_of_one_name_must_be_alike():
    content = (
        'group,workload,op,size,ops_per_s\n'
        'a,x,s3-get,4K,10\nb,x,s3-get,8K,10\n'
    )
    with pytest.raises(InvalidArgument, match='size 4096 and 8192'):
        made(content)


def test_what_an_export_says_itself_cannot_be_given():
    request = ImportRequest('{"format":"perfcompare-run"}', group='arm')
    assert request.exported
    with pytest.raises(InvalidArgument, match='--group is of no use'):
        request.refuse_words()
    with pytest.raises(InvalidArgument, match='is not one of auto, warp'):
        ImportRequest('x', tool='sysbench').check()


def of_fio(**options):
    return json.dumps(file_of(one_job(**options)))


def test_what_another_tool_was_told_not_to_exceed_is_paced():
    sides = [side(of_fio(rate_iops='1500'), group) for group in ('a', 'b')]
    (row,) = compare(*sides).rows
    assert (row.workload, row.label) == ('randread-4K-c4', 'paced')
    sides = [side(of_fio(), group) for group in ('a', 'b')]
    assert compare(*sides).rows[0].label == 'saturated'


def test_limits_of_rates_that_differ_are_not_compared():
    sides = [side(of_fio(rate_iops='1500'), 'a'), side(of_fio(), 'b')]
    message = 'unlike: limited rate_iops=1500 and none'
    with pytest.raises(InvalidArgument, match=message):
        compare(*sides)
    both = of_fio(rate_iops='1500') + of_fio(rate_iops='3000')
    steps = made(both, 'a')[0].plan.profile.workloads
    assert {w.limited: w.name for w in steps} == {
        'rate_iops=1500': 'randread-4K-c4-rate_iops-1500',
        'rate_iops=3000': 'randread-4K-c4-rate_iops-3000',
    }


def test_the_version_of_a_profile_is_that_of_its_workloads():
    """It is as it was before there were limits, where there are none."""
    free, again = made(of_fio(), 'a')[0], made(of_fio(), 'b')[0]
    limited, _, _ = made(of_fio(rate_iops='1500'), 'a')
    versions = [r.plan.profile.version for r in (free, again, limited)]
    assert versions[0] == versions[1] != versions[2]


def test_what_has_no_time_is_dated_by_its_import_and_says_so():
    def dated(*starts):
        rows = ['group,round,workload,ops_per_s,started']
        rows += [f'a,{i + 1},x,100,{at}' for i, at in enumerate(starts)]
        _, trials, _ = made('\n'.join(rows) + '\n')
        return [(t.started, t.evidence.get('notes')) for t in trials]

    at = 1795491900.0
    assert dated(at) == [(at, None)]
    (found,) = dated('')
    assert found == (2e9, ['the file has no time: it is dated by the import'])
    _, (began, notes) = dated(at, '')
    assert began == at
    assert notes == [
        'the file has no time of it: it is dated by the first one that has'
    ]
