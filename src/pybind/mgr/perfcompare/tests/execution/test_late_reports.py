"""Queries that a late report brought back are forgotten."""

from perfcompare.ceph import pool_query, tenant_query
from perfcompare.ceph.osd_reads import MgrOsdReads
from perfcompare.execution.late_reports import LATE, TURNS, LateReports

from ..fakes.clock import FakeClock
from ..fakes.cluster import FakeCluster


class Collector:
    """Be ceph-mgr's memory of OSD perf queries, by what it does."""

    def __init__(self):
        self.kept = {}  # query: those that read it
        self._last = 0

    def add_osd_perf_query(self, query):
        self._last += 1
        self.kept.setdefault(str(query), set()).add(self._last)
        return self._last

    def remove_osd_perf_query(self, number):
        for query, readers in list(self.kept.items()):
            if number in readers:
                readers.remove(number)
                if not readers:
                    del self.kept[query]

    def report(self, query):
        """Take a report up, of whatever query."""
        self.kept.setdefault(str(query), set())


def test_what_a_late_report_brought_back_is_forgotten():
    mgr = Collector()
    reads = MgrOsdReads(mgr, None)
    reads.traffic_end(reads.traffic_begin())
    mgr.report(tenant_query.QUERY)
    mgr.report(pool_query.QUERY)
    assert len(mgr.kept) == 2
    reads.perf_queries_forget()
    assert mgr.kept == {}


def test_a_query_that_is_read_stays():
    mgr = Collector()
    reads = MgrOsdReads(mgr, None)
    number = reads.traffic_begin()
    reads.perf_queries_forget()
    assert mgr.kept == {str(tenant_query.QUERY): {number}}


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
