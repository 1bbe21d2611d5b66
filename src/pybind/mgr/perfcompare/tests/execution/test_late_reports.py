"""Queries that a late report brought back are forgotten."""

from perfcompare.ceph import idle_query, pool_query, tenant_query
from perfcompare.ceph.osd_reads import MgrOsdReads
from perfcompare.execution.late_reports import LATE, TURNS, LateReports

from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster


class Collector:
    """Be ceph-mgr and an OSD as far as they remember perf queries."""

    def __init__(self):
        self.kept = {}  # query: those that read it
        self.osd = set()  # what the OSD counts for
        self._last = 0

    def add_osd_perf_query(self, query):
        self._last += 1
        self.kept.setdefault(str(query), set()).add(self._last)
        self._tell()
        return self._last

    def remove_osd_perf_query(self, number):
        for query, readers in list(self.kept.items()):
            if number in readers:
                readers.remove(number)
                if not readers:
                    del self.kept[query]
        self._tell()

    def _tell(self):
        if self.kept:  # of nothing an OSD takes no notice
            self.osd = set(self.kept)

    def report(self):
        """Have the OSD report, and take that up, of whatever query."""
        for query in self.osd - {str(idle_query.QUERY)}:
            self.kept.setdefault(query, set())


def test_what_ended_is_forgotten_by_the_mgr_and_by_osds():
    mgr = Collector()
    reads = MgrOsdReads(mgr, None)
    reads.pool_latency()
    reads.traffic_end(reads.traffic_begin())
    reads.pool_latency_end()
    mgr.report()
    assert mgr.kept and mgr.osd  # as it is without us
    for _ in range(2):
        reads.perf_queries_forget()
        assert set(mgr.kept) == mgr.osd == {str(idle_query.QUERY)}
        mgr.report()


def test_what_the_osds_of_a_former_mgr_count_for_is_forgotten():
    mgr = Collector()
    mgr.osd = {str(pool_query.QUERY), str(tenant_query.QUERY)}
    mgr.report()
    MgrOsdReads(mgr, None).perf_queries_forget()
    assert mgr.osd == {str(idle_query.QUERY)}


def test_a_query_that_nobody_ended_ends():
    """No run is active, so whoever began it has gone without a word."""
    mgr = Collector()
    reads = MgrOsdReads(mgr, None)
    reads.pool_latency()
    reads.perf_queries_forget()
    assert set(mgr.kept) == mgr.osd == {str(idle_query.QUERY)}
    assert reads.pool_latency() == {}  # begins one anew
    assert str(pool_query.QUERY) in mgr.kept


def test_a_query_that_is_read_stays():
    mgr = Collector()
    reads = MgrOsdReads(mgr, None)
    number = reads.traffic_begin()
    reads.perf_queries_forget()
    assert mgr.kept[str(tenant_query.QUERY)] == {number}
    assert str(tenant_query.QUERY) in mgr.osd


def test_a_mgr_without_queries_has_none_to_forget():
    MgrOsdReads(object(), None).perf_queries_forget()


def test_it_is_done_when_all_reports_are_in_and_after_each_run():
    cluster, clock = FakeCluster(), FakeClock()
    late = LateReports(cluster, clock)
    late.settle()
    assert not cluster.called('perf_queries_forget')
    for turn in range(TURNS):
        clock.now += LATE
        late.settle()
        late.settle()
        assert len(cluster.called('perf_queries_forget')) == turn + 1
    clock.now += 10 * LATE
    late.settle()
    assert len(cluster.called('perf_queries_forget')) == TURNS
    late.expect()
    clock.now += LATE
    cluster.fail_on('perf_queries_forget')
    late.settle()  # tried, and no harm
    assert len(cluster.called('perf_queries_forget')) == TURNS + 1
