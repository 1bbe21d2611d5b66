"""Files for `import -i` and its like: near to right ones, or far from."""

from typing import Any

import hashlib
import json

from hypothesis import strategies

from .words import JSON, TEXT

COLUMNS = (
    'group', 'round', 'workload', 'op', 'size', 'concurrency', 'started',
    'duration', 'ops_per_s', 'p99_ms', 'ops', 'tool', 'note', 'osds', 'odd',
)  # fmt: skip
CELLS = (
    '', 'a', 'b', '1', '-1', 'nan', 'inf', '1e308', str(2**70), '4K', '"',
    's3-get', '2026-01-01', '0001-01-01', '\x1b[2J', 'x' * 500,
)  # fmt: skip
WARP = 'idx\tthread\top\tclient_id\tn_objects\tbytes\tendpoint\tfile\terror'
KEYS = ('access_key', 'secret_key', 'ca', 'keys', 'username', 'password')


def _table(names: Any, rows: Any) -> str:
    return '\n'.join(','.join(row) for row in [names, *rows])


def _document(rows: Any) -> str:
    return json.dumps(
        {'format': 'perfcompare-results', 'version': 1, 'trials': rows}
    )


def _export(content: Any, kind: str) -> str:
    """Return what has the mark and the checksum of an export."""
    body = json.dumps(content, sort_keys=True, separators=(',', ':'))
    digest = hashlib.sha256(body.encode()).hexdigest()
    head = {'format': kind, 'version': 1, 'checksum': 'sha256:' + digest}
    return json.dumps(dict(head, fsid='', content=content))


def files() -> Any:
    """Return a strategy of files."""
    cell = strategies.sampled_from(CELLS)
    names = strategies.lists(
        strategies.sampled_from(COLUMNS), min_size=1, unique=True
    )
    rows = strategies.lists(strategies.lists(cell, max_size=15), max_size=3)
    content = strategies.fixed_dictionaries(
        {'run': JSON, 'trials': JSON, 'manifests': JSON}
    )
    recovery = strategies.fixed_dictionaries(
        {
            'kind': strategies.sampled_from(('episode', 'test', 'x')),
            'item': JSON,
            'series': JSON,
        }
    )
    keys = strategies.dictionaries(strategies.sampled_from(KEYS), JSON)
    return strategies.one_of(
        TEXT,
        strategies.builds(_table, names, rows),
        strategies.lists(
            strategies.dictionaries(strategies.sampled_from(COLUMNS), JSON),
            max_size=3,
        ).map(_document),
        content.map(lambda c: _export(c, 'perfcompare-run')),
        recovery.map(lambda c: _export(c, 'perfcompare-recovery')),
        keys.map(json.dumps),
        rows.map(lambda r: WARP + '\n' + '\n'.join('\t'.join(c) for c in r)),
        strategies.sampled_from(
            ('[' * 50_000, '[]' * 100_000, '- 1\n' * 50_000, '{"a":' * 20_000)
        ),
    )
