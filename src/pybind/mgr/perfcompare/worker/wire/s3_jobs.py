"""The jobs of the S3 load generator."""

from typing import Any, ClassVar, Dict, Optional, Tuple

import dataclasses
import os

from .jobs import HOSTS_MAX, KINDS, Load, split
from .join_jobs import MAKERS
from .s3_join_jobs import S3Join
from .s3_spec import (
    CONNECTIONS_MAX,
    DELETE,
    DELETES,
    ENCRYPTIONS,
    LIST,
    MULTIDELETE,
    MULTIPART,
    NEEDS,
    NEW,
    OPS,
    PARTS_MAX,
    RANGE,
    SIZE_MAX,
    WRITES,
    Details,
    Endpoint,
    Objects,
    Weighted,
    check_spread,
    drains,
    weights,
)
from .strict import Malformed

FILL_SPAN = 120.0  # seconds that a trial may spend on its own objects


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise Malformed(message)


@dataclasses.dataclass(frozen=True)
class S3Load(Load):
    """Hold what all S3 jobs share; keys are in the file ``credentials``.

    The bucket is made where it is not there, in placement ``location``.
    """

    endpoints: Tuple[Endpoint, ...] = ()
    credentials: str = ''  # absolute path, mode 0600
    bucket: str = ''
    location: str = ''
    region: str = 'us-east-1'
    ca_file: str = ''
    verify_tls: bool = True
    prefix: str = ''  # of the objects that are filled or read
    objects: int = 0
    sizes: Tuple[Weighted, ...] = ()
    processes: int = 0  # 0: chosen by cores and concurrency
    seed: int = 1
    sign_payload: bool = False  # else only heads are signed
    buckets: int = 1  # that objects are in: `bucket` and more like it
    prefixes: int = 1  # of names, in each bucket
    encryption: str = ''  # of ENCRYPTIONS, by the gateways
    versioned: bool = False  # buckets keep what is overwritten or deleted
    # in gateways of others: the bucket must be new, and is marked as of
    # this run
    owner: str = ''
    fresh: bool = False
    # of the hosts that make this load, each a part of it; objects are
    # those of all, and are dealt out
    host: int = 0
    hosts: int = 1

    def divided(self, hosts: int) -> Tuple[Optional[Load], ...]:
        """Return what each of several hosts does of it.

        Each has every so-many-th object; None for a host of which there is
        nothing left to do.
        """
        count = min(
            hosts,
            self.concurrency,
            self.processes or hosts,
            self.objects or hosts,
        )
        return tuple(
            self._part(host, count) if host < count else None
            for host in range(hosts)
        )

    def _part(self, host: int, hosts: int) -> Load:
        return dataclasses.replace(
            self,
            host=host,
            hosts=hosts,
            concurrency=split(self.concurrency, hosts)[host],
            # each host knows best how many of its cores are free
            processes=split(self.processes, hosts)[host],
        )

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        self.access.check()
        _need(
            1 <= self.concurrency <= CONNECTIONS_MAX,
            f'a concurrency of {self.concurrency} is not within 1 … '
            f'{CONNECTIONS_MAX}',
        )
        _need(self.deadline > 0, 'the deadline must be above 0 s')
        _need(0 <= self.nice <= 19, f'nice {self.nice} is not within 0 … 19')
        _need(bool(self.endpoints), 'no endpoint is given')
        _need(
            os.path.isabs(self.credentials),
            f'{self.credentials!r} is not an absolute path',
        )
        _need(bool(self.bucket), 'no bucket is given')
        _need(
            self.encryption in ('', *ENCRYPTIONS),
            f'{self.encryption!r} is not an encryption',
        )
        _need(0 <= self.processes <= 64, f'{self.processes} processes')
        _need(
            0 <= self.host < self.hosts <= HOSTS_MAX,
            f'host {self.host} of {self.hosts}',
        )
        Objects(self.prefix, self.objects, self.sizes).check()
        check_spread(self.buckets, self.prefixes)


@dataclasses.dataclass(frozen=True)
class S3Look(S3Load):
    """See that every endpoint answers and has no such bucket."""

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        _need(bool(self.endpoints), 'no endpoint is given')
        _need(os.path.isabs(self.credentials), 'no credentials are given')
        _need(bool(self.bucket), 'no bucket is given')
        check_spread(self.buckets, self.prefixes)


@dataclasses.dataclass(frozen=True)
class S3Remove(S3Look):
    """Remove a bucket that bears the marker of run ``owner``."""

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        super().check()
        _need(bool(self.owner), 'no owner is given')


@dataclasses.dataclass(frozen=True)
class S3Fill(S3Load):
    """Write objects to be read; those that are there are kept."""


@dataclasses.dataclass(frozen=True)
class S3Warm(S3Load):
    """Read each of the objects that are there once."""

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        super().check()
        _need(self.objects > 0, 'there is nothing to read')


