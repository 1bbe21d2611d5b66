import dataclasses

import pytest

from ...analysis.comparison import compare
from ...analysis.evidence import LATENCY_BOUND, PACED, SATURATED
from ...analysis.rows import label
from ...analysis.validity import REASONS
from ...analysis.verdict import Verdict
from ...model.workload import (
    Concurrency,
    Op,
    RbdShape,
    S3Shape,
    Workload,
)
from ..data.comparison_data import Scene, first_row, of, reasons

W = 'write-4K-c16'
R = 'rand-4K-c16'
WORKLOAD = Workload(W, Op('write'), 4096, Concurrency(16), 60.0, 5.0)


def test_table_has_the_published_reasons():
    assert [rule.id for rule in REASONS] == [
        'client',
        'uneven clients',
        'client locality',
        'placement',
        'not steady',
        'drift not excluded',
        'dependent trials',
        'no operations',
        'short',
        'cache',
        'busy',
        'moving data',
        'unsettled',
        'errors',
        'probe',
        'settings',
    ]


def test_good_row_has_no_reason_and_lacks_nothing():
    found = first_row(Scene({W: 0.5}))
    assert found.reasons == ()
    assert found.missing_evidence == ()
    assert found.estimate.verdict is Verdict.SLOWER


@pytest.mark.parametrize('seconds, holds', [(8.9, True), (9.1, False)])
def test_trials_of_which_little_was_measured_are_a_reason(seconds, holds):
    scene = Scene({W: 0.5}).change(of('arm'), summary={'window': seconds})
    assert reasons(scene) == (['short'] if holds else [])
    if holds:
        found = first_row(scene).estimate
        assert found.verdict_text == 'inconclusive (short)'
        assert 'of 30 s that were asked for were measured 8.9 s of arm' in (
            found.detail
        )


@pytest.mark.parametrize(
    'x86, arm, holds',
    [
        (1.0, 1.10, True),  # the groups differ by more than 5 %
        (1.06, 1.10, False),
        (1.10, 1.11, True),
        (1.0, 1.05, False),
    ],
)
def test_uneven_primaries_are_a_reason_in_saturated_rows(x86, arm, holds):
    for load, expected in (('16', holds), ('1', False)):
        scene = Scene({f'rand-4K-c{load}': 0.5})
        scene.change(of('x86'), manifest={'primaries_max_mean': x86})
        scene.change(of('arm'), manifest={'primaries_max_mean': arm})
        assert (reasons(scene) == ['placement']) is expected


@pytest.mark.parametrize('key', ['primaries_max_mean', 'objects_max_mean'])
@pytest.mark.parametrize('value', [0.0, -1.0, 0.5])
def test_unevenness_that_cannot_be_is_not_evidence(key, value):
    scene = Scene({'rand-4K-c16': 0.5})
    scene.change(of('arm'), manifest={key: value})
    assert reasons(scene) == []


def unevenly_read(ratio, x86, arm, noise=0.01, load='16'):
    """Return a row whose populations fell as given; primaries did not."""
    scene = Scene({f'rand-4K-c{load}': ratio}, noise=noise)
    scene.change(of('x86'), manifest={'objects_max_mean': x86})
    return scene.change(of('arm'), manifest={'objects_max_mean': arm})


@pytest.mark.parametrize(
    'ratio, x86, arm, holds',
    [
        (0.5, 1.0, 1.06, True),  # the groups differ by more than 5 %
        (0.5, 1.11, 1.11, True),
        (0.5, 1.0, 1.04, False),  # but the conclusion stands
        (0.96, 1.0, 1.04, True),
        (1.04, 1.04, 1.0, True),
        (1.0, 1.0, 1.02, False),
        (1.06, 1.06, 1.06, False),
    ],
)
def test_unevenly_read_objects_are_a_reason_where_it_matters(
    ratio, x86, arm, holds
):
    scene = unevenly_read(ratio, x86, arm)
    assert (reasons(scene) == ['placement']) is holds
    assert reasons(unevenly_read(ratio, x86, arm, load='1')) == []


@pytest.mark.parametrize(
    'arm, holds, lacking',
    [
        ({'bytes_max_mean': 1.06}, True, []),
        ({'bytes_max_mean': 1.0}, False, []),
        # objects that are beside the data of images tell nothing
        ({'objects_max_mean': 1.0}, False, ['placement']),
        ({'primaries_max_mean': 1.2}, True, []),
    ],
)
def test_images_are_judged_by_the_bytes_that_are_read(arm, holds, lacking):
    scene = Scene({'rbd-randread-4K-c16': 0.8})
    scene.change(of('x86'), manifest={'bytes_max_mean': 1.0})
    scene.change(of('arm'), manifest={'bytes_max_mean': None, **arm})
    found = first_row(scene)
    assert ('placement' in [f.id for f in found.reasons]) is holds
    told = [m for m in found.missing_evidence if 'placement' in m]
    assert len(told) == len(lacking), found.missing_evidence


