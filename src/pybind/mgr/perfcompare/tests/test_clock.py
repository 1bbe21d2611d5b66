"""Time comes from a clock that is given: a test never waits for it."""

from typing import Iterator, Tuple

import ast
import pathlib

import pytest

MODULE = pathlib.Path(__file__).resolve().parent.parent
# who reads the time itself
OWN = (
    'common/clock.py',  # the clock of the machine
    'worker/',  # another process: it has a clock pair, and tells of it
    'tests/',
)
TELLS = {  # of modules, what tells the time or lets it pass
    'time': {
        'time',
        'time_ns',
        'monotonic',
        'monotonic_ns',
        'perf_counter',
        'perf_counter_ns',
        'sleep',
    },
    'datetime': {'now', 'utcnow', 'today'},
    'date': {'today'},
}
WITHOUT = {'gmtime', 'localtime', 'ctime', 'strftime'}  # an argument: now


def readings(tree: ast.AST) -> Iterator[Tuple[int, str]]:
    """Yield line and words of what reads the time."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == 'time':
            for name in node.names:
                if name.name in TELLS['time']:
                    yield node.lineno, f'from time import {name.name}'
        if isinstance(node, ast.Attribute):
            owner = node.value
            name = getattr(owner, 'attr', getattr(owner, 'id', ''))
            if node.attr in TELLS.get(name, ()):
                yield node.lineno, f'{name}.{node.attr}'
        if isinstance(node, ast.Call) and isinstance(
            node.func, ast.Attribute
        ):
            owner = getattr(node.func.value, 'id', '')
            needed = 2 if node.func.attr == 'strftime' else 1
            if owner == 'time' and node.func.attr in WITHOUT:
                if len(node.args) < needed:
                    yield node.lineno, f'time.{node.func.attr}()'


@pytest.mark.parametrize(
    'text',
    [
        'import time\ntime.time()',
        'import time\nx = time.monotonic',
        'from time import sleep',
        'import datetime\ndatetime.datetime.now()',
        'from datetime import date\ndate.today()',
        "import time\ntime.strftime('%Y')",
    ],
)
def test_what_reads_the_time_is_seen(text: str) -> None:
    assert list(readings(ast.parse(text)))


def test_no_room_reads_the_time_itself() -> None:
    assert [
        f'{path.relative_to(MODULE)}:{line}: {words}'
        for path in sorted(MODULE.rglob('*.py'))
        if not path.relative_to(MODULE).as_posix().startswith(OWN)
        for line, words in readings(
            ast.parse(path.read_text(encoding='utf-8'))
        )
    ] == []
