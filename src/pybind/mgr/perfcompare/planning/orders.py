"""Draw the rounds of a run: orders of workloads, and of groups in blocks.

The same seed gives the same rounds on every Python, so that another mgr
can go on with a run: only ``random.Random.random`` is promised to stay.
"""

from typing import Dict, List, Sequence, Tuple, TypeVar

import random

from ..model.plan import Block

T = TypeVar('T')


def draw(
    workloads: Sequence[str],
    groups: Sequence[str],
    rounds: int,
    seed: int,
) -> Tuple[Block, ...]:
    """Return all blocks in their order of execution.

    Round 0 is the conditioning round. Each round holds each workload once,
    in an order drawn for the round. Over the judged rounds each workload's
    group orders are the rows of one Latin square after the other, each in a
    drawn sequence (two groups: of rounds 1 and 2, of 3 and 4, and so on, one
    is AB and one BA), so that they are even wherever a run ends. Odd
    numbers of groups take a square and its mirror in turn.
    """
    rng = random.Random(seed)
    rows = latin_rows(groups)
    orders = _orders(workloads, balanced_squares(groups), rounds, rng)
    blocks: List[Block] = []
    for number in range(rounds + 1):
        for index, workload in enumerate(shuffled(workloads, rng)):
            order = (
                orders[workload][number - 1]
                if number
                else rows[_below(len(rows), rng)]
            )
            blocks.append(Block(number, index, workload, order))
    return tuple(blocks)


def latin_rows(groups: Sequence[T]) -> List[Tuple[T, ...]]:
    """Return a Latin square of the groups, one row per group.

    Every group stands once in every place. For an even number every group
    also follows every other equally often (Williams 1949).
    """
    size = len(groups)
    first: List[int] = []
    low, high = 0, size - 1
    while len(first) < size:
        first.append(low)
        low += 1
        if len(first) < size:
            first.append(high)
            high -= 1
    return [
        tuple(groups[(place + shift) % size] for place in first)
        for shift in range(size)
    ]


def balanced_squares(groups: Sequence[T]) -> List[List[Tuple[T, ...]]]:
    """Return the Latin squares that together balance what follows what.

    One is enough for an even number of groups. In one of an odd number a
    group comes after some of the others alone; in its mirror before these.
    """
    rows = latin_rows(groups)
    if len(groups) % 2 == 0:
        return [rows]
    return [rows, [row[::-1] for row in rows]]


def shuffled(items: Sequence[T], rng: random.Random) -> List[T]:
    """Return the items in random order (Fisher and Yates)."""
    result = list(items)
    for last in range(len(result) - 1, 0, -1):
        other = _below(last + 1, rng)
        result[last], result[other] = result[other], result[last]
    return result


def _below(limit: int, rng: random.Random) -> int:
    return min(int(rng.random() * limit), limit - 1)


def _orders(
    workloads: Sequence[str],
    squares: Sequence[Sequence[Tuple[str, ...]]],
    rounds: int,
    rng: random.Random,
) -> Dict[str, List[Tuple[str, ...]]]:
    """Return the group order of each workload in each judged round.

    Where rounds are left over after whole squares, the workloads start at
    different rows, and where there are two squares, at different ones, so
    that the surplus is balanced over the run.
    """
    size = len(squares[0])
    whole, left = divmod(rounds, size)
    start = _below(size, rng)
    found = {}
    for position, workload in enumerate(shuffled(workloads, rng)):
        first = start + position
        *parts, last = (
            squares[(first + i) % len(squares)] for i in range(whole + 1)
        )
        parts.append([last[(first + i) % size] for i in range(left)])
        found[workload] = [
            row for part in parts for row in shuffled(part, rng)
        ]
    return found
