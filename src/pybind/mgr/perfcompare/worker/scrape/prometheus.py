"""Ask an existing Prometheus server: for its targets, and for samples."""

from typing import Any, Dict, Iterable, List, Mapping, Optional, Tuple

import json
import math
import re
import urllib.parse

from .exposition import Sample
from .fetch import FetchError, Page
from .node import COUNTED, WANTED, Reading, reading

_NODE_JOB = re.compile(r'node', re.I)
CARRIED = 120.0  # seconds for which what another exporter told holds

Found = Tuple[str, str]  # URL of the exporter, label `instance`
Series = Tuple[str, Tuple[Tuple[str, str], ...]]  # name and labels


def api(url: str, name: str) -> str:
    """Return the address of an API call of the server at ``url``."""
    return f'{url.rstrip("/")}/api/v1/{name}'


def targets(page: Page, timeout: float) -> List[Dict[str, Any]]:
    """Return the server's active targets, as it describes them.

    ``page`` is that of `api(url, 'targets')`.
    """
    data = _answer(page.get(timeout, 'state=active'))
    found = data.get('activeTargets')
    if not isinstance(found, list):
        raise FetchError('the server names no targets')
    return [t for t in found if isinstance(t, dict)]


def choose(
    active: Iterable[Mapping[str, Any]],
    names: Iterable[str],
    port: int,
) -> Optional[Found]:
    """Return the node_exporter of the host with one of ``names``.

    It is a target of this host whose job has "node" in its name, else one
    on ``port``.
    """
    wanted = {n.lower() for n in names if n}
    second: Optional[Found] = None
    for target in active:
        url = str(target.get('scrapeUrl', ''))
        labels = target.get('labels')
        if not isinstance(labels, Mapping):
            continue
        instance = str(labels.get('instance', ''))
        try:
            parts = urllib.parse.urlsplit(url)
            has_port = parts.port
        except ValueError:
            continue
        hosts = {(parts.hostname or '').lower(), _host(instance).lower()}
        if not hosts & wanted:
            continue
        if _NODE_JOB.search(str(labels.get('job', ''))):
            return url, instance
        if has_port == port:
            second = second or (url, instance)
    return second


def _host(instance: str) -> str:
    """Return the host of '10.0.0.1:9100', '[::1]:9100' or 'name'."""
    host, colon, port = instance.rpartition(':')
    if colon and port.isdigit():
        instance = host
    return instance.strip('[]')


def selector(instance: str, seconds: float) -> str:
    """Return the query for a host's raw samples of the last seconds.

    A range selector gives samples as they were scraped, with their own
    times; nothing is averaged by the server.
    """
    quoted = instance.replace('\\', '\\\\').replace('"', '\\"')
    names = '|'.join(sorted(WANTED))
    return (
        f'{{__name__=~"{names}",instance="{quoted}"}}'
        f'[{max(1, math.ceil(seconds))}s]'
    )


def readings(
    page: Page,
    instance: str,
    start: float,
    end: float,
    timeout: float,
    disks: Iterable[str] = (),
) -> List[Tuple[float, Reading]]:
    """Return what a host showed from ``start`` to ``end`` (Unix times).

    ``page`` is that of `api(url, 'query')`.
    """
    query = urllib.parse.urlencode(
        {'query': selector(instance, end - start), 'time': f'{end:.3f}'}
    )
    data = _answer(page.get(timeout, query))
    if data.get('resultType') != 'matrix':
        raise FetchError('the server gave no range of samples')
    own = tuple(disks)
    found = [
        (at, reading(samples, at, own))
        for at, samples in _scrapes(_samples(data.get('result')))
    ]
    return [(at, r) for at, r in found if not r.empty]


def _scrapes(
    samples: Iterable[Tuple[float, Sample]],
) -> List[Tuple[float, List[Sample]]]:
    """Return what node_exporter told at each moment, in order.

    Another exporter of the host, as that of IPMI, may have the same label
    and is scraped at moments of its own: what it told last is part of each
    later scrape, for a while.
    """
    by_time: Dict[float, List[Sample]] = {}
    for at, sample in samples:
        by_time.setdefault(at, []).append(sample)
    found: List[Tuple[float, List[Sample]]] = []
    others: Dict[Series, Tuple[float, Sample]] = {}
    for at in sorted(by_time):
        now = by_time[at]
        if not any(sample.name in COUNTED for sample in now):
            for sample in now:
                key = sample.name, tuple(sorted(sample.labels.items()))
                others[key] = at, sample
            continue
        names = {sample.name for sample in now}
        carried = [
            sample
            for then, sample in others.values()
            if at - then <= CARRIED and sample.name not in names
        ]
        found.append((at, now + carried))
    return found


def _samples(result: Any) -> Iterable[Tuple[float, Sample]]:
    if not isinstance(result, list):
        raise FetchError('the server gave no samples')
    try:
        for series in result:
            labels = {str(k): str(v) for k, v in series['metric'].items()}
            name = labels.pop('__name__', '')
            for at, text in series['values']:
                yield float(at), Sample(name, labels, float(text))
    except (KeyError, TypeError, ValueError, AttributeError):
        raise FetchError('the server gave samples of no known form') from None


def _answer(body: bytes) -> Mapping[str, Any]:
    try:
        answer = json.loads(body)
    except ValueError:
        raise FetchError('the server did not answer with JSON') from None
    if not isinstance(answer, dict) or answer.get('status') != 'success':
        error = answer.get('error') if isinstance(answer, dict) else None
        raise FetchError(f'the server refused: {error or "no reason given"}')
    data = answer.get('data')
    if not isinstance(data, dict):
        raise FetchError('the server gave no data')
    return data
