import pytest

from ...common.errors import InvalidArgument
from ...model.plan import RunOptions
from ...model.slo import Slo
from ...planning import ladder
from ...planning.ladder import points
from ...planning.profiles import applied, catalog
from ...report.profiles import profile as show
from ..data.plans import make


def values(text):
    return [str(point) for point in points(text)]


@pytest.mark.parametrize(
    'text, expected',
    [
        ('1..64', '1 2 3 6 11 20 35 64'),
        ('1..8', '1 2 3 5 8'),
        ('2..128', '2 4 7 12 22 39 71 128'),
        ('1..16/osd', '1/osd 2/osd 3/osd 4/osd 6/osd 10/osd 16/osd'),
        ('1..4096', '1 2 4 8 16 32 64 128 256 512 1024 2048 4096'),
        ('1,2,4,8', '1 2 4 8'),
        ('1/osd,2/osd,4/osd,8/osd', '1/osd 2/osd 4/osd 8/osd'),
    ],
)
def test_points_of_a_ladder(text, expected):
    found = values(text)
    assert 4 <= len(found) <= 13
    assert ' '.join(found) == expected


@pytest.mark.parametrize(
    'text, words',
    [
        ('', "'' is not a concurrency"),
        ('1..1', 'a range that rises'),
        ('8..1', 'a range that rises'),
        ('0..64', 'a range that rises'),
        ('1..3', '4 to 13 points that rise'),
        ('1..99999', 'is out of range; give 1 to 4096'),
        ('1,2,4', '4 to 13 points that rise'),
        ('1,2,4,4', '4 to 13 points that rise'),
        ('4,2,1,8', '4 to 13 points that rise'),
        (','.join(str(n) for n in range(1, 15)), '4 to 13 points'),
        ('1,2/osd,4,8', 'all points in all, or all of them /osd'),
        ('1..64..9', 'is not a concurrency'),
        ('1,2,\x1b[31m,8', 'is not a concurrency'),
        ('9' * 5000, 'is not a concurrency'),
    ],
)
def test_what_is_no_ladder_is_refused_in_one_line(text, words):
    with pytest.raises(InvalidArgument) as caught:
        points(text)
    assert words in caught.value.message
    assert '--curve' in caught.value.message
    assert len(caught.value.message) < 200
    assert caught.value.message.isprintable()


@pytest.mark.parametrize(
    'text, percentile, seconds, printed',
    [
        ('p99=10ms', 'p99', 0.010, 'p99 ≤ 10 ms'),
        (' p99.9 <= 1.5s ', 'p99.9', 1.5, 'p99.9 ≤ 1.5 s'),
        ('p50=200us', 'p50', 0.0002, 'p50 ≤ 200 us'),
    ],
)
def test_limits_of_latency(text, percentile, seconds, printed):
    slo = Slo.parse(text)
    assert (slo.percentile, slo.seconds) == (
        percentile,
        pytest.approx(seconds),
    )
    assert str(slo) == printed


@pytest.mark.parametrize(
    'text',
    [
        '',
        'p99',
        'p99=',
        'p99=10',
        'p98=10ms',
        'p99=1us',
        'p99=61s',
        'p99=-1ms',
    ]
    + ['p99=1.1.1ms', 'p99=nanms', 'p99=10ms;', 'p' * 9999],
)
def test_what_is_no_limit_is_refused(text):
    with pytest.raises(InvalidArgument, match='as p99=10ms'):
        Slo.parse(text)


def planned(workloads=('rbd-randread',), **options):
    return make(workloads=workloads, sizes=('4K',), **options)


def test_each_point_is_a_workload_of_every_round():
    plan = planned(curve='1..8', slo='p99=10ms', rounds=2)
    assert (
        'curves of 5 points in flight, judged at p99 ≤ 10 ms' in plan.labels
    )
    names = [w.name for w in plan.profile.workloads]
    assert names == [f'rbd-randread-4K-c{n}' for n in (1, 2, 3, 5, 8)]
    orders = [
        [b.workload for b in plan.blocks if b.round == number]
        for number in (0, 1, 2)
    ]
    assert all(sorted(order) == sorted(names) for order in orders)
    assert orders[0] != orders[1] or orders[1] != orders[2]


@pytest.mark.parametrize(
    'options, words',
    [
        ({'slo': 'p99=10ms'}, 'is read off a response curve; give --curve'),
        (
            {'curve': '1..8', 'concurrency': ('4',)},
            '--concurrency and --curve',
        ),
        ({'curve': '1..8', 'adaptive': True, 'rounds': 7}, '--adaptive and'),
        ({'curve': '1..8', 'rbd_rate': 100.0}, 'is paced'),
        ({'curve': '1..8', 'slo': 'p99'}, 'is not a limit of latency'),
        (
            {
                'curve': '1..8',
                'slo': 'p99=10ms',
                'workloads': ('write',),
            },
            'rados records no percentiles',
        ),
        (
            {'curve': '1..8', 'slo': 'p99=10ms', 'rbd_client': 'bench'},
            'rbd-bench records no percentiles',
        ),
    ],
)
def test_curves_that_cannot_be_are_refused(options, words):
    with pytest.raises(InvalidArgument) as caught:
        planned(**options)
    assert words in caught.value.message


