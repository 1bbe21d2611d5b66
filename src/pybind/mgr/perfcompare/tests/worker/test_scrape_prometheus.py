"""Samples of a Prometheus server become readings of node_exporter."""

import json
import time

import pytest

from perfcompare.worker.scrape import prometheus
from perfcompare.worker.scrape.fetch import FetchError
from perfcompare.worker.scrape.summary import intervals, summarize


class FakePage:
    """Answer a query with series of a name, labels and values by time."""

    def __init__(self, *series):
        self._series = series

    def get(self, timeout, query):
        result = [
            {
                'metric': {'__name__': name, **labels},
                'values': [[at, str(value)] for at, value in values.items()],
            }
            for name, labels, values in self._series
        ]
        data = {'resultType': 'matrix', 'result': result}
        return json.dumps({'status': 'success', 'data': data}).encode()


def node(*times):
    """Return the series of a host that is half busy."""
    for mode in ('idle', 'user'):
        yield (
            'node_cpu_seconds_total',
            {'job': 'node', 'cpu': '0', 'mode': mode},
            {at: 0.5 * at for at in times},
        )


def power(values, **labels):
    return (
        'ipmi_dcmi_power_consumption_watts',
        {'job': 'ipmi', 'id': '1', **labels},
        values,
    )


def read(*series):
    page = FakePage(*series)
    body = prometheus.ask(page, 'h', 1000.0, 1060.0, 1.0)
    return prometheus.readings(body)


def test_another_exporter_of_the_host_takes_no_interval_apart():
    times = (1000.0, 1015.0, 1030.0, 1045.0)
    watts = {at + 3.0: 400.0 + i for i, at in enumerate(times)}
    found = read(*node(*times), power(watts))
    assert [at for at, _ in found] == list(times)
    rows = intervals(found)
    assert [i.row['cpu_busy'] for i in rows] == pytest.approx([0.5] * 3)
    # each scrape has what the other exporter told last
    assert [i.watts.get('ipmi') for i in rows] == [400.0, 401.0, 402.0]
    figures = summarize(found, (1000.0, 1045.0))
    assert figures['covered'] == figures['watts_covered'] == 1.0


def test_what_another_exporter_told_holds_for_a_while_only():
    found = read(*node(1000.0, 1100.0, 1200.0), power({999.0: 400.0}))
    assert ['ipmi_watts' in r.gauges for _, r in found] == [True, True, False]
    assert [r.held for _, r in found] == [1.0, 101.0, 0.0]
    # nor is it of a window that began after it
    assert 'watts' not in summarize(found[:2], (1000.0, 1100.0))


def test_the_last_value_of_each_sensor_is_added_once():
    found = read(
        *node(1000.0, 1015.0),
        power({1001.0: 300.0, 1006.0: 310.0}),
        power({1001.0: 20.0}, id='2'),
    )
    assert found[1][1].gauges['ipmi_watts'] == 330.0


def test_what_node_exporter_tells_itself_is_not_told_twice():
    load = ('node_load1', {'job': 'other'}, {1003.0: 7.0})
    own = ('node_load1', {'job': 'node'}, {1000.0: 2.0, 1015.0: 3.0})
    found = read(*node(1000.0, 1015.0), own, load)
    assert [r.gauges['load1'] for _, r in found] == [2.0, 3.0]


def test_without_node_exporter_there_is_no_reading():
    assert read(power({1000.0: 400.0, 1015.0: 400.0})) == []


def test_reading_ends_when_the_time_is_over():
    body = FakePage(*node(1000.0)).get(1.0, '')
    assert prometheus.readings(body, (), time.monotonic() + 60.0)
    with pytest.raises(FetchError, match='the time to read it is over'):
        prometheus.readings(body, (), time.monotonic() - 1.0)


@pytest.mark.parametrize('body', ['[' * 100_000, 'no'])
def test_what_is_no_json_is_a_failure(body):
    with pytest.raises(FetchError, match='did not answer with JSON'):
        prometheus._answer(body.encode())


def test_a_moment_that_is_none_is_a_failure():
    with pytest.raises(FetchError, match='no known form'):
        read(power({10**400: 1.0}))
