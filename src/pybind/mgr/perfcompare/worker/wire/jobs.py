"""The jobs that a worker can be given, and what makes them sound."""

from typing import Any, Dict, List, Optional, Tuple, Union

import dataclasses
import os
import re

from .strict import Malformed, decode, encode

OPS = ('write', 'rand', 'seq')
# Load gives way to the daemons on its host; where cores are idle that costs
# nothing, where they are not the client is the limit, which is reported.
NICE = 5
PROBE_MAX = 1000.0  # operations/s of a latency probe
HOSTS_MAX = 256  # that make one load
_NAME = re.compile(r'[A-Za-z0-9][A-Za-z0-9._:-]{0,199}')
_ENTITY = re.compile(r'client\.[A-Za-z0-9._-]{1,120}')


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise Malformed(message)


@dataclasses.dataclass(frozen=True)
class Access:
    """Say how the cluster is reached; the key itself is never passed."""

    conf: str  # absolute path of ceph.conf
    keyring: str  # absolute path, mode 0600
    entity: str  # 'client.perfcompare.<run>'
    pool: str
    rados: str = 'rados'  # name or path of the program

    def check(self) -> None:
        """Raise Malformed where a value cannot be right."""
        for path in (self.conf, self.keyring):
            _need(os.path.isabs(path), f'{path!r} is not an absolute path')
        _need(
            _ENTITY.fullmatch(self.entity) is not None,
            f'{self.entity!r} is not the name of a client',
        )
        _need(_name(self.pool), f'{self.pool!r} is not a pool name')
        _need(
            bool(self.rados) and not self.rados.startswith('-'),
            f'{self.rados!r} is not a program',
        )


def _name(text: str) -> bool:
    return _NAME.fullmatch(text) is not None