def test_no_difference_does_not_stand_on_unevenly_read_objects():
    found = first_row(unevenly_read(1.0, 1.0, 1.02, noise=0.05))
    assert found.estimate.verdict is Verdict.NO_DIFFERENCE
    worse = first_row(unevenly_read(1.0, 1.0, 1.05, noise=0.05))
    assert worse.estimate.verdict_text == 'inconclusive (placement)'


def test_what_unevenly_read_objects_cost_is_noted():
    (noted,) = first_row(unevenly_read(0.5, 1.0, 1.04)).reasons
    assert (noted.id, noted.holds) == ('placement', False)
    assert noted.evidence == (
        'max/mean objects that OSDs lead 1.00 for x86, 1.04 for arm: the '
        'ratio may be off by 4.0%'
    )
    assert first_row(unevenly_read(0.5, 1.03, 1.035)).reasons == ()


@pytest.mark.parametrize(
    'x86, arm, apart',
    [
        # what hits a cache varies: no bound of a class falls between them
        (0.91, 0.86, False),
        (0.95, 0.84, True),
        # neither is cached, nor from devices alone
        (0.15, 0.85, True),
        (0.0, 1.0, True),
    ],
)
def test_reads_from_caches_to_another_share_are_a_reason(x86, arm, apart):
    for name, expected in ((R, ['cache'] * apart), (W, [])):
        scene = Scene({name: 0.5})
        scene.change(of('x86'), manifest={'cache_share': x86})
        scene.change(of('arm'), manifest={'cache_share': arm})
        assert reasons(scene) == expected
    if apart:
        scene = Scene({R: 0.5})
        scene.change(of('x86'), manifest={'cache_share': x86})
        scene.change(of('arm'), manifest={'cache_share': arm})
        (reason,) = first_row(scene).reasons
        assert f'{x86:.0%} for x86 and {arm:.0%} for arm' in reason.evidence


@pytest.mark.parametrize(
    'arm, expected', [('device', ['cache']), ('cached', [])]
)
def test_trials_without_shares_are_judged_by_their_regimes(arm, expected):
    scene = Scene({R: 0.5})
    for group, regime in (('x86', 'cached'), ('arm', arm)):
        scene.change(
            of(group), manifest={'cache_share': None, 'cache_regime': regime}
        )
    assert reasons(scene) == expected


def test_other_tenants_are_a_reason_above_the_limit():
    scene = Scene({W: 0.5})
    scene.change(of('arm'), manifest={'tenant_ops_per_s': 49.0})
    assert reasons(scene) == []
    scene.change(of('arm'), manifest={'tenant_ops_per_s': 51.0})
    assert reasons(scene) == ['busy']


def test_data_that_moves_on_tested_osds_is_a_reason():
    def moved(**counts):
        scene = Scene({W: 0.5})
        for trial in scene.trials:
            if trial.group == 'arm':
                trial.evidence['osds']['1'].update(counts)
        return first_row(scene)

    assert moved(recovery_ops=15, recovery_pushes=15).reasons == ()
    for name in ('recovery_ops', 'recovery_pushes'):
        found = moved(**{name: 300})
        assert found.estimate.verdict_text == 'inconclusive (moving data)'
        assert (
            '0.0 objects/s during x86, 10.0 objects/s during arm (limit 1)'
            in found.estimate.detail
        )


def test_osds_that_told_nothing_moved_nothing_that_is_known():
    scene = Scene({W: 0.5})
    for trial in scene.trials:
        trial.evidence['osds'] = {'0': None, '1': {'recovery_ops': 'x'}}
    found = first_row(scene)
    assert found.reasons == ()
    assert found.missing_evidence == ('moving data: recovery_ops of x86',)


def test_failed_operations_are_a_reason_above_the_budget():
    scene = Scene({W: 0.5})
    scene.change(of('arm'), summary={'ops': 10000, 'errors': 9})
    found = first_row(scene)
    assert [(r.id, r.holds) for r in found.reasons] == [('errors', False)]
    assert '63 of 70063 of arm' in found.reasons[0].evidence
    scene.change(of('arm'), summary={'errors': 11})
    assert reasons(scene) == ['errors']
    # what a connection would have carried is missing, too
    scene.change(of('arm'), summary={'errors': 0})
    assert reasons(scene) == []
    for trial in scene.trials:
        if trial.group == 'arm':
            trial.evidence['client'] = {'attempts': {'ECONNREFUSED': 11}}
    assert reasons(scene) == ['errors']


