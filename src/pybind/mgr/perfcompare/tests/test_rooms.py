"""The house: rooms say what they are, and their picture is true."""

import ast
import pathlib
import re

import pytest

MODULE = pathlib.Path(__file__).parents[1]
PAGE = MODULE.parents[3] / 'doc' / 'dev' / 'perfcompare.rst'
TOP = {'__init__.py', 'composition.py', 'module.py'}
ROOMS = sorted(
    path.parent.relative_to(MODULE).as_posix()
    for path in MODULE.rglob('__init__.py')
    if path.parent != MODULE
    and path.parent.relative_to(MODULE).parts[0] != 'tests'
)


def test_top_has_nothing_but_rooms() -> None:
    assert {p.name for p in MODULE.glob('*.py')} == TOP


@pytest.mark.parametrize('room', ROOMS)
def test_room_says_what_it_is_and_where_to_begin(room: str) -> None:
    folder = MODULE / room
    text = ast.get_docstring(ast.parse((folder / '__init__.py').read_text()))
    assert text and text.splitlines()[0].endswith('.')
    for name in re.findall(r'[\w/]+\.py', text.partition('egin with')[2]):
        assert (folder / name).is_file(), name


def test_every_folder_is_a_room() -> None:
    folders = {
        path.parent.relative_to(MODULE).as_posix()
        for path in MODULE.rglob('*.py')
    }
    found = {f for f in folders if f != '.' and not f.startswith('tests')}
    assert found == set(ROOMS)


def test_page_for_developers_names_what_is_there() -> None:
    text = PAGE.read_text(encoding='utf-8')
    named = set(re.findall(r'``([\w/]+\.py)``', text))
    assert len(named) > 30
    assert not [n for n in sorted(named) if not (MODULE / n).is_file()]
    for room in ROOMS:
        assert re.search(rf'\b{room.split("/")[0]}\b', text), room