def test_curves_of_peaks_need_no_percentiles():
    plan = planned(workloads=('write',), curve='1..8')
    assert len(plan.profile.workloads) == 5


CURVES = """
description: curves
rounds: 3
curve: 1..8
slo: p95=20ms
workloads:
- {op: [rbd-randread, rbd-randwrite], size: 4K}
"""


def test_a_profile_of_curves_needs_no_option():
    profile = catalog.load(CURVES, name='mine')
    assert (profile.curve, profile.slo) == ('1..8', 'p95=20ms')
    assert len(profile.workloads) == 10
    plan = make(profile=profile)
    assert len(plan.profile.workloads) == 10
    assert (plan.options.curve, plan.options.slo) == ('1..8', 'p95=20ms')
    # what is asked for stands
    plan = make(profile=profile, curve='1,2,4,8', slo='p50=1ms')
    assert (plan.options.curve, plan.options.slo) == ('1,2,4,8', 'p50=1ms')
    assert len(plan.profile.workloads) == 8
    plan = make(profile=profile, slo='p99=1ms')
    assert (plan.options.curve, plan.options.slo) == ('1..8', 'p99=1ms')
    plan = make(profile=profile, concurrency=('4',))
    assert (plan.options.curve, plan.options.slo) == (None, None)
    assert len(plan.profile.workloads) == 2


@pytest.mark.parametrize(
    'options',
    [
        {'curve': '2..16/osd'},
        {'curve': '100..800/s', 'concurrency': ('32',)},
    ],
)
def test_another_ladder_leaves_the_limit_of_the_profile(options):
    profile = catalog.get('intel-vdi')
    plan = make(profile=profile, **options)
    assert plan.options.curve == options['curve']
    assert plan.options.slo == 'p99=20ms'
    assert any('judged at p99 ≤ 20 ms' in label for label in plan.labels)
    assert make(profile=profile, slo='p95=5ms', **options).options.slo == (
        'p95=5ms'
    )


def test_rates_in_place_of_what_is_in_flight_need_to_know_how_much():
    with pytest.raises(InvalidArgument) as caught:
        make(profile=catalog.get('intel-vdi'), curve='100..800/s')
    assert "profile 'intel-vdi' varies what is in flight" in (
        caught.value.message
    )
    assert '--concurrency' in caught.value.message


@pytest.mark.parametrize('curve', [None, '1..16/osd'])
def test_the_limit_of_a_profile_is_never_dropped_in_silence(curve):
    with pytest.raises(InvalidArgument) as caught:
        make(
            profile=catalog.get('intel-vdi'),
            workloads=('write',),
            curve=curve,
            clients=1,
        )
    assert 'rados records no percentiles' in caught.value.message
    assert 'compare the peaks with --slo none' in caught.value.message


def test_no_limit_is_asked_for_in_place_of_that_of_a_profile():
    plan = make(
        profile=catalog.get('intel-vdi'),
        workloads=('write',),
        slo='none',
        clients=1,
    )
    assert plan.options.curve == '1..32/osd'
    assert plan.options.slo is None
    assert 'judged at their peak' in ladder.label(plan.options)


@pytest.mark.parametrize(
    'options, words',
    [
        ({'slo': 'none'}, '--slo none is read off a response curve'),
        ({'slo': 'none', 'curve': '100..800/s'}, 'keep a latency'),
    ],
)
def test_no_limit_is_a_curve_s_alone(options, words):
    with pytest.raises(InvalidArgument) as caught:
        make(
            profile=catalog.get('standard'), workloads=('s3-get',), **options
        )
    assert words in caught.value.message


def test_the_version_of_a_profile_is_of_its_points():
    def version(*change):
        return catalog.load(CURVES.replace(*change), name='mine').version

    same = version('', '')
    assert version('1..8', '1,2,3,5,8') == same
    assert version('p95', 'p99') == same
    assert version('1..8', '1..9') != same


@pytest.mark.parametrize(
    'old, new, words',
    [
        ('1..8', '8..1', "profile 'mine': --curve"),
        ('p95=20ms', 'p95', "profile 'mine': --slo"),
        ('curve: 1..8\n', '', 'needs a curve'),
        ('size: 4K', 'size: 4K, concurrency: 4', 'exclude each other'),
    ],
)
def test_a_profile_of_curves_that_cannot_be_is_refused(old, new, words):
    with pytest.raises(InvalidArgument) as caught:
        catalog.load(CURVES.replace(old, new), name='mine')
    assert words in caught.value.message


def test_built_in_curves_are_shown_with_their_limit():
    text = show(catalog.get('intel-vdi'))
    assert '1..32/osd in flight, judged by p99 ≤ 20 ms' in text


BUILT_IN = [p for p in catalog.builtin().values() if p.curve]


@pytest.mark.parametrize(
    'profile', BUILT_IN, ids=lambda profile: profile.name
)
def test_a_profile_of_curves_has_the_version_of_its_runs(profile):
    options = ladder.of_profile(profile, RunOptions())
    assert options.curve == profile.curve
    assert applied.apply(profile, options).version == profile.version
