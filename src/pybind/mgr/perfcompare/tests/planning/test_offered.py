"""Ladders of offered load: their points, and what cannot be one."""

import pytest

from ...common.errors import InvalidArgument
from ...planning.ladder import of_rates, rates
from ...planning.profiles import applied, catalog, written
from ...report.profiles import profile as show
from ..data.plans import make

SLO = 'p95=20ms'


@pytest.mark.parametrize(
    'text, expected',
    [
        ('100..800/s', [100, 152, 230, 348, 528, 800]),
        ('100/s,200/s,400/s,800/s', [100, 200, 400, 800]),
        ('100 /s, 200/s, 400/s, 1000000/s', [100, 200, 400, 1000000]),
    ],
)
def test_points_of_offered_load(text, expected):
    assert of_rates(text)
    found = rates(text)
    assert found == expected


@pytest.mark.parametrize(
    'text, words',
    [
        ('100/s,200/s,400/s', '4 to 13 points that rise'),
        ('400/s,200/s,100/s,50/s', '4 to 13 points that rise'),
        ('100/s,200,400/s,800/s', "'200' is not a rate"),
        ('100..800/s/s', 'is not a rate'),
        ('800..100/s', 'a range that rises'),
        ('0..100/s', 'a range that rises'),
        ('1/s,2/s,3/s,1000001/s', 'is out of range; give 1/s to 1000000/s'),
        ('0/s,2/s,3/s,4/s', 'is out of range'),
        ('-1/s,2/s,3/s,4/s', 'is not a rate'),
        ('1.5/s,2/s,3/s,4/s', 'is not a rate'),
        ('1,2,\x1b[31m,8/s', 'is not a rate'),
        ('9' * 5000 + '/s', 'is not a rate'),
        ('٣/s,4/s,5/s,6/s', 'is not a rate'),
    ],
)
def test_what_is_no_ladder_of_rates_is_refused_in_one_line(text, words):
    with pytest.raises(InvalidArgument) as caught:
        make(workloads=('s3-get',), sizes=('4K',), curve=text, slo=SLO)
    assert words in caught.value.message
    assert '--curve' in caught.value.message
    assert len(caught.value.message) < 200
    assert caught.value.message.isprintable()


def planned(op='s3-get', **options):
    given = {'curve': '100..800/s', 'slo': SLO, 'concurrency': ('16',)}
    return make(workloads=(op,), sizes=('4K',), **{**given, **options})


def test_each_rate_is_a_workload_of_every_round_for_all_groups():
    plan = planned(rounds=2)
    assert 'curves of 6 points of offered load, judged at p95 ≤ 20 ms' in (
        plan.labels
    )
    names = [w.name for w in plan.profile.workloads]
    assert names[0] == 's3-get-4K-c16-r100'
    assert names[-1] == 's3-get-4K-c16-r800'
    assert [w.offered for w in plan.profile.workloads] == rates('100..800/s')
    orders = [
        [b.workload for b in plan.blocks if b.round == number]
        for number in (0, 1, 2)
    ]
    assert all(sorted(order) == sorted(names) for order in orders)
    assert orders[0] != orders[1] or orders[1] != orders[2]


def test_images_are_held_to_the_rates_and_say_so():
    plan = planned(op='rbd-randread')
    assert [w.offered for w in plan.profile.workloads] == rates('100..800/s')
    assert all(w.rate is None for w in plan.profile.workloads)
    assert 'RBD at a rate: closed above what is in flight, no open loop' in (
        plan.labels
    )


@pytest.mark.parametrize(
    'options, words',
    [
        ({'slo': None}, 'as well, e.g. --slo p99=10ms'),
        ({'op': 'write'}, 'cannot be begun at a rate'),
        ({'op': 's3-delete'}, 'cannot be begun at a rate'),
        ({'rate': 100.0}, '--rate and --curve'),
        (
            {'op': 'rbd-randread', 'rbd_rate': 100.0},
            '--rbd-rate and --curve',
        ),
        ({'ramp_steps': 2}, '--ramp-steps and --curve'),
        ({'adaptive': True, 'rounds': 7}, '--adaptive and'),
        ({'slo': 'p98=1ms'}, 'is not a limit of latency'),
        (
            {'slo': 'p99=1ms', 'duration': 3.0},
            'p99 needs 1,000 operations, also where 95% of them are done; 3 '
            's at 100/s are too short: give --duration 11, or a higher first',
        ),
    ],
)
def test_what_cannot_be_offered_is_refused(options, words):
    with pytest.raises(InvalidArgument) as caught:
        planned(**options)
    assert words in caught.value.message
    assert '\n' not in caught.value.message


CURVES = """
description: at equal load
rounds: 3
curve: 100..800/s
slo: p95=20ms
workloads:
- {op: [s3-get, s3-put], size: 4K, concurrency: 16}
"""


def test_a_profile_of_offered_load_needs_no_option():
    profile = catalog.load(CURVES, name='mine')
    assert len(profile.workloads) == 12
    plan = make(profile=profile)
    assert len(plan.profile.workloads) == 12
    assert plan.options.curve == '100..800/s'
    # what is asked for stands
    plan = make(profile=profile, concurrency=('64',))
    assert {str(w.concurrency) for w in plan.profile.workloads} == {'64'}
    assert len(plan.profile.workloads) == 12
    plan = make(profile=profile, rate=300.0)
    assert (plan.options.curve, plan.options.slo) == (None, None)
    assert [w.rate for w in plan.profile.workloads] == [300.0, 300.0]
    plan = make(profile=profile, curve='1..8')
    assert [w.rate for w in plan.profile.workloads] == [None] * 10
    plan = make(profile=profile, curve='100/s,200/s,300/s,400/s', slo=SLO)
    assert len(plan.profile.workloads) == 8
    again = applied.apply(plan.profile, plan.options)
    assert again.workloads == plan.profile.workloads


def test_a_profile_of_offered_load_is_written_and_shown():
    profile = catalog.load(CURVES, name='mine')
    text = written.text_of(profile, 'copy')
    assert 'curve: "100..800/s"' in text and ' rate:' not in text
    assert catalog.load(text).workloads == profile.workloads
    assert '100..800/s offered, judged by p95 ≤ 20 ms' in show(profile)
    images = CURVES.replace('[s3-get, s3-put]', 'rbd-randread')
    profile = catalog.load(images, name='mine')
    again = catalog.load(written.text_of(profile, 'copy'))
    assert again.workloads == profile.workloads


@pytest.mark.parametrize(
    'old, new, words',
    [
        ('100..800/s', '800..100/s', "profile 'mine': --curve"),
        ('size: 4K', 'size: 4K, rate: 5', 'rate and the curve of the'),
        ('concurrency: 16', 'clients: 1', 'concurrency is missing'),
    ],
)
def test_a_profile_of_offered_load_that_cannot_be_is_refused(old, new, words):
    with pytest.raises(InvalidArgument) as caught:
        catalog.load(CURVES.replace(old, new), name='mine')
    assert words in caught.value.message
