"""Command lines, made of what the mgr itself says that commands take."""

from typing import Any, Dict, List, NamedTuple

from hypothesis import strategies

from .words import ASCII, FLOAT, INTEGER

# who would take these with good words changes something, as is wished
CONSENTS = ('yes_i_really_mean_it', 'allow_local_client', 'apply')
FORMATS = ('plain', 'json', 'json-pretty', 'yaml', 'xml', '')
FILES = ('import', 'recovery import', 'exporter set', 'gateways set')


class Line(NamedTuple):
    """Hold a command: its fields, and what it is given with -i."""

    fields: Dict[str, Any]
    file: str = ''


def _value(kind: str) -> Any:
    if kind == 'CephInt':
        return INTEGER
    if kind == 'CephFloat':
        return FLOAT
    if kind == 'CephBool':
        return strategies.booleans()
    return ASCII


def line(signature: List[Any], files: Any) -> Any:
    """Return a strategy of lines of one command.

    Types are those that the mgr states: it refuses others by itself.
    """
    words = [part for part in signature if isinstance(part, str)]
    words += [p['prefix'] for p in signature if 'prefix' in p]
    given: Dict[str, Any] = {}
    optional: Dict[str, Any] = {}
    for part in signature:
        name = part['name'] if isinstance(part, dict) else ''
        if not name or name in CONSENTS or name.startswith('_end'):
            continue
        value = _value(part['type'])
        if name == 'format':
            value = strategies.sampled_from(FORMATS)
        if part.get('n') == 'N':
            value = strategies.lists(value, max_size=4)
        wanted = part.get('req', True) not in (False, 'false')
        (given if wanted else optional)[name] = value
    prefix = ' '.join(words)
    inputs = files if prefix[12:] in FILES else strategies.just('')
    fields = strategies.fixed_dictionaries(given, optional=optional)
    return strategies.builds(
        lambda found, file: Line(dict(found, prefix=prefix), file),
        fields,
        inputs,
    )


def lines(descriptions: Dict[str, Any], files: Any) -> Any:
    """Return a strategy of lines of all commands of the module."""
    signatures = [
        one['sig']
        for one in descriptions.values()
        if _prefix(one['sig']).startswith('perfcompare')
    ]
    assert len(signatures) > 20, 'the mgr does not tell our commands'
    return strategies.one_of([line(sig, files) for sig in signatures])


def _prefix(signature: List[Any]) -> str:
    return ' '.join(part for part in signature if isinstance(part, str))
