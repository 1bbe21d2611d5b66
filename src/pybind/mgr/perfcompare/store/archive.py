"""A run as a file: export with all raw samples, and strict import.

The file is what store/export_file.py makes of:

``fsid``
    of the cluster that was measured, as in the run
``content``
    ``run`` (models.run.Run), ``manifests`` (by digest) and ``trials``: each a
    models.trial.Trial without its run, ``manifest`` being a digest or empty,
    with ``series`` by source: ``wall_start`` (Unix time), ``step`` and
    ``n`` or the times ``t`` (seconds since then, end of each interval),
    ``columns`` with ``name``, ``unit`` and ``values`` (null is "not
    available")

Nothing is rounded: what is imported is what was exported, but for the
run's origin, which says that it came from a file.
"""

from typing import Any, Dict, Iterable, List, NamedTuple, Set, Tuple

import re

from ..common.codec import from_data, to_data
from ..common.errors import Busy, InvalidArgument
from ..common.json_pieces import Written
from ..model.run import Run
from ..model.trial import Trial
from . import export_file as exportfile
from . import series_codec
from .archive_tables import MAX_SAMPLES, check_fields, table_data, table_of
from .rows import TrialKey, TrialRecord, digest, key_of
from .sql import SOURCE

FORMAT = exportfile.FileFormat(
    'perfcompare-run',
    1,
    'run',
    'ceph perfcompare export <run>',
    frozenset(('fsid',)),
    item='run',
)
MAX_TRIALS = 50_000
IMPORT = 'import:'

_ID = re.compile(r'[0-9a-f]{8}\Z')
_FSID = re.compile(r'[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\Z')
_MAX_COUNT = 10**6  # of rounds, blocks, attempts


class Archive(NamedTuple):
    """Hold what a file contains."""

    run: Run
    records: Tuple[TrialRecord, ...]


def export(run: Run, records: Iterable[TrialRecord]) -> str:
    """Return an ended run with its trials as the text of a file.

    Raises Busy while the run has not ended.
    """
    if not run.state.ended:
        raise Busy(
            f'run {run.id} has not ended ({run.state.value}); '
            'export it when it has'
        )
    return _text(run, records)


def _text(run: Run, records: Iterable[TrialRecord]) -> str:
    """Return the text of a file; only its text is kept of each trial."""
    manifests: Dict[str, Any] = {}
    trials: List[Written] = []
    for record in records:
        data = to_data(record.trial)
        del data['run']
        manifest = data['manifest']
        data['manifest'] = ''
        if manifest:
            data['manifest'] = digest(manifest)
            manifests[data['manifest']] = manifest
        data['series'] = {
            source: table_data(series_codec.decode(blob))
            for source, blob in sorted(record.series.items())
        }
        trials.append(exportfile.written(data))
    content = {
        'run': to_data(run),
        'manifests': manifests,
        'trials': trials,
    }
    return exportfile.dump(FORMAT, content, fsid=run.fsid)


def parse(text: str) -> Archive:
    """Return the content of a file; InvalidArgument says what is wrong."""
    return exportfile.parse(FORMAT, text, _archive)


def _archive(data: Dict[str, Any]) -> Archive:
    content, fsid = data['content'], data['fsid']
    check_fields(content, {'run', 'manifests', 'trials'}, 'content')
    run = from_data(Run, content['run'], 'content.run')
    _check_run(run, fsid)
    manifests = content['manifests']
    if not isinstance(manifests, dict):
        raise InvalidArgument('content.manifests: is not a mapping')
    for name, manifest in manifests.items():
        if not isinstance(manifest, dict) or digest(manifest) != name:
            raise InvalidArgument(f'content.manifests: {name!r} is damaged')
    trials = content['trials']
    if not isinstance(trials, list) or len(trials) > MAX_TRIALS:
        raise InvalidArgument(
            f'content.trials: is not a list of {MAX_TRIALS} trials at most'
        )
    records = []
    known: Set[TrialKey] = set()
    left = MAX_SAMPLES
    for i, data in enumerate(trials):
        where = f'content.trials[{i}]'
        record, used = _record(run, data, manifests, where, left)
        left -= used
        key = key_of(record.trial)
        if key in known:
            raise InvalidArgument(f'{where}: this trial is there twice')
        known.add(key)
        records.append(record)
    return Archive(run, tuple(records))


def _check_run(run: Run, fsid: Any) -> None:
    if not _ID.match(run.id):
        raise InvalidArgument(f'content.run.id: {run.id!r} is not a run id')
    if run.plan.run != run.id:
        raise InvalidArgument(
            f'content.run.plan.run: {run.plan.run!r} is not {run.id!r}'
        )
    if run.fsid != fsid or (run.fsid and not _FSID.match(run.fsid)):
        raise InvalidArgument(f'fsid: {fsid!r} is not that of the run')
    if not run.state.ended:
        raise InvalidArgument(
            f'content.run.state: {run.state.value!r}, only runs that have '
            'ended can be imported'
        )


def _record(
    run: Run, data: Any, manifests: Dict[str, Any], where: str, left: int
) -> Tuple[TrialRecord, int]:
    """Build the record of a trial; return it and its count of values."""
    if not isinstance(data, dict):
        raise InvalidArgument(f'{where}: is not a mapping')
    data = dict(data)
    name = data.get('manifest')
    if not isinstance(name, str) or (name and name not in manifests):
        raise InvalidArgument(f'{where}.manifest: {name!r} is not there')
    data['manifest'] = manifests[name] if name else {}
    series = data.pop('series', None)
    if not isinstance(series, dict):
        raise InvalidArgument(f'{where}.series: is not a mapping')
    if 'run' in data:
        raise InvalidArgument(f"{where}: unknown field 'run'")
    data['run'] = run.id
    trial = from_data(Trial, data, where)
    for part, value in key_of(trial)._asdict().items():
        if not 0 <= value <= _MAX_COUNT:
            raise InvalidArgument(f'{where}.{part}: {value} is out of range')
    try:
        run.plan.group(trial.group)
        run.plan.workload(trial.workload)
    except KeyError as err:
        raise InvalidArgument(f'{where}: {err} is not in the plan') from None
    blobs = {}
    used = 0
    for source, item in series.items():
        place = f'{where}.series.{source}'
        if not SOURCE.match(source):
            raise InvalidArgument(f'{place}: {source!r} is not a source')
        table = table_of(item, place, left - used)
        used += len(table.t) * (len(table.columns) + 1)
        blobs[source] = series_codec.encode(table)
    return TrialRecord(trial, blobs), used
