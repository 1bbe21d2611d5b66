"""What the options of short commands take, for the page of reference.py.

Options of runs, of drivers and of recovery tests are declared with ranges and
help. Those of other commands are parameters of functions, whose bounds stand
where they are checked: this takes them from there.
"""

from typing import Dict, Tuple

from perfcompare.analysis.across import WORDS
from perfcompare.analysis.efficiency import GROUPS_OF_METRICS, METRICS
from perfcompare.app.requests import MAX_FIND, MAX_OFFSET, MAX_PAGE, PAGE
from perfcompare.groups.repository import MAX_NOTE
from perfcompare.interop.request import AUTO, MAX_LABEL
from perfcompare.store.search import NEWEST, ORDERS
from perfcompare.worker.wire.reading import TOOLS

Told = Tuple[str, str, str]  # what it takes, its default, what it means


def _any_of(*names: str) -> str:
    return ', '.join(f'``{name}``' for name in names)


_PAGE: Dict[str, Told] = {
    '--limit': (f'1 to {MAX_PAGE:,}', f'``{PAGE}``', 'How many to list'),
    '--offset': (f'0 to {MAX_OFFSET:,}', '``0``', 'How many to leave out'),
}
TEXTS: Dict[str, Dict[str, Told]] = {
    'ls': {
        **_PAGE,
        '--find': (
            f'text, at most {MAX_FIND} characters',
            'none',
            'Only runs that have each of these words',
        ),
        '--sort': (_any_of(*ORDERS), f'``{NEWEST}``', 'Order of the list'),
    },
    'recovery ls': {
        **_PAGE,
        '--kind': (
            _any_of('episode', 'test'),
            'both',
            'Only observed recoveries, or only tests',
        ),
    },
    'compare': {
        '--run': (
            'ids, repeatable',
            'the newest with both',
            'Runs to compare',
        ),
        '--metrics': (
            _any_of(*GROUPS_OF_METRICS, *(m.id for m in METRICS))
            + '; repeatable',
            '``primary``',
            'Further metrics to judge',
        ),
        '--across': (
            _any_of(*WORDS)
            + ', ``settings.<option>`` or a field of the manifest; repeatable',
            'none',
            'What is meant to differ',
        ),
    },
    'recovery compare': {
        '--baseline': ('a group', 'the first', 'Group to compare with'),
        '--candidate': ('a group', 'the second', 'Group that is compared'),
    },
    'show': {
        '--findings': ('flag', 'none', 'What limited each cell, and proof'),
        '--osds': ('flag', 'none', 'What each OSD did'),
        '--hosts': ('flag', 'none', 'Figures of hosts, side by side'),
        '--journal': ('flag', 'none', 'What the run has in the cluster now'),
        '--round': ('0 and up', 'all', 'With ``--osds``, of one trial'),
        '--workload': ('a workload', 'all', 'With ``--osds``, of one trial'),
        '--group': ('a group', 'all', 'With ``--osds``, of one trial'),
        '--top': ('1 and up', 'all', 'OSDs of the trial, the unlike first'),
    },
    'recovery show': {
        '--chart': ('flag', 'none', 'How a test went, second by second'),
        '--repetition': ('1 and up', '``1``', 'With ``--chart``, which'),
        '--step': ('0 and up', 'all', 'With ``--chart``, one step alone'),
    },
    'stop': {'--now': ('flag', 'none', 'Kill the load first')},
    'import': {
        '--tool': (_any_of(AUTO, *TOOLS), f'``{AUTO}``', 'What wrote it'),
        '--group': ('a name', 'that of the file', 'Whose results they are'),
        '--label': (
            f'text, at most {MAX_LABEL} characters',
            'none',
            'Shown with the run',
        ),
    },
    'group detect': {'--apply': ('flag', 'none', 'Set what is proposed')},
    'group set': {
        '--hosts': (
            'CRUSH host buckets, repeatable',
            'none',
            'Hosts of the group',
        ),
        '--device-class': ('text', 'any', 'Only OSDs of this class'),
        '--watts': ('number above 0', 'none', 'Power of the whole group'),
        '--price': ('number above 0', 'none', 'Price of the whole group'),
        '--note': (
            f'text, at most {MAX_NOTE} characters',
            'none',
            'Shown with each comparison',
        ),
    },
    'gateways set': {
        '--endpoint': ('URLs, repeatable', 'required', 'Gateways to use'),
        '--placement': ('text', "the user's own", 'Placement target'),
        '--region': ('text', '``us-east-1``', 'Region of signatures'),
        '--dns-name': ('a domain', 'none', 'Where buckets are hosts'),
    },
}
FILE: Told = ('a file, 128 KiB at most', 'required', 'What is to be set')
IMPORTED: Told = ('a file', 'required', 'What is to be imported')
