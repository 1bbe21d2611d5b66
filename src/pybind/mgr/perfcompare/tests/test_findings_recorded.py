"""Findings in evidence that was recorded on real clusters.

The trials are of a mini cluster whose OSDs, drives, load processes or
neighbors were held or busy on purpose, on a machine with two cores and a
load average of 30. A slow link cannot be provoked there: that rule is held
against a recorded page of node_exporter, its counters moved on.
"""

import json
import re
from pathlib import Path

import pytest

from ..analysis.findings.evaluate import evaluate
from ..models.trial import Trial, TrialState
from ..worker.scrape.exposition import parse
from ..worker.scrape.node import reading
from ..worker.scrape.summary import summarize
from .comparison_data import make_summary
from .findings_data import HOSTS, make_trial, on_hosts
from .recorded_exporter import PAGE

RECORDED = json.loads(
    Path(__file__).with_name('recorded_trials.json').read_text('utf-8')
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


def page(seconds, **rates):
    """Return the recorded page as it is ``seconds`` later."""

    def later(match):
        value = float(match.group(3))
        grown = rates.get(match.group(1), 0.0) * seconds
        return f'{match.group(1)}{match.group(2)} {value + grown:.0f}'

    device = r'(\{device="eth1"\})'
    return re.sub(rf'(node_network_\w+_total){device} (\S+)', later, PAGE)


@pytest.mark.parametrize(
    'rate, limit', [(1.2e9, 'network'), (0.6e9, 'none found')]
)
@pytest.mark.parametrize('way', ['receive', 'transmit'])
def test_a_link_near_its_speed_is_the_limit(way, rate, limit):
    counter = f'node_network_{way}_bytes_total'
    readings = [
        (at, reading(parse(page(at, **{counter: rate})).samples, at))
        for at in (0.0, 5.0, 10.0)
    ]
    nics = summarize(readings, (0.0, 10.0))['nics']
    assert nics['eth1']['speed_bytes_per_s'] == 1.25e9
    found = evaluate(on_hosts(make_trial(), nics=nics))
    assert found['limit'] == limit
    if found['items']:
        assert found['items'][0]['value'] == pytest.approx(0.96)
        assert found['items'][0]['places'] == [len(HOSTS), len(HOSTS)]
