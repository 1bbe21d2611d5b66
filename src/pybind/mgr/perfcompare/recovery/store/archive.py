"""A recovery as a file: export with all its series, and strict import.

The ``content`` (see store/export_file.py) has ``kind`` ('episode' or 'test'),
``item`` (recovery.models) and ``series`` by name. Beside it a test has its
``comparison``, as `recovery compare` gives it; import does not read it.
"""

from typing import Any, Dict, Tuple

import dataclasses
import re

from ...common.codec import to_data
from ...common.errors import Busy, InvalidArgument
from ...model.recovery import Episode, RecoveryTest
from ...model.series import Table
from ...store import export_file as exportfile
from ...store.archive_tables import MAX_SAMPLES, table_data, table_of
from ..judge.comparison import compare
from .briefs import EPISODE, TEST, Item, is_ended, kind_of
from .recoveries import SOURCE, decoded

FORMAT = exportfile.FileFormat(
    'perfcompare-recovery',
    1,
    'recovery',
    'ceph perfcompare recovery export <id>',
    derived=frozenset(('comparison',)),
    item='item',
)
IMPORT = 'import:'
_ID = re.compile(r'[0-9a-f]{8}\Z')


def dump(item: Item, tables: Dict[str, Table]) -> str:
    """Return a recovery as the text of a file; Busy while it goes on."""
    if not is_ended(item):
        raise Busy(f'recovery {item.id} has not ended; export it when it has')
    content = {
        'kind': kind_of(item),
        'item': to_data(item),
        'series': {n: table_data(t) for n, t in sorted(tables.items())},
    }
    if isinstance(item, RecoveryTest):
        told = to_data(compare(item))
        return exportfile.dump(FORMAT, content, comparison=told)
    return exportfile.dump(FORMAT, content)


def parse(text: str) -> Tuple[Item, Dict[str, Table]]:
    """Return the content of a file; InvalidArgument says what is wrong."""
    return exportfile.parse(FORMAT, text, _recovery)


def _recovery(data: Dict[str, Any]) -> Tuple[Item, Dict[str, Table]]:
    content = data['content']
    fields = {'kind', 'item', 'series'}
    if not isinstance(content, dict) or set(content) != fields:
        raise InvalidArgument('content: needs exactly kind, item and series')
    kind = content['kind']
    if kind not in (EPISODE, TEST):
        raise InvalidArgument(f'content.kind: {kind!r} is not known')
    item = decoded(kind, content['item'])
    if not _ID.match(item.id):
        raise InvalidArgument(f'content.item.id: {item.id!r} is not an id')
    if not is_ended(item):
        raise InvalidArgument('content.item.state: has not ended')
    if not isinstance(content['series'], dict):
        raise InvalidArgument('content.series: is not a mapping')
    tables: Dict[str, Table] = {}
    left = MAX_SAMPLES
    for name, data in content['series'].items():
        if not SOURCE.match(name):
            raise InvalidArgument(f'content.series: {name!r} is not a name')
        tables[name] = table_of(data, f'content.series.{name}', left)
        left -= len(tables[name].t) * (len(tables[name].columns) + 1)
    return _marked(item), tables


def _marked(item: Item) -> Item:
    """Return the item with an origin that says it came from a file."""
    if item.origin.startswith(IMPORT):
        return item
    origin = IMPORT + (item.fsid or 'unknown')
    if isinstance(item, Episode):
        return dataclasses.replace(item, origin=origin)
    return dataclasses.replace(item, origin=origin)
