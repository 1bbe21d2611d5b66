"""What is read off noisy response curves, by simulation.

Two groups with a known curve are measured on a ladder, round by round, and
judged by the module's own code. Throughput varies by a coefficient of
variation from trial to trial, the 99th percentile by twice that. Prints for
throughput at a limit of latency and for the peak: how far the ratio is off
(median, percent), how often its interval holds the true one, and the share of
each verdict; then how far the peak itself is off when it is chosen by other
rounds, as here, and when it is the largest point of each round.
What was found is `results/curves.txt`.

    PYTHONPATH=src/pybind/mgr python3 qa/bench/curves.py --draws 400
"""

from typing import Callable, List, NamedTuple, Sequence

import argparse
import math
import random

from curve_table import HEAD, Line

from perfcompare.analysis import curve, stats

LADDER = (1, 2, 3, 6, 10, 18, 32, 64)
LIMIT = 0.005  # seconds


class System(NamedTuple):
    """Hold a group's true curve: Universal Scalability Law."""

    speed: float = 1.0
    contention: float = 0.05
    coherency: float = 0.001

    def rate(self, flying: float) -> float:
        """Return op/s with so many in flight."""
        more = flying - 1.0
        cost = 1.0 + self.contention * more
        cost += self.coherency * flying * more
        return 1000.0 * self.speed * flying / cost

    def tail(self, flying: float) -> float:
        """Return the 99th percentile of latency, seconds."""
        return 3.0 * flying / self.rate(flying)

    def at_limit(self, limit: float) -> float:
        """Return the most op/s at which the percentile is within it."""
        low, high = float(LADDER[0]), float(LADDER[-1])
        for _ in range(60):
            middle = math.sqrt(low * high)
            if self.tail(middle) <= limit:
                low = middle
            else:
                high = middle
        best = math.sqrt((1.0 - self.contention) / self.coherency)
        return self.rate(min(low, best))

    def peak(self) -> float:
        """Return the true op/s of the best point of the ladder."""
        return max(map(self.rate, LADDER))


Rounds = List[List[float]]


class Drawn(NamedTuple):
    """Hold one group's measured rounds, logarithms."""

    rates: Rounds
    tails: Rounds


def draw(system: System, rounds: int, cv: float, rng: random.Random) -> Drawn:
    """Measure a system once."""
    rates = [
        [math.log(system.rate(c)) + rng.gauss(0.0, cv) for c in LADDER]
        for _ in range(rounds)
    ]
    tails = [
        [math.log(system.tail(c)) + rng.gauss(0.0, 2 * cv) for c in LADDER]
        for _ in range(rounds)
    ]
    return Drawn(rates, tails)


def readings(drawn: Drawn, limit: float) -> List[curve.Reading]:
    """Read each round at the limit."""
    return [
        curve.at_limit(rates, tails, math.log(limit))
        for rates, tails in zip(drawn.rates, drawn.tails)
    ]


def of_peaks(drawn: Drawn, limit: float) -> List[curve.Reading]:
    """Read the peak of each round."""
    return curve.peaks(drawn.rates)


Read = Callable[[Drawn, float], List[curve.Reading]]


def scene(
    read: Read,
    truth: float,
    systems: Sequence[System],
    rounds: int,
    cv: float,
    draws: int,
    limit: float,
) -> str:
    """Return one line of figures."""
    rng = random.Random(f'{truth} {rounds} {cv}')
    line = Line(truth)
    for _ in range(draws):
        first, second = (
            read(draw(system, rounds, cv, rng), limit) for system in systems
        )
        line.add([curve.ratio(a, b) for a, b in zip(first, second)])
    return str(line)


def main() -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--draws', type=int, default=400)
    draws = parser.parse_args().draws
    base = System()
    print(f'ladder {LADDER}, p99 <= {LIMIT:g} s, {draws} draws each')
    for title, read in (
        ('throughput at the limit', readings),
        ('peak', of_peaks),
    ):
        print(f'\n{title}\nspeed rounds cv %  {HEAD}')
        for speed in (1.0, 0.95, 0.9, 0.8):
            other = System(speed)
            truth = math.log(
                other.at_limit(LIMIT) / base.at_limit(LIMIT)
                if read is readings
                else other.peak() / base.peak()
            )
            for rounds in (7, 10):
                for cv in (0.02, 0.05, 0.10):
                    line = scene(
                        read, truth, (base, other), rounds, cv, draws, LIMIT
                    )
                    print(f'{speed:5} {rounds:6} {100 * cv:4.0f}  {line}')
    print('\nlimit (s) near and beyond the end of the ladder, cv 5 %')
    for speed in (1.0, 0.8):
        for limit in (0.020, 0.035):
            other = System(speed)
            truth = math.log(other.at_limit(limit) / base.at_limit(limit))
            line = scene(
                readings, truth, (base, other), 7, 0.05, draws, limit
            )
            print(f'{speed:5} {limit:6g}      {line}')
    print('\nthe peak itself, percent off: chosen by other rounds, by each')
    rng = random.Random(7)
    for cv in (0.02, 0.05, 0.10):
        apart, naive = [], []
        for _ in range(draws):
            drawn = draw(base, 7, cv, rng)
            true = math.log(base.peak())
            mine = stats.median([r.value for r in curve.peaks(drawn.rates)])
            apart.append(mine - true)
            naive.append(stats.median([max(r) for r in drawn.rates]) - true)
        print(
            f'cv {100 * cv:3.0f} %: '
            f'{100 * math.expm1(stats.median(apart)):+.2f} '
            f'{100 * math.expm1(stats.median(naive)):+.2f}'
        )


if __name__ == '__main__':
    main()
