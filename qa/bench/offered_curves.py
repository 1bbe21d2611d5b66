"""What is read off noisy curves over offered load, by simulation.

Two groups are offered the same ladder of rates, round by round, and judged by
the module's own code. A group's latency grows as that of a queue, without
bound at its capacity, which varies by a coefficient of variation from trial to
trial; what its latency is without load varies by twice that. From its capacity
on a group falls behind. Prints, for a limit far below the capacity and one
close to it, how far the ratio is off (median, percent) and how often its
interval holds the true one, where figures are exact, and the share of each
verdict. What was found is `results/offered_curves.txt`.

    PYTHONPATH=src/pybind/mgr python3 qa/bench/offered_curves.py --draws 400
"""

from typing import Dict, List, NamedTuple, Sequence

import argparse
import collections
import math
import random

from perfcompare.analysis import curve, offered, stats, verdict

LADDER = (100, 150, 220, 330, 500, 750, 1100, 1600)
CAPACITY = 1000.0  # operations per second
IDLE = 0.003  # seconds: the 99th percentile without load
BEHIND = 1.0  # seconds, of what is between 95 % of a rate and all of it
LIMITS = (0.006, 0.030)  # seconds: half of the capacity, and 90 % of it


class Trial(NamedTuple):
    """Hold what one trial at one rate did, and its percentile."""

    done: float  # operations per second
    tail: float  # seconds


def trial(speed: float, rate: int, cv: float, rng: random.Random) -> Trial:
    """Offer a rate to a group once."""
    capacity = CAPACITY * speed * math.exp(rng.gauss(0.0, cv))
    idle = IDLE * math.exp(rng.gauss(0.0, 2.0 * cv))
    if rate >= capacity:
        return Trial(capacity, BEHIND)
    return Trial(rate, idle / (1.0 - rate / capacity))


def reading(
    speed: float, cv: float, limit: float, rng: random.Random
) -> curve.Reading:
    """Read one round."""
    tails: List[float] = []
    for rate in LADDER:
        found = trial(speed, rate, cv, rng)
        if found.done < offered.KEPT * rate:
            break
        tails.append(math.log(found.tail))
    rates = [math.log(rate) for rate in LADDER]
    return curve.offered_at_limit(rates, tails, math.log(limit))


def scene(
    speed: float, rounds: int, cv: float, limit: float, draws: int
) -> str:
    """Return one line of figures."""
    rng = random.Random(f'{speed} {rounds} {cv} {limit}')
    truth = math.log(speed)
    off, held, exact = [], 0, 0
    verdicts: Dict[str, int] = collections.Counter()
    for _ in range(draws):
        ratios = [
            curve.ratio(
                reading(1.0, cv, limit, rng), reading(speed, cv, limit, rng)
            )
            for _ in range(rounds)
        ]
        way = curve.direction(ratios)
        if way is None:
            verdicts['outside'] += 1
            continue
        measured = verdict.measure_blocks(bounds(ratios, way), rounds)
        verdicts[outcome(way, measured)] += 1
        if way == curve.EXACT:
            exact += 1
            assert measured.estimate is not None
            off.append(measured.estimate - truth)
            assert measured.low is not None and measured.high is not None
            held += measured.low <= truth <= measured.high
    share = {k: f'{100 * v / draws:.1f}' for k, v in verdicts.items()}
    bias = f'{100 * math.expm1(stats.median(off)):+6.2f}' if off else '     –'
    cover = f'{100 * held / exact:5.1f}' if exact else '    –'
    cells = [
        share.get(name, '0.0').rjust(8)
        for name in (
            'slower',
            'faster',
            'no difference shown',
            'inconclusive',
            'outside',
        )
    ]
    return f'{bias}  {cover}  {"".join(cells)}'


def bounds(ratios: Sequence[curve.Ratio], way: int) -> List[float]:
    """Return of ratios what speaks against what they can show."""
    return [r.high if way == curve.BELOW else r.low for r in ratios]


def outcome(way: int, measured: verdict.Measure) -> str:
    """Name the verdict, as the module gives it to one curve alone."""
    q = verdict.family([measured])[0]
    found = verdict.judge(measured, q, ())
    claim = {
        curve.ABOVE: verdict.Verdict.FASTER,
        curve.BELOW: verdict.Verdict.SLOWER,
    }
    if way == curve.EXACT or found.verdict is claim[way]:
        return found.verdict.value
    return 'outside'


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--draws', type=int, default=400)
    draws = parser.parse_args().draws
    print(f'ladder {LADDER}, capacity {CAPACITY:g}/s, {draws} draws each')
    head = 'bias %  cover %   slower  faster  nodiff  inconc outside'
    for limit in LIMITS:
        true = CAPACITY * (1.0 - IDLE / limit)
        print(
            f'\np99 <= {limit:g} s: {true:.0f}/s\nspeed rounds cv %  {head}'
        )
        for speed in (1.0, 0.95, 0.9, 0.8, 0.5):
            for rounds in (7, 10):
                for cv in (0.02, 0.05, 0.10):
                    line = scene(speed, rounds, cv, limit, draws)
                    print(f'{speed:5} {rounds:6} {100 * cv:4.0f}  {line}')


if __name__ == '__main__':
    main()
