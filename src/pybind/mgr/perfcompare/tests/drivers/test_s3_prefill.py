"""Objects that are there before an S3 load, by count or bytes."""

from typing import Any

import json

import pytest

from ...common.codec import from_data, to_data
from ...common.errors import InvalidArgument
from ...model.plan import RunPlan
from ...model.workload import Op, Prefill, Workload
from ...planning import sizes
from ...planning.estimate import trial_deadline
from ...planning.profiles import applied
from ...planning.profiles import catalog as profiles
from ...planning.s3 import plan as s3plan
from ...report.plan import describe
from ..data.plans import make
from .test_gateways import Bench

READS = ('s3-get', 's3-stat')


def plan(*ops: str, prefill: Any, **options: Any) -> RunPlan:
    options.setdefault('sizes', ('64K',))
    return make(
        workloads=ops, concurrency=('16',), prefill=prefill, **options
    )


@pytest.mark.parametrize(
    'given, prefill, name, objects',
    [
        ('5000', Prefill(objects=5000), '5000', 5000),
        ('1G', Prefill(bytes=1 << 30), '1G', 16384),
        ('1000B', Prefill(bytes=1000), '1000B', 1),
    ],
)
def test_a_number_is_objects_and_a_unit_is_bytes(
    given: str, prefill: Prefill, name: str, objects: int
) -> None:
    made = plan('s3-get', prefill=given)
    (workload,) = made.profile.workloads
    assert workload.prefill == prefill
    assert workload.name == f's3-get-64K-c16-n{name}'
    assert s3plan.population(made, workload, 'x86') == objects
    pools = {p.role: p for p in made.groups[0].pools}
    assert pools['s3-data'].max_bytes == objects * (64 << 10)
    assert from_data(RunPlan, json.loads(json.dumps(to_data(made)))) == made


def test_bytes_are_of_the_mean_of_weighted_sizes() -> None:
    made = plan('s3-get', prefill='1G', sizes=None, read_sizes='4M,2M')
    (workload,) = made.profile.workloads
    assert s3plan.population(made, workload, 'x86') == 342  # of 3 MiB


def test_what_needs_no_objects_is_left_as_it_is() -> None:
    made = plan('s3-get', 's3-put', 's3-delete', prefill='100')
    by_op = {w.op: w.prefill for w in made.profile.workloads}
    assert by_op.pop(Op('s3-get')) == Prefill(objects=100)
    assert set(by_op.values()) == {None}


def test_a_mix_begins_with_them_and_its_pool_has_room_for_them() -> None:
    plain, filled = (plan('s3-mixed', prefill=p) for p in (None, '100000'))
    mix, told = (p.profile.workloads[0] for p in (plain, filled))
    osds = len(filled.groups[0].osds)
    most = s3plan.bound(filled, told, 'x86')
    assert s3plan.own_objects(told, osds, most) == 100000
    # beside them a mix may write what it might anyhow
    assert most == s3plan.bound(plain, mix, 'x86')
    role = s3plan.WRITE[1]
    more = 100000 * (64 << 10)
    assert s3plan.pool(filled.groups[0], role).max_bytes == (
        s3plan.pool(plain.groups[0], role).max_bytes + more
    )
    # of a block that is repeated, they are there twice
    assert s3plan.bound(filled, told, 'x86', stored=more) < most
    assert filled.seconds > plain.seconds
    assert trial_deadline(told) > trial_deadline(mix) + 900
    assert trial_deadline(mix) == trial_deadline(
        plan('s3-get', prefill='100000').profile.workloads[0]
    )


def test_the_driver_asks_for_them_and_notes_them() -> None:
    bench = Bench(*READS, 's3-mixed', prefill='700')
    for op in READS:
        fill = bench.driver.fill(bench.workload(op), bench.group)
        trial = bench.driver.trial(bench.workload(op), bench.group, 't')
        assert fill.objects == trial.objects == 700
        assert fill.prefix == trial.prefix
        assert trial.prefix.endswith('-n700-')
    trial = bench.driver.trial(bench.workload('s3-mixed'), bench.group, 't')
    assert trial.own and trial.objects == 700
    trial.check()
    bench.gateways.close()


def test_writing_many_objects_may_take_its_time() -> None:
    for prefill, hours in ((None, 2), ('10000000', 20)):
        bench = Bench('s3-get', prefill=prefill)
        fill = bench.driver.fill(bench.workload('s3-get'), bench.group)
        assert fill.deadline >= 3600 * hours
        bench.gateways.close()


def test_populations_differ_where_their_numbers_do() -> None:
    names = {
        sizes.population(plan('s3-get', prefill=p).profile.workloads[0])
        for p in (None, '100', '200', '1G')
    }
    assert names == {'64K', '64K-n100', '64K-n200', '64K-n1G'}


def test_the_plan_says_it() -> None:
    for prefill, said in (
        ('5000', 'of 5,000 objects written before'),
        ('10G', 'of 10.0 GiB in objects written before'),
    ):
        text = ' '.join(describe(plan('s3-get', prefill=prefill)).split())
        assert said in text, text


TEXT = """
name: own
rounds: 7
workloads:
- op: [s3-get, s3-put]
  size: 4K
  concurrency: 64
  prefill: %s
"""


def test_a_profile_has_it_and_its_version_tells() -> None:
    found = profiles.load(TEXT % '1M')
    assert [w.name for w in found.workloads] == [
        's3-get-4K-c64-n1M',
        's3-put-4K-c64',
    ]
    assert found.version != profiles.load(TEXT % '2M').version
    # the option goes before it
    made = plan('s3-get', prefill='7')
    assert applied.apply(found, made.options).workloads[0].prefill == (
        Prefill(objects=7)
    )


@pytest.mark.parametrize(
    'value', ['0', '-1', 'many', '1.5', '10000001', '100G', "''", '[1]', 'no']
)
def test_values_that_cannot_be(value: str) -> None:
    with pytest.raises(InvalidArgument, match='prefill'):
        profiles.load(TEXT % value)
    with pytest.raises(InvalidArgument, match='prefill'):
        plan('s3-get', prefill=value.strip("'"), sizes=('4K',))


@pytest.mark.parametrize('op', ['s3-put', 's3-delete', 'write', 'rand'])
def test_it_is_for_what_reads_through_s3(op: str) -> None:
    with pytest.raises(InvalidArgument, match='--prefill: prefill is for s3'):
        plan(op, prefill='100')


def test_workloads_of_stored_runs_can_be_read() -> None:
    data = to_data(profiles.get('smoke').workloads[0])
    del data['prefill']
    assert from_data(Workload, data).prefill is None
