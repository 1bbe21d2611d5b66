"""Tests of the times of a series, in a document of our own form."""

import json

import pytest

from ...worker.interop import table
from ...worker.wire.strict import Malformed
from .reading import only, read


@pytest.mark.parametrize(
    't, started',
    [
        ([1, 2, 3], None),
        # where intervals begin, and the time of a clock
        ([0, 1, 2], None),
        ([1.7e9 + 1, 1.7e9 + 2, 1.7e9 + 3], 1.7e9),
    ],
)
def test_series_lasts_from_the_begin_of_its_first_interval(t, started):
    row = {'op': 's3-get', 'series': {'t': t, 'ops': [10, 20, 30]}}
    document = {'format': table.FORMAT, 'version': 1, 'trials': [row]}
    found = only(json.dumps(document))
    assert (found.duration, found.ops_per_s) == (3.0, 20.0)
    assert found.samples.t == (1.0, 2.0, 3.0)
    assert (found.started, found.samples.start) == (started, started or 0.0)
    # what the row says itself counts
    row.update(started=1.6e9, duration=7)
    found = only(json.dumps(document))
    assert (found.duration, found.started) == (7.0, 1.6e9)
    assert found.samples.start == 1.6e9


@pytest.mark.parametrize(
    't, message',
    [
        ([1.7e9], 'one time of a clock'),
        ([1.7e12, 1.7e12 + 1000], 'not a time of the years'),
    ],
)
def test_times_of_a_clock_that_tell_no_length_are_refused(t, message):
    row = {'op': 's3-get', 'series': {'t': t, 'ops': [10] * len(t)}}
    document = {'format': table.FORMAT, 'version': 1, 'trials': [row]}
    with pytest.raises(Malformed, match=message):
        read(json.dumps(document))
