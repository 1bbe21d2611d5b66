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

from typing import List, NamedTuple

import argparse
import math
import random

from curve_table import HEAD, Line

from perfcompare.analysis import curve, offered

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
    line = Line(math.log(speed))
    for _ in range(draws):
        ratios = [
            curve.ratio(
                reading(1.0, cv, limit, rng), reading(speed, cv, limit, rng)
            )
            for _ in range(rounds)
        ]
        line.add(ratios)
    return str(line)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--draws', type=int, default=400)
    draws = parser.parse_args().draws
    print(f'ladder {LADDER}, capacity {CAPACITY:g}/s, {draws} draws each')
    for limit in LIMITS:
        true = CAPACITY * (1.0 - IDLE / limit)
        print(
            f'\np99 <= {limit:g} s: {true:.0f}/s\nspeed rounds cv %  {HEAD}'
        )
        for speed in (1.0, 0.95, 0.9, 0.8, 0.5):
            for rounds in (7, 10):
                for cv in (0.02, 0.05, 0.10):
                    line = scene(speed, rounds, cv, limit, draws)
                    print(f'{speed:5} {rounds:6} {100 * cv:4.0f}  {line}')


if __name__ == '__main__':
    main()
