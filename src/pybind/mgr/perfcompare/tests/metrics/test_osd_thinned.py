"""Reports of long trials take little room in the Manager."""

import math

import pytest

from perfcompare.metrics import osd_series
from perfcompare.metrics.osd_counters import BY_NAME, Kind, series_paths
from perfcompare.metrics.osd_series import KEPT, SeriesReader
from perfcompare.tests.memory import traced

PATHS = series_paths({})


class Cluster:
    """Have OSDs that report every 5 s, each operation of 2 ms."""

    def __init__(self):
        self.reports = 0

    def osd_counter_history(self, osd, paths):
        every = range(max(0, self.reports - KEPT), self.reports)
        names = dict(zip(PATHS.values(), PATHS))
        return {
            path: [
                (
                    [999.0 + 5 * i + osd / 9, 2e6 * i, i]
                    if BY_NAME[names[path]].kind is Kind.MEAN
                    else [999.0 + 5 * i + osd / 9, i]
                )
                for i in every
            ]
            for path in paths
        }

    def report(self, reader, times):
        for _ in range(times // 10):
            self.reports += 10
            reader.read(0.0, lambda seconds: None)


def test_a_report_takes_little_memory():
    cluster = Cluster()
    reader = SeriesReader(cluster, range(4), PATHS, 1000.0)
    with traced('*/perfcompare/metrics/*', __file__) as held:
        cluster.report(reader, 200)
        assert 0 < held() / 4 / 200 < 30 * len(PATHS)
    assert reader.gap == 0.0
    assert len(reader.tables()[0].t) == 199


@pytest.fixture
def few(monkeypatch):
    monkeypatch.setattr(osd_series, 'MOST', 200)


def test_reports_of_all_osds_are_bounded_and_none_is_lost(few):
    cluster = Cluster()
    reader = SeriesReader(cluster, range(4), PATHS, 1000.0)
    cluster.report(reader, 400)
    tables = reader.tables()
    assert len(tables) == 4
    assert sum(len(t.t) for t in tables.values()) <= 200
    for osd, table in tables.items():
        ops = table.column('op_w').values
        # the newest report is always there
        assert table.t[-1] == pytest.approx(-1 + 5 * 399 + osd / 9, abs=0.01)
        assert sum(ops) == 399 and not any(map(math.isnan, ops))
        waits = table.column('op_w_latency').values
        assert list(waits) == pytest.approx([0.002] * len(waits))
        steps = [b - a for a, b in zip(table.t, table.t[1:-1])]
        assert min(steps) >= reader.gap > 5.0


def test_a_short_trial_has_every_report(few):
    cluster = Cluster()
    reader = SeriesReader(cluster, range(4), PATHS, 1000.0)
    cluster.report(reader, 50)
    assert reader.gap == 0.0
    assert len(reader.tables()[3].t) == 49
