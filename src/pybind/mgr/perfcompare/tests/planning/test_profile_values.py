"""Tests of the values that profiles and options are made of."""

import pytest

from perfcompare.common.errors import InvalidArgument
from perfcompare.model.workload import Concurrency
from perfcompare.planning.profiles import values as profile_values


def test_concurrency_in_all_and_for_each_osd() -> None:
    assert profile_values.concurrency('16') == Concurrency(16)
    assert profile_values.concurrency('4/osd') == Concurrency(4, True)
    assert profile_values.concurrency('4 / OSD').total(12) == 48


@pytest.mark.parametrize(
    'text', ['', '4/host', '-1', '1.5', 'x', '0', '4097']
)
def test_bad_concurrency(text: str) -> None:
    with pytest.raises(InvalidArgument) as error:
        profile_values.concurrency(text)
    assert text in str(error.value)
