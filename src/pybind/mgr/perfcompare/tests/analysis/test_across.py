"""Comparisons that go across a release, media or a setting, on purpose."""

import pytest

from ...analysis.across import intended
from ...analysis.comparison import compare
from ...analysis.verdict import Verdict
from ...common.errors import InvalidArgument
from ...report.text import render
from ..data.comparison_data import Scene, of

W = 'write-4K-c16'


def scene(**manifest):
    return Scene({W: 0.5}).change(of('arm'), manifest=manifest)


def compared(found, *across):
    return compare(found.side('x86'), found.side('arm'), across=across)


def test_releases_are_judged_when_that_is_what_is_compared():
    other = scene(ceph_version=['19.2.1'])
    (row,) = compared(other).rows
    assert row.estimate.verdict is Verdict.INCONCLUSIVE
    found = compared(other, 'release')
    assert found.rows[0].estimate.verdict is Verdict.SLOWER
    (across,) = found.across
    assert (across.baseline, across.candidate) == (('20.2.4',), ('19.2.1',))
    assert 'ACROSS release: 20.2.4 → 19.2.1' in render(found)


def test_what_differs_besides_stays_a_reason():
    both = scene(ceph_version=['19.2.1'], size=3)
    (row,) = compared(both, 'release').rows
    assert row.estimate.verdict is Verdict.INCONCLUSIVE
    assert 'pool size' in str(row.reasons)
    assert 'release' not in str(row.reasons)


def test_what_does_not_differ_is_said():
    found = compared(scene(), 'release')
    assert found.across[0].baseline == ()
    assert 'nothing of it differs' in render(found)


def test_links_of_hosts_are_a_difference_that_can_be_meant():
    differing = scene(network=['25 Gbit/s'])
    differing.change(of('x86'), manifest={'network': ['10 Gbit/s']})
    (field,) = [
        c for c in compared(differing).confounders if c.field == 'network'
    ]
    assert (field.baseline, field.candidate) == (
        ('10 Gbit/s',),
        ('25 Gbit/s',),
    )
    found = compared(differing, 'network')
    assert found.across[0].candidate == ('25 Gbit/s',)
    assert 'ACROSS network: 10 Gbit/s → 25 Gbit/s' in render(found)


def test_blocks_of_two_load_hosts_count_where_that_is_compared():
    differing = scene(client_host='c2')
    found = compared(differing)
    assert found.rows[0].estimate.reason == '0 of 6 blocks'
    assert (
        '(--across client_host compares them)' in found.incomplete_blocks[0]
    )
    found = compared(differing, 'client_host')
    assert found.rows[0].estimate.verdict is Verdict.SLOWER
    assert found.incomplete_blocks == ()
    (across,) = found.across
    assert (across.baseline, across.candidate) == (('c1',), ('c2',))
    assert not any('stratum' in line for line in found.warnings)


@pytest.mark.parametrize('word', ['settings', 'settings.osd_mclock_profile'])
def test_settings_are_named_one_by_one_or_all(word):
    differing = scene(settings={'osd_mclock_profile': 'high_client_ops'})
    found = compared(differing, word)
    marked = [c.field for c in found.confounders if c.intended]
    assert marked == ['settings.osd_mclock_profile']
    assert found.across[0].candidate == (
        'settings.osd_mclock_profile high_client_ops',
    )


def test_unknown_words_are_refused_with_those_that_are_known():
    with pytest.raises(InvalidArgument, match="--across 'colour'.*release"):
        intended(['colour'])
    assert intended(['kernel', 'media']) == ('kernel', 'drives', 'rotational')


@pytest.mark.parametrize(
    'field', ['size_bytes', 'gateway_host', 'gateway_urls', 'mixed']
)
def test_fields_that_are_never_compared_are_refused(field):
    known = 'arch, balancer, cache_regime.*load_tools, mem_total_kb'
    with pytest.raises(InvalidArgument, match=known):
        intended([field])


@pytest.mark.parametrize(
    'field, called, values',
    [
        ('load_tools', 'load tools', (['fio 3.41'], ['fio 3.36'])),
        ('mgr_pool_osds', "holds the Manager's pool", ([], [3])),
        ('fill', 'fill', (0.2, 0.6)),
    ],
)
def test_fields_are_meant_by_their_keys(field, called, values):
    differing = Scene({W: 0.5})
    for group, value in zip(('x86', 'arm'), values):
        differing.change(of(group), manifest={field: value})
    found = compared(differing, field)
    (marked,) = [c for c in found.confounders if c.intended]
    assert marked.field == called
    assert found.across[0].baseline == marked.baseline


@pytest.mark.parametrize('field', ['cache_share', 'cache_regime'])
def test_caches_that_differ_are_judged_when_that_is_compared(field):
    values = {
        'cache_share': ((0.95, 0.2), ('95%',), ('20%',)),
        'cache_regime': (('cached', 'mixed'), ('cached',), ('mixed',)),
    }
    found, *shown = values[field]
    differing = Scene({'rand-4K-c16': 0.5})
    for group, value in zip(('x86', 'arm'), found):
        manifest = {'cache_share': None, field: value}
        differing.change(of(group), manifest=manifest)
    assert compared(differing).rows[0].estimate.reason == 'cache'
    judged = compared(differing, field)
    assert judged.rows[0].estimate.verdict is Verdict.SLOWER
    (across,) = judged.across
    assert [across.baseline, across.candidate] == shown


@pytest.mark.parametrize(
    'field, why',
    [
        ('primaries_max_mean', 'placement'),
        ('tenant_ops_per_s', 'load_limit_ops'),
    ],
)
def test_evidence_of_other_reasons_cannot_be_meant(field, why):
    with pytest.raises(InvalidArgument, match=why):
        intended([field])


def test_what_a_side_did_not_record_is_not_called_equal():
    def told(field, **manifest):
        (across,) = compared(scene(**manifest), field).across
        return across.baseline, across.candidate

    nothing = ('not recorded',)
    assert told('kernel') == (nothing, nothing)
    assert told('kernel', kernel=['6.8']) == (nothing, ('6.8',))
    assert told('fill', fill=0.25) == (nothing, ('25%',))
    assert told('media', drives=['ssd']) == (nothing, ('recorded',))
    assert told('size') == ((), ())
    text = render(compared(scene(kernel=['6.8']), 'kernel'))
    assert 'ACROSS kernel: not recorded → 6.8' in text
