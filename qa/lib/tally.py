"""Print how many tests ran, from the JUnit files of pytest and Playwright.

``X-again.xml`` holds the second try of tests that failed in ``X.xml``: what
passes there has passed, and is counted apart. Playwright tries again by
itself: ``X.json`` beside its ``X.xml`` tells how often that helped. Exit with
1 when a test failed or none ran.
"""

from typing import Dict, Iterator, List, Tuple

import collections
import json
import pathlib
import sys
from xml.etree import ElementTree

AGAIN = '-again'
SECOND = 'of them at the second try'
Outcomes = Dict[Tuple[str, str], str]


def outcome(case: ElementTree.Element) -> str:
    """Return what became of a test case."""
    tags = {child.tag for child in case}
    if tags & {'failure', 'error'}:
        return 'failed'
    return 'skipped' if 'skipped' in tags else 'passed'


def outcomes(path: pathlib.Path) -> Outcomes:
    """Return what became of each test; a failure of its teardown counts."""
    found: Outcomes = {}
    for case in ElementTree.parse(path).getroot().iter('testcase'):
        key = (case.get('classname', ''), case.get('name', ''))
        if found.get(key) != 'failed':
            found[key] = outcome(case)
    return found


def tally(first: Outcomes, again: Outcomes) -> Dict[str, int]:
    """Count the outcomes; ``again`` overrides what failed first."""
    counts: Dict[str, int] = collections.Counter(passed=0, failed=0)
    for key, what in first.items():
        if what == 'failed' and again.get(key) == 'passed':
            what = 'passed'
            counts[SECOND] += 1
        counts[what] += 1
    return counts


def flaky(path: pathlib.Path) -> int:
    """Return how many of Playwright's tests passed at the second try."""
    if not path.exists():
        return 0
    return int(json.loads(path.read_text())['stats']['flaky'])


def line(counts: Dict[str, int]) -> str:
    """Return the counts in pytest's words; zeros are left out."""
    words = [f'{n} {word}' for word, n in counts.items() if n]
    return ', '.join(words) or 'no tests ran'


def groups(paths: List[str]) -> Iterator[Tuple[str, Dict[str, int]]]:
    """Yield the name of each group of first tries, and its counts.

    A group has one file, or several with a dot: ``integration.wide.xml``.
    """
    files = {pathlib.Path(p).stem: pathlib.Path(p) for p in paths}
    found: Dict[str, Dict[str, int]] = {}
    for stem, path in sorted(files.items()):
        if not stem.endswith(AGAIN):
            again = files.get(stem + AGAIN)
            counts = found.setdefault(
                stem.partition('.')[0],
                collections.Counter(passed=0, failed=0),
            )
            for what, n in tally(
                outcomes(path), outcomes(again) if again else {}
            ).items():
                counts[what] = counts.get(what, 0) + n
            retried = flaky(path.with_suffix('.json'))
            if retried:
                counts[SECOND] = counts.get(SECOND, 0) + retried
    yield from found.items()


def main(paths: List[str]) -> int:
    """Print one line for each file and the total last."""
    total: Dict[str, int] = collections.Counter(passed=0, failed=0)
    for stem, counts in groups(paths):
        total.update(counts)
        print(f'{stem} tests: {line(counts)}')
    print(line(total))
    return 0 if total['passed'] and not total['failed'] else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
