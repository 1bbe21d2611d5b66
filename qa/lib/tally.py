"""Print how many tests ran, from the JUnit files that pytest wrote.

Exit with 1 when a test failed or none ran.
"""

from typing import Dict, List

import collections
import pathlib
import sys
from xml.etree import ElementTree


def tally(path: str) -> Dict[str, int]:
    """Return the numbers of passed, failed and skipped tests of a file."""
    counts: Dict[str, int] = collections.Counter()
    for suite in ElementTree.parse(path).getroot().iter('testsuite'):
        total = int(suite.get('tests', 0))
        bad = int(suite.get('failures', 0)) + int(suite.get('errors', 0))
        skipped = int(suite.get('skipped', 0))
        counts['passed'] += total - bad - skipped
        counts['failed'] += bad
        counts['skipped'] += skipped
    return counts


def line(counts: Dict[str, int]) -> str:
    """Return the counts in pytest's words; zeros are left out."""
    words = [f'{n} {word}' for word, n in counts.items() if n]
    return ', '.join(words) or 'no tests ran'


def main(paths: List[str]) -> int:
    """Print one line for each file and the total last."""
    total: Dict[str, int] = collections.Counter()
    for path in paths:
        counts = tally(path)
        total.update(counts)
        print(f'{pathlib.Path(path).stem} tests: {line(counts)}')
    print(line(total))
    return 0 if total['passed'] and not total['failed'] else 1


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
