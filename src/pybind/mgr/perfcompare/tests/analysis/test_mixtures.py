"""Sides with the same values, but not as much of each."""

import pytest

from ...analysis.comparison import compare
from ...analysis.ec_texts import EcTexts
from ..data.comparison_data import Scene, first_row, of, reasons

W = 'write-4K-c16'
PROFILES = {'osd_mclock_profile': 'balanced, high_client_ops'}


def mixed(name, values, of_x86=None, of_arm=None):
    """Return a scene of which both sides have a field's two values."""
    found = Scene({W: 0.5})
    for group, counts in (('x86', of_x86), ('arm', of_arm)):
        more = {'mixed': {name: counts}} if counts else {}
        found.change(of(group), manifest={**values, **more})
    return found


def confounder(scene, name):
    found = compare(scene.side('x86'), scene.side('arm'))
    fields = [c for c in found.confounders if c.field == name]
    return (fields[0].baseline, fields[0].candidate) if fields else None


def test_opposite_mixtures_differ():
    drives = {'drives': ['hdd', 'ssd']}
    found = mixed('drives', drives, {'hdd': 23, 'ssd': 1},
                  {'hdd': 1, 'ssd': 23})  # fmt: skip
    told = ('hdd (96%)', 'ssd (4%)'), ('ssd (96%)', 'hdd (4%)')
    assert confounder(found, 'drives') == told
    same = mixed('drives', drives, {'hdd': 12, 'ssd': 12},
                 {'hdd': 6, 'ssd': 6})  # fmt: skip
    assert confounder(same, 'drives') is None


def test_options_that_vary_within_both_sides_are_told():
    name = 'settings.osd_mclock_profile'
    unknown = mixed(name, {'settings': PROFILES})
    text = ('balanced or high_client_ops (shares unknown)',)
    assert confounder(unknown, name) == (text, text)
    counts = {'balanced': 3, 'high_client_ops': 1}
    known = mixed(name, {'settings': PROFILES}, counts, counts)
    assert confounder(known, name) is None


def test_many_values_are_not_all_named():
    name = 'osd_mclock_max_capacity_iops_hdd'
    counts = {f'{300 + n}': 1 for n in range(24)}
    values = {'settings': {name: ', '.join(counts)}}
    found = mixed(f'settings.{name}', values, counts)
    baseline, candidate = confounder(found, f'settings.{name}')
    assert baseline == ('300 (4%)', '301 (4%)', '302 (4%)', '21 other values')
    assert candidate == (
        '300 or 301 or 302 or 21 other values (shares unknown)',
    )


def test_memory_is_the_mean_over_osds():
    small, large = 64 * 2**20, 128 * 2**20
    both = {'mem_total_kb': [small, large]}
    found = mixed('mem_total_kb', both, {str(small): 3, str(large): 1},
                  {str(small): 1, str(large): 3})  # fmt: skip
    told = ('80.0 GiB',), ('112.0 GiB',)
    assert confounder(found, 'mem_total_kb') == told
    text = ('64.0 GiB to 128.0 GiB (shares unknown)',)
    assert confounder(mixed('', both), 'mem_total_kb') == (text, text)


@pytest.mark.parametrize(
    'x86, arm, text',
    [
        (None, None, '19.2 or 20.2 (shares unknown) for x86'),
        (
            {'19.2.1': 1, '20.2.4': 3},
            {'19.2.1': 3, '20.2.4': 1},
            'release: 20.2 (75%) or 19.2 (25%) for x86, '
            '19.2 (75%) or 20.2 (25%) for arm',
        ),
        ({'19.2.1': 1, '20.2.4': 1}, {'19.2.1': 3, '20.2.4': 3}, ''),
    ],
)
def test_releases_in_unequal_parts_are_a_reason(x86, arm, text):
    versions = {'ceph_version': ['19.2.1', '20.2.4']}
    found = mixed('ceph_version', versions, x86, arm)
    assert reasons(found) == (['settings'] if text else [])
    assert text in first_row(found).estimate.detail


