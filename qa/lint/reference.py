"""Make the manual's reference pages from what the module declares.

    reference.py            print the page of commands
    reference.py --write    put all pages where they belong, after a change

Commands and their options are those of declared_commands.py, health warnings
that runs accept those of guard/checks/health.py. The page on exported files is
made by exports.py.
manual.py refuses a page that is not what this makes.
"""

from typing import List, Sequence

import sys
import textwrap

import exports
from declared_commands import (
    TOP,
    WIDTH,
    Command,
    commands,
    examples,
    texts,
)

from perfcompare.cli import options as declared
from perfcompare.common.option import Option
from perfcompare.guard.checks import health

PAGE = TOP / 'doc' / 'mgr' / 'perfcompare' / 'reference.rst'
KINDS = {str: 'text', int: 'number', float: 'number', bool: 'flag'}
HEAD = """\
.. _mgr-perfcompare-reference:

=========
Reference
=========

.. This page is made by qa/lint/reference.py of the declarations of commands;
   change those.

All commands of the module, with all they take. ``ceph perfcompare help`` lists
them on the command line.

* What stands in brackets is optional. Options that can be repeated can also be
  given once, with commas: ``--group x86,arm``.
* Every command but the exports and ``agent sync`` takes ``--format``:
  ``plain`` (the default), ``json``, ``json-pretty`` or ``yaml``.
* *Reads* says that capabilities to read suffice (mgr ``allow r``); *changes*
  says that they do not (mgr ``allow rw``).
"""
NO_DEFAULT = '–'
# commands whose table is that of another one
AS_OF = {'preflight': 'run'}
ROOMS = {
    '': 'Runs, Comparisons, Checks',
    'group': 'Groups',
    'gateways': 'Gateways',
    'profile': 'Profiles',
    'exporter': 'Exporters',
    'load-host': 'Load Hosts',
    'agent': 'Load Agents',
    'recovery': 'Recoveries',
}


def _title(text: str, line: str) -> List[str]:
    return ['', text, line * len(text), '']


def _number(value: float) -> str:
    return f'{int(value):,}' if value == int(value) else f'{value:g}'


def _takes(option: Option) -> str:
    """Say what values an option takes."""
    if option.choices:
        return ', '.join(f'``{c}``' for c in option.choices)
    low, high = option.least, option.most
    unit = f' {option.unit}' if option.unit else ''
    if low is not None and high is not None and option.beyond:
        return f'above {_number(low)}, up to {_number(high)}{unit}'
    if low is not None and high is not None:
        return f'{_number(low)} to {_number(high)}{unit}'
    if low is not None:
        return f'{_number(low)} or more{unit}'
    kind = KINDS[option.type]
    return kind + (', repeatable' if option.many else '')


def _cell(text: str, first: str) -> List[str]:
    return textwrap.wrap(
        text,
        WIDTH,
        initial_indent=first,
        subsequent_indent='       ',
        break_long_words=False,
        break_on_hyphens=False,
    )


_HEADS = (
    '.. list-table::',
    '   :header-rows: 1',
    '   :widths: 26 28 12 34',
    '',
    '   * - Option',
    '     - Takes',
    '     - Default',
    '     - Meaning',
)


def _table(options: Sequence[Option]) -> List[str]:
    """Return the options of a command as a table."""
    lines = list(_HEADS)
    for option in options:
        lines += _cell(f'``{option.flag}``', '   * - ')
        lines += _cell(_takes(option), '     - ')
        default = f'``{option.default}``' if option.default else NO_DEFAULT
        default = default.strip('`') if ' ' in default else default
        lines += _cell('required' if option.required else default, '     - ')
        lines += _cell(option.help, '     - ')
    return lines


def _told(command: Command) -> List[str]:
    """Return what the options of a command take that declares none.

    LookupError for an option of which nothing is told.
    """
    told = texts(command.name)
    lines = []
    for argument in command.arguments:
        if argument.positional and not argument.flag.startswith('-'):
            continue
        if argument.flag not in told:
            raise LookupError(
                f'{command.name} {argument.flag}: say what it takes in '
                'qa/lint/argument_texts.py'
            )
        name = f'``{argument.flag}``'
        for place, cell in enumerate((name, *told[argument.flag])):
            if place == 2 and cell == 'none':
                cell = NO_DEFAULT
            lines += _cell(cell, '     - ' if place else '   * - ')
    return [*_HEADS, *lines] if lines else []


