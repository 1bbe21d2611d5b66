"""Make rows of a file that is imported; runs in the reader's process.

The rows are in a database of our own schema, from which the Manager copies
them as they are: it parses nothing of the file.
"""

from typing import Any, Dict, Optional, Tuple

import hashlib
import os

from ..common.codec import to_data
from ..drivers import registry  # noqa: F401  (whose options runs have)
from ..interop.request import FILE, RECOVERY, ROWS
from ..interop.runs import make
from ..model.run import Run
from ..recovery.store import archive as recovery_archive
from ..recovery.store import recoveries as recovery_store
from ..store import archive
from ..store.results import FileDatabase, Store
from ..worker.interop.content import Content
from ..worker.interop.detect import read
from . import bounds, usable


def prepare(folder: str, request: Dict[str, Any]) -> None:
    """Read ``folder``/file and write ``folder``/rows.

    ``request`` has ``kind``, and of a run ``exported``, ``tool``,
    ``group``, ``label`` and ``now``. Raises InvalidArgument or Malformed
    for what is wrong with the file.
    """
    path = os.path.join(folder, FILE)
    database = FileDatabase(os.path.join(folder, ROWS))
    try:
        if request['kind'] == RECOVERY:
            _recovery(_text(path), Store(database))
        elif request['exported']:
            _run(archive.parse(_text(path)), Store(database))
        else:
            _run(_other(path, request), Store(database))
    finally:
        database.close()


def _text(path: str) -> str:
    with open(path, encoding='utf-8', errors='surrogatepass') as file:
        return file.read()


def _other(path: str, request: Dict[str, Any]) -> archive.Archive:
    """Return the run that a file of another tool makes."""
    group = request['group']
    ident = ident_of(path, group)
    content = Content(path)
    with content as stream:
        reading = read(stream, request['tool'])
        content.check()
    run, records = make(
        reading, ident, group, request['label'], request['now']
    )
    return archive.Archive(run, tuple(records))


def ident_of(path: str, group: Optional[str]) -> str:
    """Return the id of the run of a file: that of its content."""
    seen = hashlib.sha256()
    with open(path, 'rb') as file:
        for part in iter(lambda: file.read(1 << 20), b''):
            seen.update(part)
    seen.update(f'/{group}'.encode('utf-8', 'surrogatepass'))
    return seen.hexdigest()[:8]


def _run(found: archive.Archive, store: Store) -> None:
    run, records = found
    check(run, found)
    usable.try_run(run, [record.trial for record in records])
    store.add_run(run, records)


def check(run: Run, found: archive.Archive) -> None:
    """Raise InvalidArgument for a run that is beyond all bounds."""
    bounds.check_run(run)
    head, plan = _head(run)
    for data, where in ((head, 'content.run'), (plan, 'content.run.plan')):
        bounds.check(data, where)
        bounds.check_times(data, where)
    bounds.check_size(plan, bounds.PLAN, 'content.run.plan')
    bounds.check_size(head, bounds.PLAN, 'content.run')
    seen = set()
    for i, record in enumerate(found.records):
        where = f'content.trials[{i}]'
        data = to_data(record.trial)
        manifest = data.pop('manifest')
        if id(record.trial.manifest) not in seen:  # trials share them
            seen.add(id(record.trial.manifest))
            bounds.check(manifest, f'{where}.manifest')
            bounds.check_size(manifest, bounds.RECORD, f'{where}.manifest')
        evidence = data.pop('evidence')
        bounds.check(evidence, f'{where}.evidence')
        bounds.check_size(evidence, bounds.RECORD, f'{where}.evidence')
        bounds.check(data, where)
        bounds.check_times(data, where)


def _head(run: Run) -> Tuple[Any, Any]:
    data = to_data(run)
    return data, data.pop('plan')


def _recovery(text: str, store: Store) -> None:
    item, series = recovery_archive.parse(text)
    data = to_data(item)
    bounds.check(data, 'content.item')
    bounds.check_times(data, 'content.item', depth=8)
    bounds.check_size(data, bounds.RECORD, 'content.item')
    usable.try_recovery(item, series)
    recovery_store.add(store, item, series)
