"""CBT: an archive of the Ceph Benchmarking Tool, as a tar.

Its folder `results/<iteration>/id-<hash>` holds what `librbdfio` and
`radosbench` printed, a file for each volume or process on each client; those
of a folder ran beside each other and are one workload. Iterations are rounds.
Only these files are looked at, and nothing is unpacked.
"""

from typing import IO, Any, Dict, List, Optional, Sequence, Set, Tuple

import dataclasses
import json
import math
import re
import tarfile

from ..wire.reading import (
    MAX_MEASURED,
    Measured,
    Reading,
    number,
    shown,
    whole,
)
from ..wire.strict import Malformed
from . import fio
from .naming import short_size

MAX_MEMBERS = 200_000
MAX_FILE = 64 << 20  # bytes of one output
MAX_HELD = 512 << 20  # bytes of all of them
PREPARED = ('prefill', 'precond', 'recov', 'idle_monitoring')

_OUTPUT = re.compile(
    r'(?:\A|/)(?P<folder>(?:[^/]+/)*)(?P<kind>json_output|output)'
    r'\.(?P<number>\d{1,6})(?:\.(?P<host>[^/]{1,200}))?\Z'
)
_ITERATION = re.compile(r'(?:\A|/)(\d{8})/')
_TEST = re.compile(r'(?:\A|/)id-([0-9a-f]{8})/')
_CONFIG = re.compile(r'(?:\A|/)benchmark_config\.yaml\Z')
_CONCURRENT = re.compile(r'^\s*concurrent_ops:\s*(\d{1,9})\s*$', re.M)
_MAINTAINING = re.compile(r'Maintaining (\d{1,9}) concurrent')
_FIGURE = re.compile(r'^([A-Z][A-Za-z ()/]{2,40}):\s+(\S{1,40})\s*$', re.M)
_MADE = {'Total writes made': 'write', 'Total reads made': 'read'}


@dataclasses.dataclass
class _Test:
    """Hold the outputs of one folder, by process and host."""

    outputs: Dict[Tuple[str, str], str] = dataclasses.field(
        default_factory=dict
    )


def is_mine(head: bytes) -> bool:
    """Say whether bytes begin a tar."""
    return head[257:262] == b'ustar'


def read(stream: IO[bytes]) -> Reading:
    """Read an archive; Malformed says what is wrong with it."""
    tests: Dict[str, _Test] = {}
    configs: Dict[str, str] = {}
    try:
        with tarfile.open(fileobj=stream, mode='r|') as tar:
            _collect(tar, tests, configs)
    except (tarfile.TarError, EOFError) as error:
        raise Malformed(f'its tar is damaged: {error}') from None
    rows: List[Tuple[str, Measured]] = []
    tools = set()
    for folder in sorted(tests):
        found = _test(folder, tests[folder], configs)
        if found is not None:
            rows.append((folder, found[1]))
            tools.add(found[0])
    if not rows:
        raise Malformed(
            'the tar has no results of CBT: no file output.<number> of fio '
            'or rados bench'
        )
    if len(rows) > MAX_MEASURED:
        raise Malformed(f'it has more than {MAX_MEASURED} results')
    return Reading('cbt', ' and '.join(sorted(tools)), _told_apart(rows))


def _collect(
    tar: tarfile.TarFile, tests: Dict[str, _Test], configs: Dict[str, str]
) -> None:
    held = 0
    for count, member in enumerate(tar):
        if count >= MAX_MEMBERS:
            raise Malformed(f'its tar has more than {MAX_MEMBERS:,} files')
        name = member.name
        output = _OUTPUT.search(name)
        config = _CONFIG.search(name)
        if not member.isreg() or not (output or config):
            continue
        if any(part in name for part in PREPARED):
            continue
        if member.size > MAX_FILE:
            raise Malformed(
                f'{shown(name)} has more than {MAX_FILE >> 20} MiB'
            )
        held += member.size
        if held > MAX_HELD:
            raise Malformed(
                f'its outputs have more than {MAX_HELD >> 20} MiB together'
            )
        file = tar.extractfile(member)
        if file is None:
            continue
        text = file.read().decode('utf-8', 'replace')
        if config:
            configs[name[: config.start()]] = text
            continue
        assert output is not None
        key = (output['number'], output['host'] or '')
        test = tests.setdefault(output['folder'], _Test())
        # json_output is what CBT itself cut out of output
        if output['kind'] == 'output' or not test.outputs.get(key):
            if text.strip() or key not in test.outputs:
                test.outputs[key] = text


def _test(
    folder: str, test: _Test, configs: Dict[str, str]
) -> Optional[Tuple[str, Measured]]:
    """Return what made the load of a folder, and its figures."""
    where = f'CBT: {shown(folder)}'
    texts = {k: v for k, v in test.outputs.items() if v.strip()}
    if not texts:
        return None
    hosts = {host for _, host in texts if host}
    documents = [_document(text) for text in texts.values()]
    fios = [d for d in documents if d is not None]
    if fios and len(fios) != len(texts):
        raise Malformed(f'{where}: some of its outputs of fio are damaged')
    if fios:
        tool = 'fio ' + _version(fios, where)
        row = fio.merged(fios)
    else:
        tool = 'rados bench'
        bench = _bench(list(texts.values()), folder, configs, where)
        if bench is None:
            return None
        row = bench
    round_ = _ITERATION.search(folder)
    return tool, dataclasses.replace(
        row,
        round=int(round_.group(1)) + 1 if round_ else 0,
        client_host=hosts.pop() if len(hosts) == 1 else row.client_host,
    )


