"""Differences of OSD counters around a trial."""

from perfcompare.metrics import osd_sample
from perfcompare.metrics.settling import removing, state_of, unsettled

from ..fakes.cluster import FakeCluster


def dump(op_w=0, lat=(0.0, 0), removing=0, running=0):
    return {
        'osd': {
            'op_w': op_w,
            'op_w_latency': {'avgcount': lat[1], 'sum': lat[0]},
            'numpg_removing': removing,
        },
        'rocksdb': {'compact_running': running},
    }


def sample(**values):
    return osd_sample.OsdSample(dump(**values))


def test_counters_are_differences_and_averages_are_of_the_interval():
    found = osd_sample.difference(
        sample(op_w=10, lat=(1.0, 10)), sample(op_w=110, lat=(3.0, 110))
    )
    assert found['op_w'] == 100
    assert found['op_w_latency'] == 0.02


def test_a_mean_of_which_only_the_number_counts_is_a_count():
    def taken(number):
        name = 'l_osd_recovery_push_queue_latency'
        return osd_sample.OsdSample(
            {'osd': {name: {'avgcount': number, 'sum': 0.1}}}
        )

    found = osd_sample.difference(taken(3), taken(10))
    assert found['recovery_pushes'] == 7


def test_restarted_osd_has_no_figures():
    assert osd_sample.difference(sample(op_w=10), sample(op_w=2)) is None


def test_silent_osd_has_no_figures():
    assert osd_sample.difference(None, sample()) is None
    assert osd_sample.trial_evidence({1: sample()}, {1: None}) == {'1': None}


def test_latency_without_operations_is_absent():
    assert 'op_w_latency' not in osd_sample.difference(sample(), sample())


def test_unsettled_names_what_osds_still_do():
    assert unsettled({0: sample()}) == []
    # also what was there before the run: it takes their time like ours
    assert unsettled({0: sample(removing=3)}) == ['osd.0 removes 3 PGs']
    assert unsettled({1: sample(running=1)}) == ['osd.1 compacts']
    assert unsettled({1: None}) == ['osd.1 does not answer']


def test_removal_that_was_there_before_is_not_ours():
    before = {0: sample(removing=2), 1: None}
    assert removing({0: sample(removing=2), 1: sample()}, before) == []
    assert removing({1: None}, before) == ['osd.1 does not answer']
    now = {0: sample(removing=5), 1: sample(removing=1)}
    assert removing(now, before) == [
        'osd.0 removes 3 PGs',
        'osd.1 removes 1 PG',
    ]


def test_cache_share_is_of_bytes_and_over_all_osds():
    def osd(hit, miss):
        return {'buffer_hit_bytes': hit, 'buffer_miss_bytes': miss}

    share = osd_sample.cache_share
    assert share({'0': osd(95, 5)}) == 0.95
    assert share({'0': osd(90, 0), '1': osd(0, 30)}) == 0.75
    assert share({'0': osd(1, 2)}) == 0.3333
    assert share({'0': osd(0, 7)}) == 0.0
    assert share({'0': osd(0, 0)}) is None
    assert share({'0': osd(95, 5), '1': None}) is None


def test_at_most_256_osds_are_asked_while_cooling():
    cluster = FakeCluster()
    found = state_of(cluster, range(1000), lambda: 0.0)
    assert len(found) == len(cluster.called('osd_perf_dump')) == 256
    assert list(state_of(cluster, range(1000), lambda: 0.0)) == list(found)
