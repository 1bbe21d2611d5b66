"""Series of OSD counters from the reports that the mgr keeps."""

import math

from perfcompare.metrics import osd_counters
from perfcompare.metrics.osd_series import SeriesReader, window_gauges
from perfcompare.store import series_codec

from ..data.osd_data import perf_dump
from ..fakes.cluster import FakeCluster

PATHS = {
    'op_w': 'osd.op_w',
    'op_w_latency': 'osd.op_w_latency',
    'op_wip': 'osd.op_wip',
}


def history(times, ops):
    return {
        'osd.op_w': [(t, n) for t, n in zip(times, ops)],
        # 2 ms each
        'osd.op_w_latency': [(t, n * 2e6, n) for t, n in zip(times, ops)],
        'osd.op_wip': [(t, 3) for t in times],
    }


def series(*readings, began=1000.0):
    cluster = FakeCluster()
    reader = SeriesReader(cluster, [0], PATHS, began)
    for times, ops in readings:
        cluster.history[0] = history(times, ops)
        reader.read(0.0)
    return reader.tables()


def test_reports_become_differences_since_the_last_one_before_load():
    table = series(([990, 995, 1000.5, 1005.5], [0, 10, 20, 120]))[0]
    assert list(table.t) == [0.5, 5.5]
    assert list(table.column('op_w').values) == [10, 100]
    latency = table.column('op_w_latency')
    assert [round(v, 6) for v in latency.values] == [0.002, 0.002]
    assert list(table.column('op_wip').values) == [3, 3]


def test_nothing_is_counted_twice_or_missed_over_several_readings():
    table = series(
        ([999, 1004, 1009], [0, 10, 20]),
        ([1004, 1009, 1014, 1019], [10, 20, 40, 80]),
    )[0]
    assert list(table.t) == [4, 9, 14, 19]
    assert sum(table.column('op_w').values) == 80


def test_restart_is_a_gap():
    table = series(([999, 1004, 1009, 1014], [50, 60, 5, 15]))[0]
    first, second, third = table.column('op_w').values
    assert (first, third) == (10, 10)
    assert math.isnan(second)


def test_osd_that_reported_once_has_no_series():
    assert series(([1004], [10])) == {}
    assert series(([], [])) == {}


def test_kinds_of_operations_that_did_not_happen_are_left_out():
    table = series(([999, 1004], [10, 10]))[0]
    assert [c.name for c in table.columns] == ['op_w', 'op_wip']


def test_series_is_stored_in_few_bytes():
    times = [1000 + 5.003 * i for i in range(13)]
    cluster = FakeCluster()
    paths = osd_counters.series_paths({})
    cluster.history[0] = {
        path: [
            (
                (t, i * 1009, 3 * i)
                if osd_counters.BY_NAME[name].kind is osd_counters.Kind.MEAN
                else (t, i * 1009)
            )
            for i, t in enumerate(times)
        ]
        for name, path in paths.items()
    }
    reader = SeriesReader(cluster, [0], paths, 1000.0)
    reader.read(0.0)
    blob = series_codec.encode(reader.tables()[0])
    assert len(blob) < 1600


def test_gauges_are_of_the_window():
    table = series(([999, 1004, 1009], [0, 10, 20]))[0]
    assert window_gauges(table, (1003.0, 1010.0)) == {
        'op_wip_mean': 3.0,
        'op_wip_max': 3.0,
    }
    assert window_gauges(table, (2000.0, 2001.0)) == {}


def test_names_of_the_release_are_found_in_its_dump():
    dump = perf_dump(throttle_lat={'avgcount': 0, 'sum': 0})
    del dump['bluestore']['txc_throttle_lat']
    paths = osd_counters.series_paths(dump)
    assert paths['throttle_lat'] == 'bluestore.throttle_lat'
    assert 'kv_sync_lat' not in paths
    assert osd_counters.series_paths({})['throttle_lat'].endswith(
        'txc_throttle_lat'
    )


def test_names_in_the_table_are_unique():
    names = [c.name for c in osd_counters.COUNTERS]
    assert len(set(names)) == len(names)
    assert all('.' in p for c in osd_counters.COUNTERS for p in c.paths)
