"""The newer version that the suite installs, and the way back from it."""

from typing import Any, Dict

import re
import sqlite3

import pytest

from ..cli import SOURCE
from ..kinds.upgrades import (
    PLAN_CLASS,
    STEPS_END,
    WAY_BACK,
    file_with,
    with_field,
    with_step,
)


def _upgrade(text: str, database: sqlite3.Connection) -> int:
    """Open a database by the code of `text`; return its version."""
    names: Dict[str, Any] = {'PerfcompareError': RuntimeError}
    exec(re.sub('from .* import PerfcompareError', '', text), names)
    names['upgrade'](database)
    return int(names['version'](database))


def test_a_newer_plan_has_a_field_that_must_be_there() -> None:
    path = file_with(SOURCE, PLAN_CLASS)
    changed = with_field(path.read_text(encoding='utf-8'))
    compile(changed, str(path), 'exec')
    body = changed.partition(PLAN_CLASS)[2]
    assert re.match(r' +"""[^"]*"""\n\n    brand_new: str\n', body)


def test_a_newer_database_is_refused_until_it_is_taken_back() -> None:
    text = file_with(SOURCE, STEPS_END).read_text(encoding='utf-8')
    database = sqlite3.connect(':memory:')
    old = _upgrade(text, database)
    assert _upgrade(with_step(text), database) == old + 1
    with pytest.raises(RuntimeError, match='newer module'):
        _upgrade(text, database)
    assert _upgrade(text + WAY_BACK, database) == old
    assert _upgrade(text, database) == old
    assert _upgrade(with_step(text), database) == old + 1
