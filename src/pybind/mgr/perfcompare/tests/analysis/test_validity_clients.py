import pytest

from ..data.comparison_data import Scene, first_row, of, reasons

W = 'write-4K-c16'


@pytest.mark.parametrize(
    'evidence',
    [
        {'client_thread_cores': 0.86},
        {'host_busy': 0.81},
    ],
)
def test_client_limit_of_the_slower_group_is_a_reason(evidence):
    scene = Scene({W: 0.5}).change(of('arm'), summary=evidence)
    found = first_row(scene).estimate
    assert found.verdict_text == 'inconclusive (client)'
    assert 'client: arm: ' in found.detail


def test_a_client_stopped_by_its_cpu_quota_is_a_reason():
    held = {'client': {'throttled': 0.6}}
    scene = Scene({W: 0.5}).change(of('arm'), evidence=held)
    found = first_row(scene).estimate
    assert found.verdict_text == 'inconclusive (client)'
    assert 'stopped the client in 60% of all periods' in found.detail


def test_a_client_whose_link_is_full_is_a_reason():
    full = {'client': {'nic': {'name': 'eth0', 'share': 0.9}}}
    scene = Scene({W: 0.5}).change(of('arm'), evidence=full)
    assert 'was 90% busy' in first_row(scene).estimate.detail
    # of a link whose speed is not known nothing is said
    unknown = {'client': {'nic': {'name': 'lo', 'share': None}}}
    assert reasons(Scene({W: 0.5}).change(of('arm'), evidence=unknown)) == []


def test_a_client_that_waits_for_a_core_is_a_reason():
    waits = {'client': {'run_queue': [0.1, 0.4], 'wanted': 0.8}}
    used = {'client_thread_cores': 0.5}
    scene = Scene({W: 0.5}).change(of('arm'), evidence=waits, summary=used)
    assert reasons(scene) == []  # who waited most did not run most
    del waits['client']['wanted']  # as in trials of former versions
    found = first_row(scene).estimate
    assert found.verdict_text == 'inconclusive (client)'
    assert 'ran or waited for a core 90% of the time' in found.detail
    # OSDs of both groups make it wait where they share its host
    scene.change(lambda t: True, manifest={'client_local_osds': [0]})
    assert reasons(scene) == []


def test_client_limit_of_both_groups_is_a_reason():
    scene = Scene({W: 0.5}).change(
        lambda t: True, summary={'client_thread_cores': 0.99}
    )
    assert reasons(scene) == ['client']


@pytest.mark.parametrize('ratio, group', [(0.5, 'x86'), (2.0, 'arm')])
def test_client_limit_of_the_faster_group_leaves_at_least(ratio, group):
    scene = Scene({W: ratio}).change(
        of(group), summary={'client_thread_cores': 0.99}
    )
    found = first_row(scene)
    assert reasons(scene) == []
    assert found.estimate.at_least
    text = 'faster' if ratio > 1 else 'slower'
    assert found.estimate.verdict_text == f'{text} (at least)'


def test_client_limit_where_no_group_is_faster_is_a_reason():
    for group in ('x86', 'arm'):
        scene = Scene({W: 1.0}, noise=0.01).change(
            of(group), summary={'client_thread_cores': 0.99}
        )
        assert reasons(scene) == ['client']


def test_client_at_its_limit_in_few_trials_is_no_reason():
    scene = Scene({W: 0.5}).change(
        lambda t: t.round < 4, summary={'client_thread_cores': 0.99}
    )
    assert reasons(scene) == []


def test_busy_host_that_carries_both_groups_is_no_client_limit():
    scene = Scene({W: 0.5}).change(lambda t: True, summary={'host_busy': 1.0})
    assert reasons(scene) == ['client']
    scene.change(lambda t: True, manifest={'client_local_osds': [0]})
    assert reasons(scene) == []
    scene.change(of('arm'), summary={'client_cores': 7.0})
    found = first_row(scene)
    assert found.estimate.verdict_text == 'inconclusive (client)'
    assert 'used 88% of all CPUs' in found.estimate.detail


def test_client_on_a_host_of_one_group_is_a_reason():
    scene = Scene({W: 0.5})
    scene.change(of('arm'), manifest={'client_local_osds': [1]})
    assert reasons(scene) == ['client locality']
    scene.change(of('x86'), manifest={'client_local_osds': [0]})
    found = first_row(scene)
    assert [(r.id, r.holds) for r in found.reasons] == [
        ('client locality', False)
    ]