@dataclasses.dataclass(frozen=True)
class Population:
    """Name objects written once by one client, to be read by one client."""

    run_name: str
    objects: int
    size: int  # bytes of each object
    part: int = 0  # bytes of each write; 0: of a whole object

    @property
    def writes(self) -> int:
        """Return in how many operations all of it is written."""
        return self.objects * (self.size // (self.part or self.size))

    def check(self) -> None:
        """Raise Malformed where a value cannot be right."""
        _need(_name(self.run_name), f'{self.run_name!r} is not a run name')
        _need(self.objects > 0, f'{self.run_name}: no objects')
        _need(self.size > 0, f'{self.run_name}: objects of no bytes')
        _need(
            self.part >= 0 and self.size % (self.part or self.size) == 0,
            f'{self.run_name}: objects of {self.size} bytes in writes of '
            f'{self.part}',
        )


def _check_load(job: 'Load') -> None:
    job.access.check()
    _need(job.concurrency > 0, 'the concurrency must be at least 1')
    _need(job.deadline > 0, 'the deadline must be above 0 s')
    _need(0 <= job.nice <= 19, f'nice {job.nice} is not within 0 … 19')
    names = [p.run_name for p in job.populations]
    _need(len(set(names)) == len(names), 'a population is named twice')
    for population in job.populations:
        population.check()


@dataclasses.dataclass(frozen=True)
class Load:
    """Hold what all jobs share; ``deadline`` counts seconds from `go`."""

    access: Access
    concurrency: int  # operations in flight, of all clients together
    deadline: float
    populations: Tuple[Population, ...] = ()
    nice: int = NICE

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        _check_load(self)
        _need(bool(self.populations), 'no population is named')

    def divided(self, hosts: int) -> Tuple[Optional['Load'], ...]:
        """Return what each of several hosts does of it.

        None for a host of which there is nothing left to do.
        """
        count = min(hosts, self.concurrency, len(self.populations))
        shares = split(self.concurrency, count)
        return tuple(
            (
                dataclasses.replace(
                    self,
                    concurrency=shares[host],
                    populations=self.populations[host::count],
                )
                if host < count
                else None
            )
            for host in range(hosts)
        )


@dataclasses.dataclass(frozen=True)
class Prefill(Load):
    """Write read populations; those that are there already are kept."""


@dataclasses.dataclass(frozen=True)
class Warm(Load):
    """Read each population once, from its first object to its last."""


@dataclasses.dataclass(frozen=True)
class Trial(Load):
    """Measure one operation for ``duration`` s after ``warmup`` s."""

    op: str = ''
    size: int = 0  # bytes of one object and of one operation
    duration: float = 0.0
    warmup: float = 0.0
    clients: int = 1  # processes that share the concurrency
    run_name: str = ''  # writes: unique per trial and attempt
    max_objects: int = 0  # writes: bound of all clients together
    # of the latency probe beside the load
    probe_rate: float = 0.0  # operations/s; 0: there is none
    probe_seed: int = 0  # of its arrivals
    probe_objects: int = 0  # writes: so many, in turn
    probe_off: str = ''  # why there is none
    hosts: int = 1  # that make this load, each a part of it

    def divided(self, hosts: int) -> Tuple[Optional['Load'], ...]:
        """Return what each of several hosts does of it.

        Clients are dealt out one by one; all else is that of their sum.
        """
        count = min(hosts, self.clients)
        shares = split(self.concurrency, self.clients)
        bounds = split(self.max_objects, self.clients)
        objects = split(max(count, self.probe_objects), count)
        return tuple(
            (
                dataclasses.replace(
                    self,
                    hosts=count,
                    concurrency=sum(shares[host::count]),
                    clients=len(shares[host::count]),
                    populations=self.populations[host::count],
                    max_objects=sum(bounds[host::count]),
                    run_name=self.run_name and f'{self.run_name}.h{host}',
                    probe_rate=self.probe_rate / count,
                    probe_seed=self.probe_seed + host,
                    probe_objects=objects[host],
                )
                if host < count
                else None
            )
            for host in range(hosts)
        )

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        _check_load(self)
        _need(self.op in OPS, f'{self.op!r} is not one of write, rand, seq')
        _need(self.size > 0, 'operations of no bytes')
        _need(self.duration >= 1, 'the duration must be at least 1 s')
        _need(self.warmup >= 0, 'the warm-up must not be negative')
        _need(1 <= self.hosts <= HOSTS_MAX, f'{self.hosts} hosts')
        _need(
            0 <= self.probe_rate <= PROBE_MAX,
            f'a probe of {self.probe_rate:g}/s is not within 0 … '
            f'{PROBE_MAX:g}',
        )
        _need(
            1 <= self.clients <= self.concurrency,
            f'{self.clients} clients cannot share a concurrency of '
            f'{self.concurrency}',
        )
        _need(
            self.deadline > self.warmup + self.duration,
            f'a deadline of {self.deadline:g} s is too short for '
            f'{self.warmup + self.duration:g} s of load',
        )
        if self.op == 'write':
            _need(
                not self.probe_rate or self.probe_objects > 0,
                'a write probe needs objects',
            )
            _need(_name(self.run_name), f'{self.run_name!r}: no run name')
            _need(
                self.max_objects >= self.concurrency,
                f'max_objects {self.max_objects} is below the concurrency',
            )
        else:
            self._check_populations()

    def _check_populations(self) -> None:
        _need(
            len(self.populations) == self.clients,
            f'{self.clients} clients need as many populations, not '
            f'{len(self.populations)}',
        )
        share = max(split(self.concurrency, self.clients))
        for population in self.populations:
            _need(
                population.size == self.size,
                f'{population.run_name}: objects of {population.size} '
                f'bytes, operations of {self.size}',
            )
            # the first reads go to as many objects as are in flight
            _need(
                population.objects >= share,
                f'{population.run_name}: {population.objects} objects are '
                f'fewer than {share} operations in flight',
            )


@dataclasses.dataclass(frozen=True)
class Probe(Trial):
    """Make a gentle start: a short trial at low concurrency."""


@dataclasses.dataclass(frozen=True)
class Bare:
    """Hold what jobs share that make no load and need no key."""

    deadline: float  # seconds from `go`

    def check(self) -> None:
        """Raise Malformed where a value cannot be right."""
        _need(self.deadline > 0, 'the deadline must be above 0 s')


# other kinds (s3_jobs.py, gateway_jobs.py, scrape_jobs.py, join_jobs.py)
# add themselves
Job = Union[Load, Bare]
KINDS: Dict[str, Any] = {
    'prefill': Prefill,
    'warm': Warm,
    'trial': Trial,
    'probe': Probe,
}


def probe_of(
    trial: Trial, seconds: float = 10.0, concurrency: int = 2
) -> Probe:
    """Return the gentle start before ``trial``: one client, few ops."""
    share = min(concurrency, trial.concurrency)
    data = {f.name: getattr(trial, f.name) for f in dataclasses.fields(trial)}
    data.update(
        concurrency=share,
        clients=1,
        warmup=0.0,
        duration=max(1.0, seconds),
        deadline=max(1.0, seconds) + 60.0,
        populations=trial.populations[:1],
        run_name=trial.run_name and trial.run_name + '.probe',
        probe_rate=0.0,
    )
    return Probe(**data)


def split(total: int, parts: int) -> List[int]:
    """Split ``total`` into ``parts`` that differ by at most one."""
    low, more = divmod(total, parts)
    return [low + (1 if i < more else 0) for i in range(parts)]


def kind_of(job: Job) -> str:
    """Return the name under which ``job`` travels."""
    for kind, cls in KINDS.items():
        if type(job) is cls:
            return kind
    raise TypeError(
        f'jobs of class {type(job).__name__} cannot be sent: give the class '
        'a name in KINDS'
    )


def job_to_data(job: Job) -> Dict[str, Any]:
    """Return ``job`` as plain data with its kind."""
    data: Dict[str, Any] = encode(job)
    data['kind'] = kind_of(job)
    return data


def job_from_data(data: Any) -> Job:
    """Build and check the job that ``data`` describes."""
    if not isinstance(data, dict):
        raise Malformed('job: not a mapping')
    rest = dict(data)
    kind = rest.pop('kind', None)
    if kind not in KINDS:
        raise Malformed(
            f'job: kind {kind!r} is not one of ' + ', '.join(KINDS)
        )
    job: Job = decode(KINDS[kind], rest, kind)
    job.check()
    return job
