"""Make the manual's page on exported files from the module's dataclasses.

    exports.py < run.json    name what the file of a run has and the page not

The fields are those of the dataclasses that an export is made of, so none is
missing and none is invented; what they mean and their units are in
export_fields.py and export_recovery_fields.py, or in the comment beside a
field. A field without either is an error. `reference.py --write` writes it.
"""

from typing import Any, Iterator, List, Tuple, get_type_hints

import dataclasses
import enum
import inspect
import json
import pathlib
import re
import sys
import textwrap

from export_evidence import EVIDENCE
from export_fields import RUNS
from export_recovery_fields import RECOVERIES

from perfcompare.common.codec import data_name
from perfcompare.metrics.osd_counters import COUNTERS, Kind
from perfcompare.model import recovery, run, trial
from perfcompare.model.manifest import Manifest

TOP = pathlib.Path(__file__).resolve().parents[2]
PAGE = TOP / 'doc' / 'mgr' / 'perfcompare' / 'exports.rst'
HEAD = pathlib.Path(__file__).with_name('exports_head.rst')
TEXTS = {**RUNS, **RECOVERIES}
WIDTH = 78
UNIT = re.compile(r'(.*?) ?\[([^\]]+)\]\Z', re.S)
NAMES = {str: 'text', int: 'integer', float: 'number', bool: 'true or false'}
WAYS = {
    Kind.COUNT: 'difference of two readings',
    Kind.MEAN: 'mean between two readings',
    Kind.GAUGE: 'as it was at the second reading',
}
Rows = List[Tuple[str, ...]]


def _parts(hint: Any) -> Tuple[Any, ...]:
    return tuple(getattr(hint, '__args__', ()))


def classes(first: type) -> Iterator[type]:
    """Yield a dataclass and all that its fields are made of."""
    done: List[type] = []
    todo = [first]
    while todo:
        one = todo.pop(0)
        if one in done:
            continue
        done.append(one)
        yield one
        hints = list(get_type_hints(one).values())
        while hints:
            hint = hints.pop(0)
            if dataclasses.is_dataclass(hint) and isinstance(hint, type):
                todo.append(hint)
            hints += _parts(hint)


def kind(hint: Any) -> str:
    """Return how JSON has a value of this type."""
    parts = [p for p in _parts(hint) if p is not Ellipsis]
    if type(None) in parts:
        (other,) = [p for p in parts if p is not type(None)]
        return f'{kind(other)}, or null'
    origin = getattr(hint, '__origin__', None)
    if origin is dict:
        return f'object of {kind(parts[1])} by name'
    if origin in (tuple, list):
        return f'list of {kind(parts[0])}'
    if hint is Any:
        return 'any'
    if isinstance(hint, type) and issubclass(hint, enum.Enum):
        return ' or '.join(f'``{value.value}``' for value in hint)
    if dataclasses.is_dataclass(hint) and isinstance(hint, type):
        return f'{hint.__name__}_'
    return NAMES.get(hint, 'text')


def meaning(owner: type, name: str) -> Tuple[str, str]:
    """Return unit and meaning of a field; LookupError where none is told."""
    text = TEXTS.get(owner.__name__, {}).get(name) or _comment(owner, name)
    if not text:
        raise LookupError(
            f'{owner.__name__}.{name} is in exports and described nowhere: '
            'add it to qa/lint/export_fields.py, with its unit'
        )
    found = UNIT.match(text)
    return (found[2], found[1]) if found else ('', text)


def _comment(owner: type, name: str) -> str:
    for line in inspect.getsource(owner).splitlines():
        found = re.match(rf'    {name}: [^#]*#\s*(.*)', line)
        if found:
            return found[1]
    return ''


def unknown() -> List[str]:
    """Return the texts for fields that no export has any more."""
    names = {
        c.__name__: {data_name(f) for f in dataclasses.fields(c)}
        for root in (run.Run, trial.Trial, Manifest, recovery.Episode)
        + (recovery.RecoveryTest,)
        for c in classes(root)
    }
    return [
        f'qa/lint/export_fields.py: no export has {owner}.{name}'
        for owner, texts in TEXTS.items()
        for name in texts
        if name not in names.get(owner, set())
    ]