def _document(text: str) -> Optional[Dict[str, Any]]:
    """Return the JSON of fio within what it printed; None without any."""
    at = text.find('{')
    if at < 0 or '"fio version"' not in text:
        return None
    try:
        found, _ = json.JSONDecoder().raw_decode(text, at)
    except (ValueError, RecursionError):
        return None
    return found if fio.is_mine(found) else None


def _version(documents: Sequence[Dict[str, Any]], where: str) -> str:
    found = {str(d['fio version'])[:40] for d in documents}
    if len(found) > 1:
        raise Malformed(
            f'{where}: its clients have several versions of fio ('
            + ', '.join(sorted(found))[:120]
            + ')'
        )
    return found.pop().replace('fio-', '')


def _bench(
    texts: Sequence[str], folder: str, configs: Dict[str, str], where: str
) -> Optional[Measured]:
    """Return the sum of processes of `rados bench`; None if it is none."""
    parts = []
    for text in texts:
        figures = dict(_FIGURE.findall(text[-20_000:]))
        named = [name for name in _MADE if name in figures]
        if not named or 'Total time run' not in figures:
            continue
        parts.append((named[0], figures))
    if not parts:
        return None
    if len(parts) != len(texts):
        raise Malformed(
            f'{where}: {len(texts) - len(parts)} of {len(texts)} outputs of '
            'rados bench have no result'
        )
    kinds = {made for made, _ in parts}
    if len(kinds) > 1:
        raise Malformed(f'{where}: it has both reads and writes')
    made = kinds.pop()
    op = _op(made, folder)
    size = _same([f.get(_sized(made), '') for _, f in parts], where)
    seconds = [_figure(f, 'Total time run', where) for _, f in parts]
    counts = [_figure(f, made, where) for _, f in parts]
    if any(value <= 0.0 for value in seconds):
        raise Malformed(f'{where}: its time is not a time')
    rates = [n / s for n, s in zip(counts, seconds)]
    waits = [
        (number(f.get('Average Latency(s)'), where), n)
        for (_, f), n in zip(parts, counts)
    ]
    flight = _concurrency(texts, folder, configs)
    total = flight * len(texts) if flight else None
    name = [op, short_size(size or 0), f'c{total}' if total else '']
    rate = math.fsum(rates)
    return Measured(
        op=op,
        workload='-'.join(filter(None, name)),
        size=size,
        concurrency=total,
        duration=max(seconds),
        ops_per_s=rate,
        bytes_per_s=rate * size if size else None,
        latency_avg=(
            math.fsum(w * n for w, n in waits if w is not None) / sum(counts)
            if sum(counts) and all(w is not None for w, _ in waits)
            else None
        ),
        latency_max=max(
            (
                w
                for w in (
                    number(f.get('Max latency(s)'), where) for _, f in parts
                )
                if w is not None
            ),
            default=None,
        ),
        ops=int(sum(counts)),
        notes=('rados bench states no latency percentiles',),
    )


def _op(made: str, folder: str) -> str:
    if _MADE[made] == 'write':
        return 'write'
    return 'rand' if '/rand/' in f'/{folder}' else 'seq'


def _sized(made: str) -> str:
    return 'Write size' if _MADE[made] == 'write' else 'Read size'


def _figure(figures: Dict[str, str], name: str, where: str) -> float:
    found = number(figures.get(name), f'{where}: {name}')
    if found is None:
        raise Malformed(f'{where}: {name} is not there')
    return found


def _same(values: Sequence[str], where: str) -> Optional[int]:
    found = {whole(value, f'{where}: size') for value in values}
    return found.pop() if len(found) == 1 else None


def _concurrency(
    texts: Sequence[str], folder: str, configs: Dict[str, str]
) -> Optional[int]:
    """Return operations in flight of a process, where it is written."""
    for text in texts:
        match = _MAINTAINING.search(text[:20_000])
        if match:
            return int(match.group(1))
    for prefix, config in configs.items():
        if folder.startswith(prefix.lstrip('/')):
            match = _CONCURRENT.search(config)
            if match:
                return int(match.group(1))
    return None


def _told_apart(
    rows: Sequence[Tuple[str, Measured]],
) -> Tuple[Measured, ...]:
    """Name tests of an iteration that do the same after their hash."""
    tests: Dict[str, Set[str]] = {}
    for folder, row in rows:
        test = _TEST.search(folder)
        tests.setdefault(row.workload, set()).add(
            test.group(1) if test else ''
        )
    found = []
    for folder, row in rows:
        test = _TEST.search(folder)
        if test and len(tests[row.workload]) > 1:
            row = dataclasses.replace(
                row, workload=f'{row.workload}-{test.group(1)}'
            )
        found.append(row)
    return tuple(found)
