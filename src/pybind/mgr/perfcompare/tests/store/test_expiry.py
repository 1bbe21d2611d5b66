"""Results are removed by their age, not by a clock that was set wrong."""

from typing import List

from ...store.expiry import Expiry
from ...store.retention import DAY


class Scene:
    """Hold what is removed, in a time of its own."""

    def __init__(self) -> None:
        self.now, self.ahead = 1000.0, 1.7e9
        self.removed: List[float] = []
        self.expiry = Expiry(
            lambda: self.removed.append(self.now),
            lambda: True,
            lambda: True,
            lambda: self.now + self.ahead,
            lambda: self.now,
        )

    def look(self, seconds: float = 0.0) -> int:
        self.now += seconds
        self.expiry.look()
        return len(self.removed)


def test_results_are_looked_at_each_day() -> None:
    scene = Scene()
    assert [scene.look(DAY / 4) for _ in range(6)] == [1, 1, 1, 1, 2, 2]


def test_a_clock_that_jumps_makes_nothing_old_for_a_day() -> None:
    scene = Scene()
    assert scene.look() == 1
    scene.ahead += 400 * DAY
    assert scene.look() == 1
    scene.expiry.changed()  # not then either
    assert scene.look(DAY - 1.0) == 1
    assert scene.look(2.0) == 2  # whoever set it had a day to see that


def test_a_clock_that_is_set_right_in_time_makes_nothing_old() -> None:
    scene = Scene()
    assert scene.look() == 1
    scene.ahead += 400 * DAY
    scene.look(3 * 3600.0)
    scene.ahead -= 400 * DAY
    assert scene.look(DAY - 4 * 3600.0) == 1
    assert scene.look(2 * DAY) == 2