def test_group_of_several_values_does_not_differ_from_itself():
    """A control of a former version, which did not count the values."""
    values = {
        'ceph_version': ['19.2.1', '20.2.4'],
        'compression': 'none, force (snappy)',
        'mem_total_kb': [64 * 2**20, 128 * 2**20],
        'settings': PROFILES,
    }
    found = Scene({W: 0.5}, control=True).change(lambda _: True, values)
    assert reasons(found) == []
    both = compare(found.side('x86'), found.side('arm')).confounders
    kept = {c.field for c in both}
    assert kept.isdisjoint({*values, 'settings.osd_mclock_profile'})
    newer = {'ceph_version': ['20.2.4']}
    assert reasons(found.change(of('arm'), newer)) == ['settings']


def test_versions_of_one_release_are_no_reason():
    versions = {'ceph_version': ['20.2.3', '20.2.4']}
    assert reasons(mixed('ceph_version', versions)) == []


def stored(x86, arm, key='size', across=()):
    """Compare two runs, whose rounds have the given values."""
    sides = []
    for run, group, values in (('r1', 'x86', x86), ('r2', 'arm', arm)):
        scene = Scene({W: 0.5}, rounds=len(values), run=run)
        for trial in scene.trials:
            trial.manifest[key] = values[trial.round - 1]
        sides.append(scene.side(group))
    return compare(*sides, across=across)


def test_sizes_of_stored_runs_are_compared_by_their_parts():
    found = stored([3, 3, 3, 2], [3, 2, 2, 2]).rows[0].estimate
    assert 'pool size: 3 (75%) or 2 (25%) for x86, 2 (75%) or 3 (25%)' in (
        found.detail
    )
    assert stored([3, 3, 2, 2], [2, 3, 2, 3]).rows[0].reasons == ()


def test_codes_are_compared_by_what_both_runs_recorded():
    was = 'k=4 m=2 plugin=clay'
    now = 'k=4 m=2 d=5 plugin=clay'
    other = 'k=4 m=2 d=4 plugin=clay'

    def holds(x86, arm):
        found = stored([x86] * 6, [arm] * 6, 'ec_profile')
        fields = [c.field for c in found.confounders]
        return bool(found.rows[0].reasons), 'ec_profile' in fields

    assert holds(was, now) == holds(other, was) == (False, False)
    assert holds(now, other) == (True, True)
    assert holds(was, 'k=4 m=2 plugin=isa') == (True, True)


def test_a_code_that_one_run_did_not_record_hides_no_difference_of_others():
    was = 'k=4 m=2 plugin=clay'
    now = 'k=4 m=2 d=5 plugin=clay'
    other = 'k=4 m=2 d=4 plugin=clay'

    def holds(x86, arm):
        found = stored(x86, arm, 'ec_profile')
        return bool(found.rows[0].reasons)

    assert holds([was] + [now] * 5, [other] * 6)
    assert not holds([was] + [now] * 5, [now] * 6)
    assert not holds([was] + [now] * 5, [was] * 2 + [now] * 4)


def test_codes_of_several_profiles_are_each_compared_by_what_was_recorded():
    small = 'k=4 m=2 plugin=clay', 'k=4 m=2 d=5 plugin=clay'
    large = 'k=8 m=3 plugin=clay', 'k=8 m=3 d=10 plugin=clay'
    coded = EcTexts((*small, *large))
    assert [coded.of(text) for text in small] == [small[0]] * 2
    assert [coded.of(text) for text in large] == [large[0]] * 2
    coded = EcTexts((*small, *large, 'k=8 m=3 d=9 plugin=clay'))
    assert [coded.of(text) for text in small] == [small[0]] * 2
    assert [coded.of(text) for text in large] == list(large)


