"""A recovery as a file: export with all its series, and strict import.

One JSON object: ``format`` ('perfcompare-recovery'), ``version`` (1),
``checksum`` (of ``content``, as in archive.py) and ``content``: ``kind``
('episode' or 'test'), ``item`` (recovery.models) and ``series`` by name.
"""

from typing import Any, Dict, Tuple

import dataclasses
import hashlib
import json
import re

from ..archive import MAX_CHARS
from ..archive_tables import MAX_SAMPLES, table_data, table_of
from ..codec import to_data
from ..errors import Busy, InvalidArgument
from ..series_codec import Table
from .models import Episode
from .store import (
    EPISODE,
    SOURCE,
    TEST,
    Item,
    decoded,
    is_ended,
    kind_of,
)

FORMAT = 'perfcompare-recovery'
VERSION = 1
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
    body = _canonical(content)
    head = {
        'format': FORMAT,
        'version': VERSION,
        'checksum': _checksum(body),
    }
    return f'{_canonical(head)[:-1]},"content":{body}}}\n'


def parse(text: str) -> Tuple[Item, Dict[str, Table]]:
    """Return the content of a file; InvalidArgument says what is wrong."""
    if len(text) > MAX_CHARS:
        raise InvalidArgument(
            f'the file has {len(text)} characters, {MAX_CHARS} at most '
            'can be imported'
        )
    try:
        data = json.loads(text, parse_constant=_no_constant)
    except (ValueError, RecursionError) as err:
        raise InvalidArgument(
            f'the file is no complete JSON ({err}); export the recovery '
            'again'
        ) from None
    if not isinstance(data, dict) or data.get('format') != FORMAT:
        raise InvalidArgument(
            "the file is no export of a recovery; make one by 'ceph "
            "perfcompare recovery export <id>'"
        )
    if data.get('version') != VERSION:
        raise InvalidArgument(
            f'the file has version {data.get("version")!r}, this module '
            f'reads {VERSION}'
        )
    content = data.get('content')
    try:
        checksum = _checksum(_canonical(content))
    except (ValueError, RecursionError):
        raise InvalidArgument(
            'the file holds a number or nesting that no export has'
        ) from None
    if data.get('checksum') != checksum:
        raise InvalidArgument(
            'the file was changed or damaged: its checksum is wrong; '
            'export the recovery again'
        )
    return _content(content)


def _content(content: Any) -> Tuple[Item, Dict[str, Table]]:
    fields = {'kind', 'item', 'series'}
    if not isinstance(content, dict) or set(content) != fields:
        raise InvalidArgument('content: needs exactly kind, item and series')
    kind = content['kind']
    if kind not in (EPISODE, TEST):
        raise InvalidArgument(f'content.kind: {kind!r} is not known')
    item = decoded(kind, content['item'])
    if not _ID.match(item.id):
        raise InvalidArgument(f'content.item.id: {item.id!r} is no id')
    if not is_ended(item):
        raise InvalidArgument('content.item.state: has not ended')
    if not isinstance(content['series'], dict):
        raise InvalidArgument('content.series: is not a mapping')
    tables: Dict[str, Table] = {}
    left = MAX_SAMPLES
    for name, data in content['series'].items():
        if not SOURCE.match(name):
            raise InvalidArgument(f'content.series: {name!r} is no name')
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


def _no_constant(name: str) -> float:
    raise ValueError(f'{name} is no number of JSON')


def _canonical(data: Any) -> str:
    return json.dumps(
        data, sort_keys=True, separators=(',', ':'), allow_nan=False
    )


def _checksum(text: str) -> str:
    return 'sha256:' + hashlib.sha256(text.encode('ascii')).hexdigest()
