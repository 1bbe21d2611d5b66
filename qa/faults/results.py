"""Results of cells: one line of JSON each, so that pieces add up."""

from typing import Any, Dict, Iterable, List, Tuple

import dataclasses
import json
import pathlib

SURVIVED, FAILED, MISSED = 'survived', 'failed', 'missed'


@dataclasses.dataclass
class Result:
    """What became of one fault in one state.

    `missed` says that the state was over before the fault could be done:
    that proves nothing.
    """

    state: str
    fault: str
    verdict: str = SURVIVED
    ended: str = ''
    reason: str = ''
    problems: List[str] = dataclasses.field(default_factory=list)
    leftovers: List[str] = dataclasses.field(default_factory=list)
    foreign: List[str] = dataclasses.field(default_factory=list)
    crashes: List[str] = dataclasses.field(default_factory=list)
    seconds: float = 0.0
    memory: Dict[str, int] = dataclasses.field(default_factory=dict)  # KiB
    # seconds of each step, so that slow ones are seen
    steps: Dict[str, float] = dataclasses.field(default_factory=dict)
    # what the fault itself timed, in seconds
    measured: Dict[str, float] = dataclasses.field(default_factory=dict)

    @property
    def key(self) -> Tuple[str, str]:
        """Return what names the cell."""
        return self.state, self.fault

    def judge(self) -> None:
        """Set the verdict by what was found."""
        if self.problems or self.leftovers or self.foreign or self.crashes:
            self.verdict = FAILED


class Book:
    """The results so far; the last one of a cell counts."""

    def __init__(self, path: pathlib.Path) -> None:
        self.path = path
        self._found: Dict[Tuple[str, str], Result] = {}
        if path.exists():
            for line in path.read_text(encoding='utf-8').splitlines():
                self._keep(_read(json.loads(line)))

    def _keep(self, result: Result) -> None:
        self._found.pop(result.key, None)
        self._found[result.key] = result

    def add(self, result: Result) -> None:
        """Write a result down."""
        self._keep(result)
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with open(self.path, 'a', encoding='utf-8') as file:
            file.write(json.dumps(dataclasses.asdict(result)) + '\n')

    def all(self) -> List[Result]:
        """Return the results in the order in which they came."""
        return list(self._found.values())

    def done(self, state: str, fault: str) -> bool:
        """Say whether a cell was tried and survived."""
        found = self._found.get((state, fault))
        return found is not None and found.verdict == SURVIVED


def _read(data: Dict[str, Any]) -> Result:
    return Result(**data)


def growth(results: Iterable[Result]) -> Dict[str, int]:
    """Return how much each mgr process grew, in KiB, by its pid.

    From its second cell on: the first one loads what is loaded once. A mgr
    that lived through fewer than three tells nothing.
    """
    seen: Dict[str, List[int]] = {}
    for result in results:
        for pid, size in result.memory.items():
            seen.setdefault(pid, []).append(size)
    return {
        pid: sizes[-1] - sizes[1]
        for pid, sizes in seen.items()
        if len(sizes) > 2
    }


def summary(results: List[Result]) -> Dict[str, Any]:
    """Return the totals."""
    tried = [r for r in results if r.verdict != MISSED]
    grown = growth(results)
    sizes = [size for r in results for size in r.memory.values()]
    return {
        'tried': len(tried),
        'survived': sum(r.verdict == SURVIVED for r in tried),
        'leftovers': sum(len(r.leftovers) for r in tried),
        'foreign_changes': sum(len(r.foreign) for r in tried),
        'crashes': sum(len(r.crashes) for r in tried),
        'missed': len(results) - len(tried),
        'seconds': round(sum(r.seconds for r in results), 1),
        'mgr_memory_max_kib': max(sizes, default=0),
        'mgr_growth_max_kib': max(grown.values(), default=None),
        'mgrs_watched': len(grown),
    }