@dataclasses.dataclass(frozen=True)
class S3Trial(S3Load):
    """Measure a mix for ``duration`` s after ``warmup`` s.

    Reads use ``objects`` that are there already, unless ``own`` is set:
    then the trial writes them first, and its deletes may take them.
    """

    mix: Tuple[float, ...] = ()  # weights, as OPS; last ones may be missing
    duration: float = 0.0
    warmup: float = 0.0
    rate: float = 0.0  # operations/s, in all; 0: closed loop
    own: bool = False
    write_prefix: str = ''  # of objects that puts create
    write_sizes: Tuple[Weighted, ...] = ()  # of these; empty: as ``sizes``
    max_objects: int = 0  # that puts may create, in all
    timeout: float = 60.0  # seconds of one operation
    verify: float = 0.0  # share of reads whose content is compared
    keep: bool = False  # deletes take objects of this trial only
    slices: bool = False  # reports tell latencies by time
    turn: int = 0  # what is drawn at random differs from turn to turn
    details: Details = Details()
    tool: ClassVar[str] = 's3'

    def _part(self, host: int, hosts: int) -> Load:
        part = super()._part(host, hosts)
        assert isinstance(part, S3Trial)
        return dataclasses.replace(
            part,
            rate=self.rate / hosts,
            max_objects=split(self.max_objects, hosts)[host],
        )

    @property
    def deletes_only(self) -> bool:
        """Say whether objects must be made anew while it goes on."""
        return drains(self.mix)

    @property
    def writes(self) -> bool:
        """Say whether its load adds to what is stored."""
        mix = weights(self.mix)
        return any(mix[op] for op in WRITES)

    @property
    def _ranged(self) -> int:
        """Return the bytes of the smallest object that ranges are of."""
        own = self.details.sizes[RANGE] if self.details.sizes else 0
        return own or min(w.size for w in self.sizes)

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        super().check()
        _need(
            4 <= len(self.mix) <= len(OPS)
            and sum(self.mix) > 0
            and min(self.mix) >= 0,
            f'{self.mix!r} is not a weight for each of {", ".join(OPS)}',
        )
        mix = weights(self.mix)
        self.details.check()
        new = sum(mix[op] for op in NEW)
        gone = mix[DELETE] + mix[MULTIDELETE] * self.details.delete_batch
        _need(
            self.deletes_only or gone <= new * 1.000001,
            'a mix that deletes more objects than it makes runs out of them',
        )
        _need(
            self.buckets == 1
            or not (self.deletes_only and mix[MULTIDELETE] > 0),
            'a multi-delete takes objects of one bucket: alone it has one',
        )
        _need(
            self.hosts == 1 or not self.deletes_only,
            'bursts of deletes are of one host',
        )
        _need(self.duration >= 1, 'the duration must be at least 1 s')
        _need(self.warmup >= 0, 'the warm-up must not be negative')
        _need(self.rate >= 0, 'the rate must not be negative')
        _need(self.timeout > 0, 'the timeout must be above 0 s')
        _need(0 <= self.verify <= 1, f'{self.verify:g} is not a share')
        if any(mix[op] for op in (*NEEDS, *DELETES, LIST)):
            _need(self.objects > 0, 'there is nothing to read or delete')
        _need(
            not mix[RANGE] or self.details.range_size <= self._ranged,
            f'a range of {self.details.range_size} bytes is more than the '
            'smallest object holds',
        )
        largest = max(w.size for w in self.write_sizes or self.sizes)
        if mix[MULTIPART]:
            _need(
                -(-largest // self.details.part_size) <= PARTS_MAX,
                f'an object of {largest} bytes has more than {PARTS_MAX} '
                f'parts of {self.details.part_size} bytes',
            )
            _need(
                self.concurrency * self.details.part_streams
                <= CONNECTIONS_MAX,
                f'{self.concurrency} uploads with '
                f'{self.details.part_streams} parts at a time need more '
                f'than {CONNECTIONS_MAX} connections',
            )
        if any(weight for op, weight in enumerate(mix) if op != MULTIPART):
            _need(
                largest <= SIZE_MAX,
                f'{largest} bytes are too many for one request',
            )
        if self.write_sizes:
            Objects(self.write_prefix, 0, self.write_sizes).check()
        if self.writes:
            _need(bool(self.write_prefix), 'puts need a prefix')
            _need(
                self.max_objects >= self.concurrency,
                f'max_objects {self.max_objects} is below the concurrency',
            )


@dataclasses.dataclass(frozen=True)
class S3Probe(S3Trial):
    """Make a gentle start, which may end at its bound of objects."""

    def divided(self, hosts: int) -> Tuple[Optional[Load], ...]:
        """Leave it to the first of several hosts: it is gentle."""
        return (self, *[None] * (hosts - 1))


def _joined(job: S3Trial, shared: Dict[str, Any]) -> S3Join:
    return S3Join(
        mix=job.mix,
        rate=job.rate,
        details=job.details,
        urls=tuple(endpoint.url() for endpoint in job.endpoints),
        nice=job.nice,
        tool=job.tool,
        **shared,
    )


MAKERS[S3Trial] = _joined
KINDS['s3-look'] = S3Look
KINDS['s3-remove'] = S3Remove
KINDS['s3-fill'] = S3Fill
KINDS['s3-warm'] = S3Warm
KINDS['s3-trial'] = S3Trial
KINDS['s3-probe'] = S3Probe
