"""elbencho: what phases have to have in common to be rounds.

Much of it stands in the command alone. Of that only options that are named
here are looked at, as it may hold keys as well.
"""

from typing import Any, Dict, Mapping

import re

# as the CSV and the JSON have them
COLUMNS = (
    'label',
    'path type',
    'paths',
    'hosts',
    'threads',
    'dirs',
    'files',
    'file size',
    'block size',
    'direct IO',
    'random',
    'random aligned',
    'IO depth',
    'shared paths',
    'shared service paths',
    'truncate',
    'truncate files',
)
FLAGS = (
    'backward',
    'cufile',
    'dirsharing',
    'gds',
    'gdsbufreg',
    'infloop',
    'mmap',
    'nofdsharing',
    'preallocfile',
    'readinline',
    's3fastget',
    's3fastput',
    's3mpusharing',
    's3nocompress',
    's3nompucompl',
    's3randobj',
    's3single',
    's3sse',
    's3virtaddr',
    'statinline',
    'strided',
    'verifydirect',
)
VALUES = (
    'blockvaralgo',
    'blockvarpct',
    'cores',
    'fadv',
    'flock',
    'limitread',
    'limitwrite',
    'madv',
    'randalgo',
    'randamount',
    'rwmixthr',
    'rwmixthrpct',
    's3checksumalgo',
    's3chksumalgo',
    's3endpoints',
    's3listobj',
    's3listobjpar',
    's3maxconns',
    's3mpusizevar',
    's3mpusplit',
    's3multidel',
    's3sign',
    's3targetgbps',
    'sharesize',
    'timelimit',
    'verify',
    'zones',
)
MOST = 1000  # words of a command

_WORD = re.compile(r'"([^"]*)"')
_SAME = {'true': '1', 'false': '0'}  # of the JSON and of the CSV


def settings(row: Mapping[str, Any], phase: str) -> Dict[str, str]:
    """Return what a phase is known by; ``phase`` as elbencho names it."""
    found = {}
    for column in COLUMNS:
        value = str(row.get(column) or '').strip()
        found[column.replace(' ', '_')] = _SAME.get(value.lower(), value)
    found.update(_options(str(row.get('command') or '')))
    # the commands of writes and of reads may be one, or two
    if phase.startswith('READ'):
        found.pop('limitwrite', None)
    elif phase.startswith('WRITE'):
        found.pop('limitread', None)
    elif not phase.startswith(('RWMIX', 'MIX-')):
        for name in ('limitread', 'limitwrite'):
            found.pop(name, None)
    return {name: value for name, value in found.items() if value}


def _options(command: str) -> Dict[str, str]:
    """Return the known options of `"elbencho" "--limitread" "10M"`."""
    found = {}
    words = _WORD.findall(command)[:MOST]
    for word, following in zip(words, [*words[1:], '']):
        name, given, value = word.partition('=')
        name = name[2:] if name.startswith('--') else ''
        if name in FLAGS:
            found[name] = value or '1'
        elif name in VALUES:
            found[name] = value if given else following
    return found
