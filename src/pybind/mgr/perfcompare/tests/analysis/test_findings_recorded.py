"""Findings in evidence that was recorded on real clusters.

The trials are of a mini cluster whose OSDs, drives, load processes or
neighbors were held or busy on purpose, on a machine with two cores and a
load average of 30. Slow links, swapping, stolen CPU time and heat cannot be
provoked there: those rules are held against recorded pages of node_exporter,
their counters moved on.
"""

import json
from pathlib import Path

import pytest

from ...analysis.findings.evaluate import evaluate
from ...model.trial import Trial, TrialState
from ...worker.scrape.exposition import parse
from ...worker.scrape.node import reading
from ...worker.scrape.summary import summarize
from ..data.comparison_data import make_summary
from ..data.findings_data import HOSTS, make_trial, on_hosts
from ..data.recorded_exporter import PAGE, SENSORS

RECORDED = json.loads(
    (Path(__file__).parents[1] / 'data' / 'recorded_trials.json').read_text(
        'utf-8'
    )
)


def trial_of(recorded):
    summary = dict(recorded['summary'])
    return Trial(
        run='0a1b2c3d',
        round=1,
        block=0,
        attempt=1,
        position=0,
        workload='write-4K-c16',
        group='held',
        started=0.0,
        ended=10.0,
        state=TrialState.OK,
        summary=make_summary(summary.pop('ops_per_s'), **summary),
        manifest=recorded['manifest'],
        evidence=recorded['evidence'],
    )


def name(recorded):
    expected = recorded['expected']
    return expected['limit'] + ' outlier' * bool(expected['outliers'])


@pytest.mark.parametrize('recorded', RECORDED, ids=name)
def test_what_was_provoked_is_found_and_nothing_else(recorded):
    found = evaluate(trial_of(recorded))
    expected = recorded['expected']
    assert found['limit'] == expected['limit'], found['items']
    outliers = [one['osd'] for one in found['outliers']]
    assert outliers == expected['outliers']


def test_ten_clean_trials_are_among_them():
    clean = [
        r
        for r in RECORDED
        if r['expected'] == {'limit': 'none found', 'outliers': []}
    ]
    assert len(clean) >= 10


def later(page, seconds, rates):
    """Return a recorded page as it is ``seconds`` later.

    ``rates`` are by how much series grow in a second, by the beginning of
    their lines.
    """

    def grown(line):
        for start, rate in rates.items():
            if line.startswith(start):
                series, value = line.rsplit(' ', 1)
                return f'{series} {float(value) + rate * seconds:.6f}'
        return line

    return '\n'.join(map(grown, page.splitlines())) + '\n'


def cpus(mode, share):
    """Return rates of both CPUs that are idle, but for one mode."""
    rates = {}
    for cpu in (0, 1):
        series = f'node_cpu_seconds_total{{cpu="{cpu}",mode='
        rates[f'{series}"{mode}"'] = share
        rates[f'{series}"idle"'] = 1.0 - share
    return rates


def figures(page, rates):
    """Return what ten seconds of a page say of a host, idle if not told."""
    rates = {**cpus('user', 0.0), **rates}
    readings = [
        (at, reading(parse(later(page, at, rates)).samples, at))
        for at in (0.0, 5.0, 10.0)
    ]
    return summarize(readings, (0.0, 10.0))


def holds(found, rule, limit):
    """Say that of all rules this one alone holds, or none does."""
    ids = [one['id'] for one in found['items']]
    assert (found['limit'], ids) == (limit, [rule] if rule else [])
    for one in found['items']:
        assert one['places'] == [len(HOSTS), len(HOSTS)]


@pytest.mark.parametrize(
    'rate, limit', [(1.2e9, 'network'), (0.6e9, 'none found')]
)
@pytest.mark.parametrize('way', ['receive', 'transmit'])
def test_a_link_near_its_speed_is_the_limit(way, rate, limit):
    counter = f'node_network_{way}_bytes_total{{device="eth1"}}'
    nics = figures(PAGE, {counter: rate})['nics']
    assert nics['eth1']['speed_bytes_per_s'] == 1.25e9
    found = evaluate(on_hosts(make_trial(), nics=nics))
    holds(found, 'network-link' if limit == 'network' else '', limit)
    if found['items']:
        assert found['items'][0]['value'] == pytest.approx(0.96)


CORES = 'node_cpu_core_throttles_total'
SWAPPED = 'node_vmstat_pswpin'


@pytest.mark.parametrize(
    'rates, figure, value, rule, limit',
    [
        (cpus('steal', 0.25), 'cpu_steal', 0.25, 'cpu-steal', 'CPU'),
        (cpus('steal', 0.05), 'cpu_steal', 0.05, '', 'none found'),
        (
            {SWAPPED: 512.0},  # pages of 4 KiB
            'swap_in_bytes_per_s', 2.0 * 2**20, 'memory-swap', 'memory',
        ),
        ({SWAPPED: 128.0}, 'swap_in_bytes_per_s', 2.0**19, '', 'none found'),
        # four cores count by themselves
        ({CORES: 0.5}, 'throttled', 2.0, 'cpu-throttled', 'CPU'),
        ({CORES: 0.1}, 'throttled', 0.4, '', 'none found'),
        (
            {'node_cpu_package_throttles_total{package="1"}': 3.0},
            'throttled', 3.0, 'cpu-throttled', 'CPU',
        ),
    ],
)  # fmt: skip
def test_what_no_test_can_provoke_is_found(rates, figure, value, rule, limit):
    host = figures(SENSORS, rates)
    assert host[figure] == pytest.approx(value)
    found = evaluate(on_hosts(make_trial(), **{figure: host[figure]}))
    holds(found, rule, limit)


def test_heat_is_of_processors_and_power_of_all_their_parts():
    rates = {
        'node_rapl_package_joules_total': 150.0,
        'node_rapl_dram_joules_total': 10.0,
    }
    host = figures(SENSORS, {**cpus('user', 0.5), **rates})
    assert host['temperature'] == 74.0  # the drive has 81.85
    assert host['ghz'] == 3.9
    assert (host['watts'], host['watts_source']) == (
        pytest.approx(320.0),
        'rapl',
    )
    assert host['cpu_busy'] == pytest.approx(0.5)


def test_a_counter_of_energy_that_began_anew_gives_no_power():
    host = figures(SENSORS, {'node_rapl_package_joules_total': -30000.0})
    assert 'watts' not in host
    assert host['temperature'] == 74.0
