import math

import pytest

from ...analysis.curve import (
    ABOVE,
    BELOW,
    EXACT,
    Reading,
    at_limit,
    direction,
    isotonic,
    offered_at_limit,
    peaks,
    ratio,
)


def logs(*values):
    return [math.log(v) for v in values]


def read(rates, latencies, limit):
    found = at_limit(logs(*rates), logs(*latencies), math.log(limit))
    return math.exp(found.value), found.censored, found.points


@pytest.mark.parametrize(
    'values, expected',
    [
        ([1, 2, 3], [1, 2, 3]),
        ([3, 2, 1], [2, 2, 2]),
        ([1, 3, 2, 4], [1, 2.5, 2.5, 4]),
        ([2, 1, 5, 4, 3], [1.5, 1.5, 4, 4, 4]),
        ([5], [5]),
        ([], []),
    ],
)
def test_isotonic(values, expected):
    assert isotonic(values) == pytest.approx(expected)


def test_between_two_points_by_logarithms():
    value, censored, points = read([100, 200, 400], [1, 4, 16], 8)
    assert value == pytest.approx(200 * math.sqrt(2))
    assert (censored, points) == (EXACT, (1, 2))
    # of two points there is nothing but the line between them
    assert read([100, 200], [1, 4], 2)[0] == pytest.approx(100 * math.sqrt(2))


def test_the_bend_of_a_queue_is_followed():
    rates = [100, 150, 220, 330, 500, 750]
    for speed in (1000, 950, 900, 800):
        tails = [1 / (1 - rate / speed) for rate in rates]
        # a straight line is off by 2 to 4 percent
        assert read(rates, tails, 1.5)[0] == pytest.approx(
            speed / 3, rel=0.006
        )


def test_what_is_read_rises_with_the_limit_and_stays_between_points():
    rates, tails = [100, 101, 300, 310, 900], [1, 1.01, 1.02, 9, 9.1]
    found = [read(rates, tails, 1 + n / 100)[0] for n in range(800)]
    assert found == sorted(found)
    assert 100 <= found[0] and found[-1] <= 310


def test_at_a_point_its_own_rate():
    assert read([100, 200, 400], [1, 2, 8], 2)[0] == pytest.approx(200)


def test_beyond_the_ends_a_bound():
    assert read([100, 200], [1, 2], 2.5) == (
        pytest.approx(200),
        ABOVE,
        (1,),
    )
    assert read([100, 200], [1, 2], 0.5) == (
        pytest.approx(100),
        BELOW,
        (0,),
    )


def test_a_rate_that_falls_beyond_is_no_loss():
    # with less in flight the limit is kept as well
    assert read([100, 300, 200], [1, 2, 8], 7.9)[0] == pytest.approx(300)


def test_latencies_out_of_order_are_pooled():
    value, censored, points = read([100, 200, 400], [2, 1, 8], 1.5)
    assert value == pytest.approx(
        200 * 2 ** (math.log(1.5 / math.sqrt(2)) / math.log(8 / math.sqrt(2)))
    )
    assert (censored, points) == (EXACT, (1, 2))


@pytest.mark.parametrize(
    'first, second, lower, upper',
    [
        (EXACT, EXACT, True, True),
        (EXACT, ABOVE, True, False),
        (EXACT, BELOW, False, True),
        (ABOVE, EXACT, False, True),
        (BELOW, EXACT, True, False),
        (BELOW, ABOVE, True, False),
        (ABOVE, BELOW, False, True),
        (ABOVE, ABOVE, False, False),
        (BELOW, BELOW, False, False),
    ],
)
def test_which_way_a_ratio_may_be_off(first, second, lower, upper):
    found = ratio(Reading(1.0, first, ()), Reading(3.0, second, ()))
    assert found.x == 2.0
    assert found.low == (2.0 if lower else -math.inf)
    assert found.high == (2.0 if upper else math.inf)


def test_direction_of_rounds():
    exact, above, below, neither = (
        ratio(Reading(0.0, a, ()), Reading(0.0, b, ()))
        for a, b in ((0, 0), (0, 1), (0, -1), (1, 1))
    )
    assert direction([exact, exact]) == EXACT
    assert direction([exact, above]) == ABOVE
    assert direction([exact, below]) == BELOW
    assert direction([above, below]) is None
    assert direction([exact, neither]) is None


def test_a_peak_is_chosen_by_the_other_rounds():
    plain = logs(1, 2, 4, 3)
    freak = logs(1, 9, 4, 3)
    found = peaks([plain, plain, freak, plain])
    # what makes a point high in a round is not what chose it there
    assert found[2] == Reading(math.log(4), EXACT, (2,))


def test_a_peak_at_the_end_of_a_rise_may_be_higher():
    assert {r.censored for r in peaks([logs(1, 2, 4)] * 2)} == {ABOVE}
    flat = [logs(1, 2, 2.04)] * 2
    assert {r.censored for r in peaks(flat)} == {EXACT}


def offered(latencies, limit):
    rates = logs(100, 200, 400, 800)
    return offered_at_limit(rates, logs(*latencies), math.log(limit))


def test_offered_load_is_read_where_it_was_done():
    found = offered([1, 4, 16], 8)
    assert math.exp(found.value) == pytest.approx(200 * math.sqrt(2))
    assert (found.censored, found.points) == (EXACT, (1, 2))
    # within the limit at all of four, and beyond it at the first
    assert offered([1, 1, 1, 1], 4) == Reading(math.log(800), ABOVE, (3,))
    assert offered([5, 6], 4) == Reading(math.log(100), BELOW, (0,))


def test_a_group_that_falls_behind_has_its_figure_below_that():
    found = offered([1, 2], 4)
    assert found == Reading(math.log(200), ABOVE, (1, 2), math.log(400))
    # it did nothing of the ladder
    assert offered([], 4) == Reading(math.log(100), BELOW, (0,))


def test_who_fell_behind_where_the_other_did_not_is_slower():
    behind, all_of_it = offered([1, 2], 4), offered([1, 1, 1, 1], 4)
    slower, faster = ratio(all_of_it, behind), ratio(behind, all_of_it)
    assert slower.high == pytest.approx(math.log(400 / 800))
    assert faster.low == pytest.approx(math.log(800 / 400))
    assert direction([slower] * 3) == BELOW
    assert direction([faster] * 3) == ABOVE
    # both fell behind at one point: nothing is known
    same = ratio(behind, behind)
    assert (same.low, same.high) == pytest.approx((-math.log(2), math.log(2)))
    assert direction([same] * 3) is None