def test_blocks_are_compared_one_by_one():
    scene = Scene({W: 0.5}, rounds=6)
    scene.change(lambda t: t.round > 3, manifest={'size': 3})
    assert reasons(scene) == []
    crossed = Scene({W: 0.5}, rounds=6)
    crossed.change(
        lambda t: (t.round > 3) == (t.group == 'arm'), manifest={'size': 3}
    )
    assert 'for arm, but not in each block' in (
        first_row(crossed).estimate.detail
    )


def test_stored_runs_from_other_load_hosts_are_not_compared():
    several = ['load1, load2, load3'] * 6
    found = stored(['load1'] * 6, several, 'client_host')
    assert found.rows[0].estimate.verdict_text == 'inconclusive (settings)'
    assert found.rows[0].estimate.detail == (
        'settings: load from: load1 for x86, load1 + load2 + load3 for arm'
    )
    (text,) = [w for w in found.warnings if 'client hosts' in w]
    assert text == (
        '1 of 1 rows ran from several client hosts: load1, load2, load3'
    )
    meant = stored(
        ['load1'] * 6, several, 'client_host', across=('client_host',)
    )
    assert meant.rows[0].estimate.verdict_text == 'slower'
    assert meant.across[0].baseline == ('load1',)


def retuned(groups, first='balanced', later='high_client_ops', **kwargs):
    """Return a scene in which an option is another one from round 4 on."""
    name = kwargs.pop('name', 'osd_mclock_profile')
    scene = Scene({W: 0.5})
    for trial in scene.trials:
        new = trial.round > 3 and trial.group in groups
        trial.manifest['settings'] = {name: later if new else first}
    return scene


def test_option_that_is_changed_for_one_side_within_a_row_is_a_reason():
    found = retuned(['arm'])
    assert reasons(found) == ['settings']
    assert first_row(found).estimate.detail == (
        'settings: osd_mclock_profile was changed within the row: balanced, '
        'from round 4 high_client_ops of arm'
    )
    meant = ('settings.osd_mclock_profile',)
    assert reasons(found, across=meant) == []


def test_option_that_is_changed_for_both_is_noted():
    (found,) = first_row(retuned(['x86', 'arm'])).reasons
    assert not found.holds
    assert 'from round 4 high_client_ops of x86' in found.evidence


@pytest.mark.parametrize(
    'settings, holds', [(None, False), ({}, False), ('balanced', True)]
)
def test_change_is_a_reason_where_the_other_stored_side_is_known(
    settings, holds
):
    name = 'osd_mclock_profile'
    both = settings and {name: settings}
    values = [{name: 'balanced'}] * 3 + [{name: 'high_client_ops'}] * 3
    row = stored(values, [both] * 6, 'settings').rows[0]
    (found,) = row.reasons
    assert (found.id, found.holds) == ('settings', holds)
    assert 'from round 4 high_client_ops of x86' in found.evidence


def test_option_that_differs_all_the_time_is_no_change():
    scene = Scene({W: 0.5})
    other = {'settings': {'osd_mclock_profile': 'high_client_ops'}}
    assert first_row(scene.change(of('arm'), manifest=other)).reasons == ()


def test_what_cephadm_tunes_is_no_reason():
    tuned = retuned(['arm'], '4294967296', '5368709120',
                    name='osd_memory_target')  # fmt: skip
    assert first_row(tuned).reasons == ()


def test_fields_that_one_side_recorded_are_named():
    scene = Scene({W: 0.5})
    more = {'kernel': ['6.8'], 'fill': 0.5}
    scene.change(of('x86'), manifest=more)
    scene.change(of('arm'), manifest={'settings': None, 'drives': ['ssd']})
    missing = compare(scene.side('x86'), scene.side('arm')).missing
    assert [text for text in missing if text.startswith('not compared')] == [
        'not compared, recorded for x86 only: kernel, fill, settings',
        'not compared, recorded for arm only: drives',
    ]
