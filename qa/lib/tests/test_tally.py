# mypy: ignore-errors
"""Count what ran, and what needed a second try."""

import json
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from tally import SECOND, groups  # noqa: E402

XML = """<testsuites><testsuite>
<testcase classname="a" name="one"/>
<testcase classname="a" name="two">%s</testcase>
</testsuite></testsuites>"""


def test_second_tries_are_counted(tmp_path: pathlib.Path) -> None:
    """By a file of their own, or by what Playwright says."""
    files = {
        'integration.small.xml': XML % '<failure/>',
        'integration.small-again.xml': XML % '',
        'dashboard-reef.xml': XML % '',
        'dashboard-reef.json': json.dumps({'stats': {'flaky': 1}}),
        'unit.xml': XML % '<skipped/>',
    }
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    found = dict(groups([str(p) for p in tmp_path.glob('*.xml')]))
    assert found['integration'] == {'passed': 2, 'failed': 0, SECOND: 1}
    assert found['dashboard-reef'] == {'passed': 2, 'failed': 0, SECOND: 1}
    assert found['unit'] == {'passed': 1, 'failed': 0, 'skipped': 1}
