"""Ask an existing Prometheus server: for its targets, and for samples."""

from typing import (
    Any,
    Dict,
    FrozenSet,
    Iterable,
    Iterator,
    List,
    Mapping,
    NamedTuple,
    Optional,
    Set,
    Tuple,
    TypeVar,
)

import json
import math
import re
import time
import urllib.parse

from ..wire.host_names import is_address, short_name
from .exposition import Sample
from .fetch import FetchError, Page
from .further import CARRIED, Told, completed
from .node import COUNTED, WANTED, Reading, reading

BODY_MAX = 32 << 20  # bytes; of the targets of thousands of hosts
WEAK = 3  # rank of a job that may be one of node_exporters

_EXPORTER_JOB = re.compile(r'node[-_ ]?exporter', re.I)
_NODE_JOB = re.compile(r'node', re.I)

T = TypeVar('T')
Found = Tuple[str, str]  # URL of the exporter, label `instance`
Series = Tuple[str, Tuple[Tuple[str, str], ...]]  # name and labels


class Known(NamedTuple):
    """Hold a target that is, or may be, a node_exporter."""

    rank: int  # 1 best, WEAK worst
    url: str
    instance: str
    hosts: FrozenSet[str]  # names and addresses


def api(url: str, name: str) -> str:
    """Return the address of an API call of the server at ``url``."""
    return f'{url.rstrip("/")}/api/v1/{name}'


def targets(page: Page, timeout: float, port: int) -> List[Known]:
    """Return the server's targets that can be node_exporters.

    ``page`` is that of `api(url, 'targets')`.
    """
    data = _answer(page.get(timeout, 'state=active'))
    found = data.get('activeTargets')
    if not isinstance(found, list):
        raise FetchError('the server names no targets')
    return exporters(found, port)


def exporters(active: Iterable[Any], port: int) -> List[Known]:
    """Return what can be node_exporters, the best known first.

    Those are targets of a job of node_exporters, then those on ``port``;
    last those of a job with "node" somewhere in its name, as jobs of
    Kubernetes have it.
    """
    found = []
    for target in active:
        labels = target.get('labels') if isinstance(target, Mapping) else None
        if not isinstance(labels, Mapping):
            continue
        url = str(target.get('scrapeUrl', ''))
        instance = str(labels.get('instance', ''))
        try:
            parts = urllib.parse.urlsplit(url)
            rank = _rank(str(labels.get('job', '')), parts.port == port)
        except ValueError:
            continue
        hosts = {(parts.hostname or '').lower(), _host(instance).lower()}
        if rank:
            found.append(Known(rank, url, instance, frozenset(hosts - {''})))
    return sorted(found, key=lambda known: known.rank)


def _rank(job: str, on_port: bool) -> int:
    if _EXPORTER_JOB.search(job) or job.lower() == 'node':
        return 1
    if on_port:
        return 2
    return WEAK if _NODE_JOB.search(job) else 0


def choose(known: List[Known], names: Iterable[str]) -> Optional[Found]:
    """Return the node_exporter of the host with one of ``names``.

    Where none has one of them, the short names of hosts are compared.
    """
    wanted = {n.lower() for n in names if n}
    for weak in (False, True):
        fitting = [k for k in known if (k.rank == WEAK) is weak]
        found = [k for k in fitting if k.hosts & wanted]
        found = found or _alike(fitting, wanted)
        if found:
            return found[0].url, found[0].instance
    return None


def _alike(known: List[Known], wanted: Set[str]) -> List[Known]:
    """Return the targets of the host whose short name is alike.

    None where several are. Where both sides tell a domain, it is another
    host of that name; addresses have no short names.
    """
    names = [n for n in wanted if not is_address(n)]
    short = set(map(short_name, names))
    qualified = any('.' in n for n in names)
    found: Dict[str, List[Known]] = {}
    for one in known:
        for host in one.hosts:
            if is_address(host) or (qualified and '.' in host):
                continue
            if short_name(host) in short:
                found.setdefault(host, []).append(one)
    return next(iter(found.values())) if len(found) == 1 else []


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


def ask(
    page: Page, instance: str, start: float, end: float, timeout: float
) -> bytes:
    """Return what a host showed from ``start`` to ``end`` (Unix times).

    ``page`` is that of `api(url, 'query')`; `readings` reads the answer.
    """
    query = urllib.parse.urlencode(
        {'query': selector(instance, end - start), 'time': f'{end:.3f}'}
    )
    return page.get(timeout, query)


def readings(
    body: bytes, disks: Iterable[str] = (), until: float = math.inf
) -> List[Tuple[float, Reading]]:
    """Return what an answer to `ask` says of a host, by Unix time.

    Raises FetchError where it is none, or where reading it would go on
    after ``until`` (monotonic).
    """
    _in_time(until)
    data = _answer(body)
    if data.get('resultType') != 'matrix':
        raise FetchError('the server gave no range of samples')
    own = tuple(disks)
    told = _scrapes(_samples(data.get('result'), until))
    found = [
        (at, reading(samples, at, own, held))
        for at, samples, held in _timely(told, until)
    ]
    return [(at, r) for at, r in found if not r.empty]


def _in_time(until: float) -> None:
    if time.monotonic() > until:
        raise FetchError('the time to read it is over')


def _timely(items: Iterable[T], until: float) -> Iterator[T]:
    """Return items while there is time; then raise FetchError."""
    for item in items:
        _in_time(until)
        yield item


def _scrapes(
    samples: Iterable[Tuple[float, Sample]],
) -> Iterator[Tuple[float, List[Sample], float]]:
    """Return what node_exporter told at each moment, in order.

    Another exporter of the host, as that of IPMI, may have the same label
    and is scraped at moments of its own: what it told last is part of each
    later scrape, for a while. Third is for how long power is held.
    """
    by_time: Dict[float, List[Sample]] = {}
    for at, sample in samples:
        by_time.setdefault(at, []).append(sample)
    others: Dict[Series, Told] = {}
    for at in sorted(by_time):
        now = by_time[at]
        if not any(sample.name in COUNTED for sample in now):
            for sample in now:
                key = sample.name, tuple(sorted(sample.labels.items()))
                others[key] = at, sample
            continue
        told = [one for one in others.values() if at - one[0] <= CARRIED]
        yield (at, *completed(now, told, at))


def _samples(result: Any, until: float) -> Iterator[Tuple[float, Sample]]:
    if not isinstance(result, list):
        raise FetchError('the server gave no samples')
    try:
        for series in _timely(result, until):
            labels = {str(k): str(v) for k, v in series['metric'].items()}
            name = labels.pop('__name__', '')
            for at, text in series['values']:
                yield float(at), Sample(name, labels, float(text))
    except (
        AttributeError,
        KeyError,
        OverflowError,
        TypeError,
        ValueError,
    ):
        raise FetchError('the server gave samples of no known form') from None


def _answer(body: bytes) -> Mapping[str, Any]:
    try:
        answer = json.loads(body)
    except (ValueError, RecursionError):
        raise FetchError('the server did not answer with JSON') from None
    if not isinstance(answer, dict) or answer.get('status') != 'success':
        error = answer.get('error') if isinstance(answer, dict) else None
        raise FetchError(f'the server refused: {error or "no reason given"}')
    data = answer.get('data')
    if not isinstance(data, dict):
        raise FetchError('the server gave no data')
    return data
