"""What commands the module has, read from its sources as they are declared.

ceph-mgr's modules are not needed for that. Options of runs and of recovery
tests are those of cli/options.py, which makes their commands.
"""

from typing import Any, Dict, Iterable, Iterator, List, Sequence, Tuple

import ast
import dataclasses
import pathlib

import argument_texts

from perfcompare.cli import options as declared
from perfcompare.common.option import Option

TOP = pathlib.Path(__file__).resolve().parents[2]
SOURCES = TOP / 'src' / 'pybind' / 'mgr' / 'perfcompare'
WIDTH = 78


@dataclasses.dataclass(frozen=True)
class Argument:
    """Describe one argument of a command."""

    flag: str  # '--limit'; of a positional one 'group'
    kind: type
    many: bool = False
    required: bool = False
    positional: bool = False

    @property
    def usage(self) -> str:
        """Return how it stands in the line of a command's usage."""
        name = self.flag.lstrip('-')
        if self.positional:
            text = f'<{name}>'
        elif self.kind is bool:
            text = self.flag
        elif name == 'i':
            text = '-i <file>'
        else:
            text = f'{self.flag} <{name}>' + ('...' if self.many else '')
        return text if self.required else f'[{text}]'


@dataclasses.dataclass(frozen=True)
class Command:
    """Describe one command, without 'ceph perfcompare'."""

    name: str
    does: str
    changes: bool
    arguments: Tuple[Argument, ...]
    options: Tuple[Option, ...]

    @property
    def usage(self) -> List[str]:
        """Return the command with its arguments, in lines."""
        arguments = [a.usage for a in self.arguments]
        if self.options:
            arguments = [
                of_option(o).usage for o in self.options if o.required
            ] + ['[<options>]']
        return _wrapped([f'ceph perfcompare {self.name}', *arguments])


def _wrapped(parts: Sequence[str]) -> List[str]:
    """Return lines of which none begins within a part."""
    lines = [parts[0]]
    for part in parts[1:]:
        if len(lines[-1]) + len(part) + 1 > WIDTH - 3:
            lines.append('   ')
        lines[-1] += f' {part}'
    return lines


def of_option(option: Option) -> Argument:
    """Return a declared option as an argument."""
    return Argument(option.flag, option.type, option.many, option.required)


def _name(node: Any) -> str:
    """Return the name of what is called or subscripted."""
    node = node.func if isinstance(node, ast.Call) else node
    return str(getattr(node, 'id', getattr(node, 'attr', '')))


def _type(node: Any) -> Tuple[type, bool]:
    """Return the type of a parameter, and whether it is a list of those."""
    text = ast.unparse(node)
    many = 'List[' in text
    for kind in (float, int, bool):
        if kind.__name__ in text:
            return kind, many
    return str, many


def _arguments(node: ast.FunctionDef) -> Iterator[Argument]:
    parameters = node.args.args[1:]
    first = len(parameters) - len(node.args.defaults)
    positional = True
    for place, parameter in enumerate(parameters):
        name = parameter.arg
        if name == '_end_positional_':
            positional = False
        elif name == 'inbuf':
            yield Argument('-i', str)
        elif name != 'format':
            kind, many = _type(parameter.annotation)
            required = place < first
            # a flag is given by its name wherever it stands
            by_place = (positional and kind is not bool) or required
            flag = name if by_place else '--' + name.replace('_', '-')
            yield Argument(flag, kind, many, required, by_place)


def texts(command: str) -> Dict[str, argument_texts.Told]:
    """Return what the options of a command take that declares none."""
    found = dict(argument_texts.TEXTS.get(command, {}))
    found['-i'] = (
        argument_texts.IMPORTED
        if command.endswith('import')
        else argument_texts.FILE
    )
    return found


def _asked(command: str, arguments: Iterable[Argument]) -> Iterator[Argument]:
    """Return arguments; those without which a command refuses as such.

    Their parameters have defaults, as ceph-mgr has none without.
    """
    told = texts(command)
    for argument in arguments:
        _, default, _ = told.get(argument.flag, ('', '', ''))
        needed = argument.required or default == 'required'
        yield dataclasses.replace(argument, required=needed)


def commands() -> List[Command]:
    """Return all commands, by name."""
    options = declared.commands()
    found: Dict[str, Command] = {}
    for path in [SOURCES / 'module.py', *sorted(SOURCES.glob('cli/*.py'))]:
        tree = ast.parse(path.read_text(encoding='utf-8'))
        for node in ast.walk(tree):
            if not isinstance(node, ast.FunctionDef):
                continue
            for mark in node.decorator_list:
                kind = _name(mark)
                if kind not in ('read_command', 'write_command'):
                    continue
                assert isinstance(mark, ast.Call)
                name = str(ast.literal_eval(mark.args[0]))
                found[name] = Command(
                    name,
                    ' '.join((ast.get_docstring(node) or '').split()),
                    kind == 'write_command',
                    tuple(_asked(name, _arguments(node))),
                    tuple(o for o in options.get(name, ())),
                )
    return [found[name] for name in sorted(found)]


def examples() -> Dict[str, str]:
    """Return the examples that `ceph perfcompare help` shows."""
    text = (SOURCES / 'cli' / 'help.py').read_text(encoding='utf-8')
    for node in ast.parse(text).body:
        if isinstance(node, ast.AnnAssign) and _name(node.target) == (
            'EXAMPLES'
        ):
            assert node.value is not None
            found: Dict[str, str] = ast.literal_eval(node.value)
            return found
    raise LookupError('cli/help.py has no EXAMPLES')
