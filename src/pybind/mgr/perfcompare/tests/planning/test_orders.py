from typing import Dict, List, Sequence, Tuple

import collections
import itertools

import pytest

from ...model.plan import Block
from ...planning import orders
from ..data.plans import make


def by_round(blocks: Sequence[Block]) -> Dict[int, List[Block]]:
    found: Dict[int, List[Block]] = {}
    for block in blocks:
        found.setdefault(block.round, []).append(block)
    return found


@pytest.mark.parametrize('names', ['ab', 'abc', 'abcd', 'abcdefgh'])
@pytest.mark.parametrize('rounds', [1, 3, 6, 7, 10])
def test_every_group_gets_every_workload_once_per_round(
    names: str, rounds: int
) -> None:
    for seed in range(20):
        blocks = orders.draw(['w', 'r', 's'], names, rounds, seed)
        found = by_round(blocks)
        assert sorted(found) == list(range(rounds + 1))
        for members in found.values():
            assert sorted(b.workload for b in members) == ['r', 's', 'w']
            assert [b.index for b in members] == [0, 1, 2]
            for block in members:
                assert sorted(block.order) == sorted(names)
        # the trials of a block are back to back: a block is one entry
        assert list(blocks) == sorted(
            blocks, key=lambda b: (b.round, b.index)
        )


@pytest.mark.parametrize('rounds', [6, 7, 10])
def test_two_groups_go_first_equally_often(rounds: int) -> None:
    for seed in range(300):
        blocks = orders.draw(['w', 'r', 's', 't'], 'ab', rounds, seed)
        surplus = 0
        for workload in 'wrst':
            first = [
                b.order[0]
                for b in blocks
                if b.workload == workload and b.round > 0
            ]
            ahead = first.count('a') - first.count('b')
            assert abs(ahead) == rounds % 2
            surplus += ahead
        # over an even number of workloads the surplus is balanced as well
        assert surplus == 0


@pytest.mark.parametrize('names', ['abc', 'abcd', 'abcde'])
def test_more_groups_take_latin_rows(names: str) -> None:
    size = len(names)
    for seed in range(50):
        blocks = orders.draw(['w', 'r'], names, 2 * size, seed)
        for workload in 'wr':
            rows = [
                b.order
                for b in blocks
                if b.workload == workload and b.round > 0
            ]
            for place in range(size):
                seen = collections.Counter(row[place] for row in rows)
                assert set(seen.values()) == {2}


@pytest.mark.parametrize('names', ['ab', 'abc', 'abcd'])
def test_orders_are_even_wherever_a_run_ends(names: str) -> None:
    # a workload may end early (--adaptive), and a run may be stopped
    for seed in range(50):
        blocks = orders.draw(['w', 'r'], names, 10, seed)
        for workload in 'wr':
            rows = [
                b.order
                for b in blocks
                if b.workload == workload and b.round > 0
            ]
            for end in range(1, len(rows) + 1):
                first = collections.Counter(row[0] for row in rows[:end])
                times = [first[name] for name in names]
                assert max(times) - min(times) <= 1


def rows_of(blocks: Sequence[Block], workload: str) -> List[Sequence[str]]:
    return [b.order for b in blocks if b.workload == workload and b.round]


def followers(rows: Sequence[Sequence[str]]) -> Dict[Tuple[str, str], int]:
    """Count how often one group came right after another."""
    return collections.Counter(
        pair for row in rows for pair in zip(row, row[1:])
    )


@pytest.mark.parametrize(
    'names, rounds', [('ab', 2), ('abc', 6), ('abcd', 4), ('abcde', 10)]
)
def test_each_group_follows_each_other_one_equally_often(
    names: str, rounds: int
) -> None:
    size = len(names)
    for seed in range(50):
        blocks = orders.draw(['w', 'r'], names, rounds, seed)
        for workload in 'wr':
            rows = rows_of(blocks, workload)
            after = followers(rows)
            assert len(after) == size * (size - 1)
            assert set(after.values()) == {rounds // size}
            # and of any pair, each one is first in half of the rounds
            before = collections.Counter(
                pair
                for row in rows
                for pair in itertools.combinations(row, 2)
            )
            assert set(before.values()) == {rounds // 2}


def test_three_rounds_of_three_groups_are_balanced_over_the_workloads() -> (
    None
):
    # there is room for one square of each workload
    for seed in range(50):
        blocks = orders.draw(['w', 'r'], 'abc', 3, seed)
        after = followers(rows_of(blocks, 'w') + rows_of(blocks, 'r'))
        assert set(after.values()) == {2} and len(after) == 6


def test_orders_are_drawn_and_not_alternated() -> None:
    sequences = set()
    for seed in range(100):
        blocks = orders.draw(['w'], 'ab', 6, seed)
        sequences.add(''.join(b.order[0] for b in blocks if b.round))
    # of the 2 ** 3 sequences that are balanced after each second round
    assert len(sequences) == 8


def test_workload_order_is_drawn_for_each_round() -> None:
    blocks = orders.draw(['w', 'r', 's', 't'], 'ab', 10, 5)
    seen = {
        tuple(b.workload for b in members)
        for members in by_round(blocks).values()
    }
    assert len(seen) > 5


def test_one_group_has_blocks_of_one_trial() -> None:
    blocks = orders.draw(['w'], ['x86'], 3, 0)
    assert [b.order for b in blocks] == [('x86',)] * 4


def test_orders_are_the_same_on_every_python() -> None:
    # who repeats a run by its seed may have another Python
    blocks = orders.draw(['w', 'r', 's'], ['a', 'b'], 4, 20261120)
    assert [b.workload + ':' + ''.join(b.order) for b in blocks] == [
        'r:ba',
        's:ab',
        'w:ba',
        'r:ba',
        's:ba',
        'w:ba',
        'r:ab',
        's:ab',
        'w:ab',
        'r:ba',
        'w:ab',
        's:ba',
        's:ab',
        'r:ab',
        'w:ba',
    ]


def test_equal_arguments_give_equal_plans() -> None:
    assert make(seed=9) == make(seed=9)
    assert make(seed=9).blocks != make(seed=10).blocks
    assert make(seed=9).seed == 9
