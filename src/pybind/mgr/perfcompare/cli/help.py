"""`ceph perfcompare help`: the commands, with one example of each."""

from typing import Any, Dict, List, Optional

import dataclasses
import difflib

from ..report.table import table
from .registry import Answer, Registry, read_command

OWN = 'perfcompare '
NEAREST = 5  # commands that are shown for words that are none
EXAMPLES: Dict[str, str] = {
    'group set': 'arm --hosts arm-1,arm-2',
    'group show': 'arm',
    'group rm': 'arm',
    'gateways set': 'arm --endpoint http://arm-1:8000 -i keys.json',
    'gateways rm': 'arm',
    'profile show': 'quick',
    'profile export': 'quick > mine.yaml',
    'profile set': 'mine -i mine.yaml',
    'profile rm': 'mine',
    'run': '--group x86 --group arm --dry-run',
    'preflight': '--group x86 --group arm',
    'compare': 'x86 arm',
    'show': '<run> --findings',
    'cancel': '<run>',
    'stop': '--now',
    'rm': '<run>',
    'export': '<run> > run.json',
    'import': '-i run.json',
    'exporter set': '-i exporters.yaml',
    'load-host add': 'load-1',
    'load-host rm': 'load-1',
    'load-host check': 'load-1',
    'load-host enable': 'load-1',
    'load-host disable': 'load-1',
    'agent sync': 'load-1 -i -',
    'recovery run': '--group x86 --group arm --dry-run',
    'recovery cancel': '<test>',
    'recovery compare': '<test>',
    'recovery show': '<recovery>',
    'recovery rm': '<recovery>',
    'recovery export': '<recovery> > recovery.json',
    'recovery import': '-i recovery.json',
    'help': 'recovery',
}


@dataclasses.dataclass(frozen=True)
class CommandHelp:
    """Say what one command does."""

    command: str  # without 'ceph perfcompare'
    does: str
    example: str


def commands() -> List[CommandHelp]:
    """Return all commands of the module, by name."""
    found: Dict[str, CommandHelp] = {}
    for prefix, command in Registry.COMMANDS.items():
        if not prefix.startswith(OWN):
            continue  # of other modules, before 20.2
        name = prefix[len(OWN) :]
        example = f'ceph {prefix} {EXAMPLES.get(name, "")}'.strip()
        found[name] = CommandHelp(name, str(command.desc), example)
    return [found[name] for name in sorted(found)]


def about(words: str) -> List[CommandHelp]:
    """Return the commands that begin with words, or the nearest ones."""
    known = commands()
    words = ' '.join(words.split())[:80]
    begun = [c for c in known if f'{c.command} '.startswith(f'{words} ')]
    if begun or not words:
        return begun or known
    inside = [c for c in known if words in c.command]
    near = difflib.get_close_matches(
        words, [c.command for c in known], NEAREST, 0.4
    )
    return inside or [c for c in known if c.command in near] or known


def text(found: List[CommandHelp]) -> str:
    """Return commands as a table."""
    return table(
        ['COMMAND', 'DOES', 'EXAMPLE'],
        [[c.command, c.does, c.example] for c in found],
    )


class HelpCommands:
    """Be the part of Module that says what commands there are."""

    service: Any

    @read_command('help', at_once=True)
    def help_(
        self,
        words: Optional[str] = None,
        _end_positional_: int = 0,
        format: Optional[str] = None,
    ) -> Answer:
        """List commands with an example; all, or the nearest to a word"""
        found = about(words or '')
        return Answer(found, lambda: text(found))
