"""What the rule promises, as seeded simulations of its own functions."""

import math
import random

import pytest

from ...analysis import of_blocks, ranks, verdict
from ...analysis.verdict import Verdict

CLAIMS = (Verdict.FASTER, Verdict.SLOWER)


def draw(rng, ratio, n, noise):
    """Draw log-ratios of pairs of trials with ``noise`` each."""
    sd = noise * math.sqrt(2.0)
    return [math.log(ratio) + rng.gauss(0.0, sd) for _ in range(n)]


def report(rng, ratios, n, noise, rows=None):
    """Simulate a report; return its measures and verdicts."""
    measures = [
        of_blocks.measure_blocks(draw(rng, ratio, n, noise), n, rows)
        for ratio in ratios
    ]
    found = zip(measures, verdict.family(measures))
    return measures, [verdict.judge(m, q, ()).verdict for m, q in found]


def shares(seed, ratio, n, noise, reports=60, m=18):
    """Return the shares of each verdict over reports of equal rows."""
    rng = random.Random(seed)
    counts = dict.fromkeys(Verdict, 0)
    for _ in range(reports):
        for said in report(rng, [ratio] * m, n, noise)[1]:
            counts[said] += 1
    return {said: c / (reports * m) for said, c in counts.items()}


@pytest.mark.parametrize(
    'n, coverage', [(6, 0.969), (7, 0.953), (8, 0.961), (10, 0.951)]
)
def test_interval_covers_what_it_says(n, coverage):
    rng = random.Random(n)
    rounds, hits = 4000, 0
    for _ in range(rounds):
        x = draw(rng, 1.0, n, 0.05)
        found = ranks.signed_rank_interval(x, 0.05)
        hits += found.low <= 0.0 <= found.high
    # three standard errors
    slack = 3 * math.sqrt(coverage * (1 - coverage) / rounds)
    assert abs(hits / rounds - coverage) < slack + 0.0005


@pytest.mark.parametrize('noise', [0.02, 0.05, 0.10])
def test_row_of_seven_times_is_always_found_with_six_blocks(noise):
    rng = random.Random(1)
    for _ in range(60):
        said = report(rng, [7.0] + [1.0] * 17, 6, noise)[1]
        assert said[0] is Verdict.FASTER


@pytest.mark.parametrize('n, noise', [(6, 0.05), (7, 0.05), (10, 0.05)])
def test_few_reports_without_a_difference_claim_one(n, noise):
    rng = random.Random(n)
    reports = 300
    wrong = sum(
        any(said in CLAIMS for said in report(rng, [1.0] * 18, n, noise)[1])
        for _ in range(reports)
    )
    assert wrong / reports < 0.05 + 3 * math.sqrt(0.05 * 0.95 / reports)


@pytest.mark.parametrize('ratio', [1.1, 1.3, 2.0])
def test_wrong_claims_are_few_among_all_claims(ratio):
    rng = random.Random(11)
    proportions = []
    for _ in range(150):
        said = report(rng, [1.0] * 9 + [ratio] * 9, 7, 0.05)[1]
        wrong = sum(v in CLAIMS for v in said[:9])
        wrong += sum(v is Verdict.SLOWER for v in said[9:])
        proportions.append(wrong / max(1, sum(v in CLAIMS for v in said)))
    assert sum(proportions) / len(proportions) <= 0.05


@pytest.mark.parametrize('noise', [0.02, 0.05, 0.10])
@pytest.mark.parametrize('n', [6, 10])
def test_ten_percent_is_seldom_called_no_difference(n, noise):
    found = shares(5, 1.10, n, noise)
    assert found[Verdict.NO_DIFFERENCE] <= 0.025
    assert found[Verdict.SLOWER] == 0.0


def test_power_is_that_of_the_published_table():
    small = shares(6, 1.05, 6, 0.02)
    assert small[Verdict.FASTER] == pytest.approx(0.75, abs=0.07)
    ten = shares(7, 1.10, 10, 0.05)
    assert ten[Verdict.FASTER] == pytest.approx(0.95, abs=0.03)
    none = shares(8, 1.0, 7, 0.02)
    assert none[Verdict.NO_DIFFERENCE] == pytest.approx(0.99, abs=0.02)
    noisy = shares(9, 1.0, 6, 0.05)
    assert noisy[Verdict.INCONCLUSIVE] == pytest.approx(0.69, abs=0.06)


def test_smoke_is_almost_never_wrong():
    rng = random.Random(12)
    wrong = 0
    for _ in range(1500):
        noise = rng.choice((0.02, 0.05, 0.10))
        said = report(rng, [1.0] * 6, 3, noise)[1]
        wrong += sum(v in CLAIMS for v in said)
    assert wrong / 9000 <= 0.001


@pytest.mark.parametrize(
    'ratio, noise, power',
    [
        (7.0, 0.02, 1.00),
        (7.0, 0.05, 1.00),
        (7.0, 0.10, 0.88),
        (2.0, 0.02, 0.98),
        (2.0, 0.05, 0.47),
        (2.0, 0.10, 0.10),
    ],
)
def test_smoke_finds_what_it_promises(ratio, noise, power):
    found = shares(13, ratio, 3, noise, reports=200, m=6)
    assert found[Verdict.FASTER] == pytest.approx(power, abs=0.05)


@pytest.mark.parametrize('n', [6, 7, 10])
def test_adaptive_reports_seldom_claim_what_is_not(n):
    rng = random.Random(n)
    reports, wrong, early = 250, 0, 0
    for _ in range(reports):
        measures, said = report(rng, [1.0] * 18, n, 0.05, rows=18)
        wrong += any(v in CLAIMS for v in said)
        early += sum(m.stopped_after is not None for m in measures)
    assert wrong / reports < 0.05 + 3 * math.sqrt(0.05 * 0.95 / reports)
    assert early == 0


@pytest.mark.parametrize('n', [6, 7, 10])
@pytest.mark.parametrize('noise', [0.02, 0.05, 0.10])
def test_adaptive_stops_large_differences_early(n, noise):
    rng = random.Random(14)
    blocks = []
    for _ in range(40):
        measures, said = report(rng, [7.0] * 6, n, noise, rows=18)
        assert set(said) == {Verdict.FASTER}
        blocks += [m.n for m in measures]
    # over many rows 4.1 at most, 4.3 with the later third look of n = 10
    assert 3.0 <= sum(blocks) / len(blocks) <= (4.3 if n < 8 else 4.5)


def test_adaptive_runs_small_differences_to_their_end():
    rng = random.Random(15)
    for _ in range(60):
        measures, _ = report(rng, [1.10] * 18, 7, 0.05, rows=18)
        assert all(m.n == 7 for m in measures)