def _section(command: Command, example: str) -> List[str]:
    does = 'Changes' if command.changes else 'Reads'
    lines = _title(f'``{command.name}``', '-')
    lines += ['::', '', *(f'   {line}' for line in command.usage), '']
    lines += textwrap.wrap(f'{command.does}. *{does}.*', WIDTH)
    if example:
        words = f'ceph perfcompare {command.name} {example}'
        lines += ['', 'For example:', '', '.. prompt:: bash #', '']
        lines += [f'   {words}']
    if command.name in AS_OF:
        lines += [
            '',
            _as_of(command, declared.commands()[AS_OF[command.name]]),
        ]
    elif command.options:
        lines += ['', *_table(command.options)]
    else:
        told = _told(command)
        lines += ['', *told] if told else []
    return lines


def _as_of(command: Command, others: Sequence[Option]) -> str:
    """Say that a command takes the options of another one."""
    if set(command.options) - set(others):
        raise LookupError(f'{command.name} has options of its own')
    but = [f'``{o.flag}``' for o in others if o not in command.options]
    return (
        f'The options are those of ``{AS_OF[command.name]}``, but '
        f'{" and ".join(but)}.'
    )


def page() -> str:
    """Return the page as it must be."""
    lines = HEAD.rstrip('\n').split('\n')
    known, shown = commands(), examples()
    nouns = {c.name.split()[0] for c in known if ' ' in c.name}
    if nouns - set(ROOMS):
        raise LookupError(f'no heading for {sorted(nouns - set(ROOMS))}')
    for room, title in ROOMS.items():
        lines += _title(title, '=')[:-1]
        for command in known:
            noun = command.name.split()[0] if ' ' in command.name else ''
            if noun == room:
                lines += _section(command, shown.get(command.name, ''))
    return '\n'.join(lines + _warnings()) + '\n'


def _warnings() -> List[str]:
    """Return the section on health warnings."""
    lines = ['', '.. _mgr-perfcompare-allowed-warnings:']
    lines += _title('Health Warnings That Runs Accept', '=')
    lines += [
        *textwrap.wrap(
            'A run may start under these warnings, and preflight shows '
            'them. Any other refuses it, unless it is muted; an error '
            'refuses it in any case, but for ``AUTH_INSECURE_*``: Ceph has '
            'these errors after an upgrade to a release with better keys, '
            'until keys are renewed. An asterisk stands for any end.',
            WIDTH,
        ),
        '',
        '.. list-table::',
        '   :header-rows: 1',
        '   :widths: 40 60',
        '',
        '   * - Warning',
        '     - Why a run may start',
    ]
    ends = {f'{k}*': why for k, why in health.ALLOWED_PREFIXES.items()}
    for code, reason in sorted({**health.ALLOWED, **ends}.items()):
        lines += _cell(f'``{code}``', '   * - ')
        lines += _cell(reason, '     - ')
    lines += [
        '',
        f'``{health.LEFTOVERS}`` is not among them: nothing runs while '
        'something',
        'is left of an earlier run.',
    ]
    return lines


def stale() -> List[str]:
    """Return a line for each page that is not what it must be."""
    return exports.unknown() + [
        f'{path.relative_to(TOP)} is not what the declarations say; run: '
        'PYTHONPATH=src/pybind/mgr python qa/lint/reference.py --write'
        for path, text in ((PAGE, page()), (exports.PAGE, exports.page()))
        if not path.is_file() or path.read_text(encoding='utf-8') != text
    ]


def main(words: List[str]) -> int:
    """Print the page, or write it."""
    if words == ['--write']:
        PAGE.write_text(page(), encoding='utf-8')
        exports.PAGE.write_text(exports.page(), encoding='utf-8')
        return 0
    if words:
        print(f'unknown argument {words[0]!r}; known is --write')
        return 1
    print(page(), end='')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
