"""Read the text format in which exporters show their metrics.

The format is version 0.0.4 of Prometheus' text exposition format:
https://prometheus.io/docs/instrumenting/exposition_formats/
"""

from typing import (
    Collection,
    Dict,
    List,
    Mapping,
    NamedTuple,
    Optional,
)

import dataclasses
import re

TYPES = ('counter', 'gauge', 'histogram', 'summary', 'untyped')
LINE_SHOWN = 80  # characters of a line that cannot be read
LINE_MAX = 64 << 10  # characters of a line that is read

_NAME = re.compile(r'[a-zA-Z_:][a-zA-Z0-9_:]*')
# Lines may mean harm: what a part of a pattern takes never begins the next,
# so that the time for a line grows with its length alone.
_VALUE = (
    r'[+-]?(?:[0-9]+(?:\.[0-9]*)?(?:[eE][+-]?[0-9]+)?'
    r'|\.[0-9]+(?:[eE][+-]?[0-9]+)?|[iI]nf(?:inity)?)|[nN]a[nN]'
)
# what may stand between the braces is told from their end by its quotes
_REST = re.compile(
    r'[ \t]*(?:\{((?:[^"{}]|"(?:[^"\\]|\\.)*")*)\}[ \t]*)?'
    rf'({_VALUE})(?:[ \t]+(-?[0-9]{{1,18}}))?[ \t]*'
)
_LABEL = re.compile(
    r'[ \t]*([a-zA-Z_][a-zA-Z0-9_]*)[ \t]*=[ \t]*'
    r'"((?:[^"\\]|\\[\\"n])*)"[ \t]*(,|\Z)'
)
_ESCAPE = re.compile(r'\\(.)')
_META = re.compile(
    r'#[ \t]*(HELP|TYPE)[ \t]+([a-zA-Z_:][a-zA-Z0-9_:]*)(?:[ \t]+(.*))?'
)
_PLAIN = {'n': '\n', '\\': '\\', '"': '"'}


class ExpositionError(ValueError):
    """Say which line of an exposition cannot be read, and why."""

    def __init__(self, number: int, line: str, why: str) -> None:
        shown = line[:LINE_SHOWN] + ('…' if len(line) > LINE_SHOWN else '')
        super().__init__(f'line {number}: {why}: {shown!r}')
        self.number = number


class Sample(NamedTuple):
    """Hold one value of one series."""

    name: str
    labels: Dict[str, str]
    value: float
    timestamp: Optional[float] = None  # Unix time in seconds


@dataclasses.dataclass(frozen=True)
class Exposition:
    """Hold the samples of one scrape, in order, and what they are."""

    samples: List[Sample]
    types: Mapping[str, str]  # family -> one of TYPES
    helps: Mapping[str, str]


def parse(text: str, wanted: Optional[Collection[str]] = None) -> Exposition:
    """Return the samples of ``text``.

    With ``wanted``, samples of other names are passed over unread: most of
    what an exporter shows is not needed, and reading it is the cost of a
    scrape. Types and helps are passed over then, too. Raises
    ExpositionError for the first line that breaks the format or is longer
    than LINE_MAX, and for a text that ends within a line (it was cut).
    """
    samples: List[Sample] = []
    types: Dict[str, str] = {}
    helps: Dict[str, str] = {}
    lines = text.split('\n')
    if lines.pop():
        last = len(lines) + 1
        raise ExpositionError(last, text[-LINE_SHOWN:], 'the text is cut')
    for number, line in enumerate(lines, 1):
        if wanted is not None and line.startswith('#'):
            continue
        found = _NAME.match(line)
        if found is None:
            line = line.strip(' \t\r')
            if line.startswith('#'):
                _meta(number, line, types, helps)
                continue
            if not line:
                continue
            found = _NAME.match(line)
            if found is None:
                raise ExpositionError(number, line, 'no metric name')
        name = found.group()
        if wanted is not None and name not in wanted:
            continue
        samples.append(_sample(number, line, name, found.end()))
    return Exposition(samples, types, helps)


def _sample(number: int, line: str, name: str, at: int) -> Sample:
    if len(line) > LINE_MAX:
        raise ExpositionError(
            number, line, f'more than {LINE_MAX} characters'
        )
    rest = _REST.fullmatch(line.rstrip('\r'), at)
    if rest is None:
        raise ExpositionError(number, line, 'no sample')
    body, value, stamp = rest.groups()
    if body is None and line[at : at + 1] not in (' ', '\t'):
        raise ExpositionError(number, line, 'no sample')
    return Sample(
        name,
        _labels(number, line, body) if body else {},
        float(value),
        None if stamp is None else int(stamp) / 1000.0,
    )


def _labels(number: int, line: str, body: str) -> Dict[str, str]:
    labels: Dict[str, str] = {}
    at, end = 0, len(body.rstrip(' \t'))
    while at < end:
        found = _LABEL.match(body, at)
        if found is None:
            raise ExpositionError(number, line, 'no label')
        name, value, _ = found.groups()
        if name in labels:
            raise ExpositionError(number, line, f'label {name!r} twice')
        if '\\' in value:
            value = _ESCAPE.sub(lambda m: _PLAIN[m.group(1)], value)
        labels[name] = value
        at = found.end()
    return labels


def _meta(
    number: int, line: str, types: Dict[str, str], helps: Dict[str, str]
) -> None:
    found = _META.fullmatch(line)
    if found is None:
        return  # a comment
    what, name, rest = found.groups()
    if what == 'HELP':
        helps[name] = _ESCAPE.sub(
            lambda m: _PLAIN.get(m.group(1), m.group()), rest or ''
        )
        return
    kind = (rest or '').strip()
    if kind not in TYPES:
        raise ExpositionError(number, line, f'no type: {kind!r}')
    if types.setdefault(name, kind) != kind:
        raise ExpositionError(number, line, f'{name} has two types')