def _table(titles: Tuple[str, ...], widths: str, rows: Rows) -> List[str]:
    lines = ['.. list-table::', '   :header-rows: 1', f'   :widths: {widths}']
    lines.append('')
    for row in [titles, *rows]:
        for place, cell in enumerate(row):
            first = '   * - ' if not place else '     - '
            lines += textwrap.wrap(
                cell,
                WIDTH,
                initial_indent=first,
                subsequent_indent='       ',
                break_long_words=False,
                break_on_hyphens=False,
            ) or [first.rstrip()]
    return [*lines, '']


def _section(owner: type) -> List[str]:
    hints = get_type_hints(owner)
    rows: Rows = []
    for field in dataclasses.fields(owner):
        name = data_name(field)
        unit, text = meaning(owner, name)
        rows.append((f'``{name}``', kind(hints[field.name]), unit, text))
    title = owner.__name__
    return [title, '-' * len(title), '', *_of_fields(rows)]


def _of_fields(rows: Rows) -> List[str]:
    return _table(('Field', 'Type', 'Unit', 'Meaning'), '22 24 12 42', rows)


def _heading(text: str) -> List[str]:
    return [text, '=' * len(text), '']


def _evidence() -> List[str]:
    lines = _heading('Evidence')
    lines += [
        'What the ``evidence`` of a Trial_ has depends on its load and on',
        'what could be read: what is absent was not recorded. ``<…>`` stands',
        'for any name; of lists, the keys are those of each item. Buckets of',
        'latency histograms: with *s* = bucket // 128 - 1, those of *s* < 1',
        'are nanoseconds, others begin at (bucket - 128 *s*) · 2\\ :sup:`s`',
        'nanoseconds and are 2\\ :sup:`s` wide.',
        '',
    ]
    for title, rows in EVIDENCE.items():
        lines += [title, '-' * len(title), '']
        told: Rows = []
        for name, text in rows.items():
            found = UNIT.match(text)
            unit, text = (found[2], found[1]) if found else ('', text)
            told.append((f'``{name}``', unit, text))
        lines += _table(('Key', 'Unit', 'Meaning'), '34 14 52', told)
    return lines + _counters()


def _counters() -> List[str]:
    rows: Rows = []
    for counter in COUNTERS:
        paths = ', '.join(f'``{path}``' for path in counter.paths)
        rows.append(
            (f'``{counter.name}``', counter.unit, paths, WAYS[counter.kind])
        )
    return [
        'Counters of OSDs',
        '----------------',
        '',
        'The keys of ``osds.<osd>``, and of its series. Of some there is also',
        '``<name>_total``, the sum, and of gauges ``<name>_mean`` and',
        '``<name>_max``, of the reports within the window.',
        '',
        *_table(
            ('Key', 'Unit', 'Counter of ``perf dump``', 'Is'),
            '22 8 46 24',
            rows,
        ),
    ]


def page() -> str:
    """Return the page as it must be."""
    lines = [HEAD.read_text(encoding='utf-8')]
    seen: List[type] = []
    for title, roots in (
        ('Runs', (run.Run, trial.Trial, Manifest)),
        ('Recoveries', (recovery.RecoveryTest, recovery.Episode)),
    ):
        lines += _heading(title)
        for root in roots:
            for owner in classes(root):
                if owner not in seen:
                    seen.append(owner)
                    lines += _section(owner)
        if title == 'Runs':
            lines += _evidence()
    return '\n'.join(lines).rstrip('\n') + '\n'


def undescribed(evidence: Any) -> List[str]:
    """Return the keys of a trial's evidence that the page does not have."""
    known = [
        re.compile(re.sub(r'<\w+>', '[^.]+', re.escape(path)) + r'\Z')
        for rows in EVIDENCE.values()
        for path in rows
    ]
    return sorted(
        path
        for path in set(_paths(evidence, ''))
        if not any(k.match(path) for k in known)
    )


def _paths(data: Any, path: str) -> Iterator[str]:
    """Yield the path of each value; those of a list have the list's."""
    if isinstance(data, dict):
        for name, value in data.items():
            # names of hosts and devices may have dots
            yield from _paths(value, f'{path}.{name.replace(".", "_")}')
    elif isinstance(data, list):
        for item in data:
            yield from _paths(item, path)
    else:
        yield path.lstrip('.')


def main() -> int:
    """Hold an exported run against the page; return 1 for what it lacks."""
    content = json.load(sys.stdin)['content']
    found = {p for t in content['trials'] for p in undescribed(t['evidence'])}
    for path in sorted(found):
        print(f'evidence.{path} is not in {PAGE.relative_to(TOP)}')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main())
