"""Print where the time of qa/check went.

``spent.py TIMES JUNIT...``: the seconds of each step, then of each file of
tests on a cluster, from its JUnit file. Bringing a cluster up counts for the
test that asks for it first.
"""

from typing import Dict, List, Tuple

import collections
import pathlib
import sys
from xml.etree import ElementTree


def steps(path: pathlib.Path) -> List[Tuple[float, str]]:
    """Return seconds and name of each step, the longest first."""
    found = []
    for line in path.read_text(encoding='utf-8').splitlines():
        seconds, name = line.split('\t')
        found.append((float(seconds), name))
    return sorted(found, reverse=True)


def files(paths: List[pathlib.Path]) -> List[Tuple[float, str]]:
    """Return seconds, name and number of tests of each file of tests."""
    seconds: Dict[str, float] = collections.defaultdict(float)
    tests: Dict[str, int] = collections.Counter()
    for path in paths:
        for case in ElementTree.parse(path).getroot().iter('testcase'):
            name = case.get('classname', '').rpartition('.')[2]
            seconds[name] += float(case.get('time', 0.0))
            tests[name] += 1
    return sorted(
        ((took, f'{name} ({tests[name]})') for name, took in seconds.items()),
        reverse=True,
    )


def main(words: List[str]) -> int:
    """Print two tables."""
    print('where the time went, in seconds (steps run side by side):')
    for took, name in steps(pathlib.Path(words[0])):
        print(f'{took:8.0f}  {name}')
    on_clusters = [pathlib.Path(word) for word in words[1:]]
    if on_clusters:
        print('files of tests on clusters, with the number of tests:')
    for took, name in files(on_clusters):
        print(f'{took:8.0f}  {name}')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
