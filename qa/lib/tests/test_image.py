# mypy: ignore-errors
"""The derived image can be built of a checkout: its parts are let in."""

import pathlib
import re
import shlex

import pytest

TOP = pathlib.Path(__file__).resolve().parents[3]
WILD = {'**/': '(?:.*/)?', '*': '[^/]*'}


def copied():
    """Return what the image takes of the sources."""
    text = (TOP / 'packaging/Containerfile').read_text(encoding='utf-8')
    lines = text.replace('\\\n', ' ').split('\n')
    words = [shlex.split(line) for line in lines if line.startswith('COPY')]
    return [source for _, *sources, _ in words for source in sources]


def let_in(path):
    """Say what builders do: the last pattern that fits it decides."""
    found = True
    text = (TOP / '.dockerignore').read_text(encoding='utf-8')
    for line in text.split():
        pattern = ''.join(
            WILD.get(part) or re.escape(part)
            for part in re.split(r'(\*\*/|\*)', line.lstrip('!'))
        )
        if re.match(f'{pattern}(?:/|$)', path):
            found = line.startswith('!')
    return found


@pytest.mark.parametrize('source', copied())
def test_what_the_image_takes_is_let_in(source):
    assert let_in(source)
    assert let_in(f'{source}/shell.js')
    assert not let_in(f'{source}/__pycache__/shell.pyc')


def test_a_manager_that_is_not_root_can_read_all_of_it():
    text = (TOP / 'packaging/Containerfile').read_text(encoding='utf-8')
    lines = text.replace('\\\n', ' ').split('\n')
    targets = [line.split()[-1] for line in lines if line.startswith('COPY')]
    *_, last = (line for line in lines if line.startswith('RUN'))
    (words,) = [p.split() for p in last.split('&&') if 'chmod' in p]
    assert words == ['chmod', '-R', 'a+rX', *targets]


@pytest.mark.parametrize(
    'path',
    [
        '.tox/py3/bin/python',
        'dashboard-plugin/app/node_modules/x.js',
        'dashboard-plugin/dist/.perfcompare-sources',
        'qa/check',
    ],
)
def test_what_it_does_not_need_is_no_context(path):
    assert not let_in(path)