@pytest.mark.parametrize(
    'manifest, holds',
    [
        ({'size': 3}, True),
        ({'ec_profile': 'k=2 m=1'}, True),
        ({'compression': 'force'}, True),
        ({'pgs_per_osd': 46.0}, True),
        ({'pgs_per_osd': 45.2}, False),  # powers of two leave the root of 2
        ({'ceph_version': ['19.2.1']}, True),
        ({'ceph_version': ['20.2.3']}, False),
        ({'min_size': 2}, False),
    ],
)
def test_settings_that_must_be_equal(manifest, holds):
    scene = Scene({W: 0.5}).change(of('arm'), manifest=manifest)
    assert (reasons(scene) == ['settings']) is holds


def test_setting_that_is_itself_compared_is_no_reason():
    scene = Scene({W: 0.5})
    scene.change(of('arm'), manifest={'ceph_version': ['19.2.1']})
    assert reasons(scene, across=('release',)) == []


@pytest.mark.parametrize(
    'across, manifest',
    [
        ('pgs_per_osd', {'pgs_per_osd': 64.0}),
        ('pg_num', {'pg_num': 64, 'pgs_per_osd': 64.0}),
        # more copies or shards of as many PGs are more PGs on each OSD
        ('size', {'size': 3, 'pgs_per_osd': 48.0}),
        ('ec_profile', {'ec_profile': 'k=4 m=2', 'pgs_per_osd': 96.0}),
    ],
)
def test_pgs_that_follow_from_what_is_compared_are_no_reason(
    across, manifest
):
    scene = Scene({W: 0.5}).change(of('arm'), manifest=manifest)
    assert reasons(scene) == ['settings']
    found = compare(scene.side('x86'), scene.side('arm'), across=(across,))
    assert found.rows[0].reasons == ()
    assert 'pgs_per_osd' in [c.field for c in found.confounders]


def test_pgs_that_do_not_follow_from_what_is_compared_stay_a_reason():
    scene = Scene({W: 0.5}).change(
        of('arm'), manifest={'pgs_per_osd': 64.0, 'compression': 'force'}
    )
    assert reasons(scene, across=('compression',)) == ['settings']


def test_what_nobody_recorded_is_missing_evidence():
    scene = Scene({R: 0.5})
    bare = {'client_thread_cores': None, 'host_busy': None, 'windows': ()}
    scene.change(lambda t: True, summary=bare)
    for i, trial in enumerate(scene.trials):
        trial.manifest.clear()
        trial.evidence.clear()
    found = first_row(scene)
    assert found.reasons == ()
    assert [m.split(':')[0] for m in found.missing_evidence] == [
        'client',
        'client locality',
        'placement',
        'not steady',
        'cache',
        'busy',
        'moving data',
        'settings',
    ]
    assert found.estimate.verdict is Verdict.SLOWER


def test_several_reasons_are_all_told():
    scene = Scene({W: 0.5})
    scene.change(of('arm'), manifest={'size': 3, 'tenant_ops_per_s': 900.0})
    found = first_row(scene).estimate
    assert found.verdict_text == 'inconclusive (busy, settings)'
    assert 'pool size: 2 for x86, 3 for arm' in found.detail
    assert found.q is None


@pytest.mark.parametrize(
    'concurrency, osds, expected',
    [
        (Concurrency(1), [3], LATENCY_BOUND),
        (Concurrency(1), [], LATENCY_BOUND),
        (Concurrency(2), [2, 4], LATENCY_BOUND),
        (Concurrency(4), [2, 4], SATURATED),
        (Concurrency(1, True), [2, 4], LATENCY_BOUND),
        (Concurrency(4, True), [2, 4], SATURATED),
        (Concurrency(16), [2, 2], SATURATED),
    ],
)
def test_label_is_by_operations_for_each_osd(concurrency, osds, expected):
    workload = dataclasses.replace(WORKLOAD, concurrency=concurrency)
    assert label(workload, osds) == expected


@pytest.mark.parametrize(
    'change',
    [
        {'rate': 50.0},
        {'s3': S3Shape(think_time='10ms')},
        {'rbd': RbdShape(rate=50.0)},
    ],
)
def test_what_is_asked_for_is_not_what_a_group_can_do(change):
    workload = dataclasses.replace(WORKLOAD, **change)
    assert label(workload, [3, 3]) == PACED


@pytest.mark.parametrize('apart, text', [(1.0, 'faster'), (1.045, '')])
def test_placement_counts_for_what_is_judged(apart, text):
    scene = Scene({R: 2.1}, osds={'arm': 4}, noise=0.005)
    scene.change(of('arm'), manifest={'objects_max_mean': 1.0})
    scene.change(of('x86'), manifest={'objects_max_mean': apart})
    found = first_row(scene)
    assert found.estimate.verdict is Verdict.FASTER
    wanted = text or 'inconclusive (placement)'
    assert found.per_osd.verdict_text == wanted


def test_errors_of_an_unknown_number_of_operations_are_no_share():
    scene = Scene({W: 0.5}).change(of('arm'), summary={'errors': 3, 'ops': 0})
    found = first_row(scene)
    assert found.estimate.verdict is Verdict.SLOWER
    assert found.missing_evidence == ('errors: number of operations of arm',)