def shared_by(*hosts):
    """Return evidence of trials that hosts made together: (share, busy)."""
    told = [
        {'host': f'h{n}', 'share': share, 'busy': busy}
        for n, (share, busy) in enumerate(hosts)
    ]
    return {'client': {'hosts': told}}


@pytest.mark.parametrize(
    'hosts, holds',
    [
        ([(0.5, 0.1), (0.5, 0.1)], False),
        ([(0.51, 0.1), (0.49, 0.1)], False),
        ([(0.53, 0.1), (0.47, 0.1)], True),
        ([(1.0, 0.1), (0.0, 0.1)], True),
        ([(None, 0.1), (0.5, 0.1)], False),
        ([], False),
    ],
)
def test_hosts_that_did_not_do_the_same_are_a_reason(hosts, holds):
    scene = Scene({'rand-4K-c16': 0.5})
    scene.change(of('arm'), evidence=shared_by(*hosts))
    assert ('uneven clients' in reasons(scene)) is holds


@pytest.mark.parametrize(
    'shares, parts, holds',
    [
        ((6 / 16, 5 / 16, 5 / 16), (6 / 16, 5 / 16, 5 / 16), False),
        ((6 / 16, 5 / 16, 5 / 16), (None, None, None), True),
        ((1 / 3, 1 / 3, 1 / 3), (6 / 16, 5 / 16, 5 / 16), True),
        ((0.5, 0.3, 0.2), (6 / 16, 5 / 16, 5 / 16), True),
        ((1 / 3, 1 / 3, 1 / 3), (0, 'x', -1.0), False),
    ],
)
def test_a_host_is_to_do_what_it_had_in_flight(shares, parts, holds):
    """16 operations in flight of three hosts are 6, 5 and 5."""
    evidence = shared_by(*[(share, 0.1) for share in shares])
    for host, part in zip(evidence['client']['hosts'], parts):
        host['part'] = part
    scene = Scene({'rand-4K-c16': 0.5}).change(of('arm'), evidence=evidence)
    assert ('uneven clients' in reasons(scene)) is holds


@pytest.mark.parametrize(
    'shares, flying, holds',
    [
        # the rate is kept, or is not: then each does what it has in flight
        ((1 / 3, 1 / 3, 1 / 3), (6 / 16, 5 / 16, 5 / 16), False),
        ((6 / 16, 5 / 16, 5 / 16), (6 / 16, 5 / 16, 5 / 16), False),
        ((0.5, 0.3, 0.2), (6 / 16, 5 / 16, 5 / 16), True),
        # former trials do not tell it
        ((6 / 16, 5 / 16, 5 / 16), (None, None, None), True),
    ],
)
def test_a_rate_that_is_not_kept_makes_no_host_uneven(shares, flying, holds):
    evidence = shared_by(*[(share, 0.1) for share in shares])
    for host, part in zip(evidence['client']['hosts'], flying):
        host.update(part=1 / 3, flying=part)
    scene = Scene({'rand-4K-c16': 0.5}).change(of('arm'), evidence=evidence)
    assert ('uneven clients' in reasons(scene)) is holds


def test_what_is_no_list_of_hosts_is_no_evidence():
    for told in (3, 'x', [None, 4], [{'share': 1}]):
        scene = Scene({'rand-4K-c16': 0.5})
        scene.change(of('arm'), evidence={'client': {'hosts': told}})
        assert reasons(scene) == []


def test_the_host_that_was_the_limit_is_named():
    scene = Scene({'rand-4K-c16': 0.5})
    even = shared_by((0.5, 0.2), (0.5, 0.95))
    scene.change(of('arm'), evidence=even, summary={'host_busy': 0.95})
    (found,) = [f for f in first_row(scene).reasons if f.id == 'client']
    assert found.evidence.endswith('95% busy (of several hosts, h1 most)')


@pytest.mark.parametrize(
    'ratio, larger, limited, text',
    [
        (1.6, 'arm', 'arm', 'faster (at least)'),
        (0.62, 'x86', 'x86', 'slower (at least)'),
    ],
)
def test_a_client_limit_counts_for_what_is_judged(
    ratio, larger, limited, text
):
    # the larger group does more in all, and less by each of its OSDs
    scene = Scene({W: ratio}, osds={larger: 4}).change(
        of(limited), summary={'client_thread_cores': 0.99}
    )
    found = first_row(scene)
    assert found.estimate.verdict_text == text
    assert found.per_osd.verdict_text == 'inconclusive (client)'
    assert 'client: ' + limited in found.per_osd.detail
