"""Whether intervals hold a ratio of rates that are known by counts.

Reports of one row are drawn with known ratio, number of operations in a
window and variation from trial to trial, and judged by the module's own code:
with the count of each trial, and without it. The parts of an operation that a
window loses at its ends are alike in all trials of a group (they begin
alike), or drawn for each. Prints shares of intervals that miss the truth.
What was found is `results/counted.txt`.

    PYTHONPATH=src/pybind/mgr python3 qa/bench/counted.py --rows 1500
"""

from typing import Iterator, List, Tuple

import argparse
import itertools
import math
import random

from perfcompare.analysis import of_blocks

TRUTH = 0.93
OPS = (10, 30, 100, 1000, 10000)
VARIATION = (0.0, 0.0003, 0.002, 0.02)
BLOCKS = (7, 10)


def row(
    draw: random.Random, blocks: int, ops: int, varies: float, alike: bool
) -> Tuple[List[float], List[float]]:
    """Return the log-ratios of a row, and how far off counts let them be."""
    rates = [ops * draw.uniform(0.95, 1.05)]
    rates.append(rates[0] * TRUTH)
    lost = [draw.random() for _ in rates]
    x, off = [], []
    for _ in range(blocks):
        counts = []
        for rate, part in zip(rates, lost):
            done = rate * math.exp(draw.gauss(0.0, varies))
            counts.append(
                math.floor(done + (part if alike else draw.random()))
            )
        x.append(math.log(counts[1] / counts[0]))
        off.append(math.hypot(*(1.0 / count for count in counts)))
    return x, off


def missed(rows: List[Tuple[List[float], List[float]]], told: bool) -> float:
    """Return the share of intervals without the truth, in percent."""
    found = [
        of_blocks.measure_blocks(x, len(x), counted=off if told else ())
        for x, off in rows
    ]
    out = [
        m
        for m in found
        if m.low is None
        or m.high is None
        or not m.low <= math.log(TRUTH) <= m.high
    ]
    return 100.0 * len(out) / len(found)


def lines(rows: int, seed: int) -> Iterator[str]:
    """Yield a line for each cell."""
    draw = random.Random(seed)
    for alike, blocks, ops, varies in itertools.product(
        (True, False), BLOCKS, OPS, VARIATION
    ):
        drawn = [row(draw, blocks, ops, varies, alike) for _ in range(rows)]
        yield (
            f'{"alike" if alike else "drawn"}, {blocks} blocks of {ops} '
            f'operations, {100 * varies:g} %: {missed(drawn, False):.1f} % '
            f'miss it by spread, {missed(drawn, True):.1f} % with the count'
        )


def main() -> None:
    """Print what was found."""
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--rows', type=int, default=1500)
    parser.add_argument('--seed', type=int, default=1)
    options = parser.parse_args()
    for line in lines(options.rows, options.seed):
        print(line, flush=True)


if __name__ == '__main__':
    main()
