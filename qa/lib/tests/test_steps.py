# mypy: ignore-errors
"""The pool of steps that qa/check runs, and what is printed at its end."""

import io
import pathlib
import sys

import pytest

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

import spent  # noqa: E402
import steps  # noqa: E402
import tally  # noqa: E402

CASE = '<testcase classname="qa.integration.test_x" name="{}" time="{}">{}'


def junit(path, *cases):
    text = ''.join(CASE.format(*one) + '</testcase>' for one in cases)
    path.write_text(f'<testsuite>{text}</testsuite>', encoding='utf-8')


def run(folder, *lines, slots=2):
    pool = steps.Pool(steps.parse(lines), slots)
    out = io.StringIO()
    pool.run(folder, out)
    return pool, out.getvalue()


def test_the_longest_step_begins_first():
    lines = ['5\tc\t\ttrue', '1\ta\t\ttrue', '9\tb\ta\ttrue', '']
    # the first with what waits for it: 1 + 9 seconds
    assert [step.name for step in steps.parse(lines)] == ['a', 'b', 'c']
    with pytest.raises(AssertionError, match='nobody'):
        steps.parse(['1\ta\tnobody\ttrue'])


@pytest.mark.process
def test_a_step_waits_for_others_and_one_that_fails_stops_none(tmp_path):
    mark = tmp_path / 'mark'
    pool, text = run(
        tmp_path,
        f'9\tlate\tearly,broken\tcat {mark}',
        f'1\tearly\t\techo seen >{mark}',
        '2\tbroken\t\techo it is broken; exit 3',
    )
    assert pool.failed == ['broken']
    assert sorted(name for _, name in pool.times) == [
        'broken',
        'early',
        'late',
    ]
    assert 'it is broken' in text and 'seen' in text
    assert '== broken: FAILED (3)' in text
    assert pool.last == ['the last lines of broken:', 'it is broken']


@pytest.mark.process
def test_no_more_steps_run_at_once_than_told(tmp_path):
    lines = [
        f'1\t{i}\t\tmkdir {tmp_path}/one && rmdir {tmp_path}/one'
        for i in range(5)
    ]
    pool, _ = run(tmp_path, *lines, slots=1)
    assert pool.failed == [] and len(pool.times) == 5


def test_files_of_one_group_are_counted_together(tmp_path):
    bad = '<failure/>'
    junit(tmp_path / 'integration.a.xml', ('t', 2, bad), ('u', 1, ''))
    junit(tmp_path / 'integration.a-again.xml', ('t', 2, ''))
    junit(tmp_path / 'integration.b.xml', ('v', 1.5, bad))
    junit(tmp_path / 'unit.xml', ('t', 1, ''))
    found = dict(tally.groups([str(p) for p in tmp_path.glob('*.xml')]))
    assert found['integration'] == {
        'passed': 2,
        'failed': 1,
        tally.SECOND: 1,
    }
    assert tally.line(found['unit']) == '1 passed'
    assert spent.files([tmp_path / 'integration.a.xml']) == [
        (3.0, 'test_x (2)')
    ]
