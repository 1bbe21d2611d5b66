"""Workloads, and the profiles that list them."""

from typing import Optional, Sequence, Tuple

import dataclasses
import enum

from ..common.codec import Named
from . import load


class Op(Named):
    """Name an operation of a driver, or `other` of another tool."""

    @classmethod
    def known(cls) -> Sequence[str]:
        """Return the names of the drivers' operations."""
        return load.operations()

    @property
    def facts(self) -> load.Operation:
        """Return what its driver says of it."""
        return load.operation(self)

    @property
    def direct(self) -> bool:
        """Say whether clients speak to OSDs, through no gateway."""
        return self.facts.direct

    @property
    def reads(self) -> bool:
        """Say whether it only reads objects that were prepared."""
        return self.facts.reads

    @property
    def prefilled(self) -> bool:
        """Say whether the objects written before can be chosen."""
        return self.facts.prefilled

    @property
    def takes(self) -> bool:
        """Say whether it takes away what was written for it."""
        return self.facts.takes


class CacheRegime(str, enum.Enum):
    """Say where reads are meant to come from."""

    CACHED = 'cached'
    DEVICE = 'device'


@dataclasses.dataclass(frozen=True)
class Concurrency:
    """Hold outstanding operations: in all, or for each OSD of the group.

    0 is not known, for what another tool measured.
    """

    value: int
    per_osd: bool = False

    def total(self, osds: int) -> int:
        """Return the operations in flight for a group of ``osds`` OSDs."""
        return self.value * (osds if self.per_osd else 1)

    def __str__(self) -> str:
        if not self.value:
            return 'not available'
        return f'{self.value}/osd' if self.per_osd else str(self.value)


@dataclasses.dataclass(frozen=True)
class WeightedSize:
    """Give an object size (bytes) a share of the objects."""

    size: int
    weight: float = 1.0


@dataclasses.dataclass(frozen=True)
class WeightedOp:
    """Give an operation a share (percent) of a mix."""

    op: str  # as the load generator names it, e.g. 'get'
    weight: float
    size: int = 0  # bytes of its objects; 0: as the workload says


@dataclasses.dataclass(frozen=True)
class S3Shape:
    """Say how S3 operations are done, where it is not as by default (0)."""

    mix: Tuple[WeightedOp, ...] = ()  # shares add up to 100
    range_size: int = 0  # bytes
    list_keys: int = 0  # names of a page
    delete_batch: int = 0  # objects of a multi-delete
    part_size: int = 0  # bytes of a part of an upload
    part_streams: int = 0  # parts of an upload at a time
    keys: str = ''  # 'zipf:0.99', 'hot:20:80'; else all objects alike
    arrivals: str = ''  # 'poisson'; else at equal distances
    buckets: int = 0  # that objects are spread over
    prefixes: int = 0  # that their names have in each bucket
    checksum: str = ''  # 'crc32': behind what is written
    encryption: str = ''  # 'sse-c', 'sse-s3': by the gateways
    tags: int = 0  # of what is written
    think_time: str = ''  # '10ms', 'exp:10ms': between operations
    versioning: str = ''  # 'enabled': of the buckets
    ramp_steps: int = 0  # in which a rate grows to the workload's


@dataclasses.dataclass(frozen=True)
class RbdShape:
    """Say how images are loaded, where it is not as by default (0)."""

    images: int = 0  # of a wish; a workload has as many clients
    image_size: int = 0  # bytes; else what its regime of a cache is
    object_size: int = 0  # bytes
    read_share: int = 0  # percent of the operations of a mix
    read_size: int = 0  # bytes of a read of a mix, where it has its own
    write_size: int = 0  # bytes of a write of a mix, likewise
    random_share: int = 0  # percent of random operations that are random
    distribution: str = ''  # 'zipf:1.1', 'pareto:0.2'; else all alike
    compress: int = 0  # percent by which what is written compresses
    rate: float = 0.0  # operations/s at most, closed above what is in flight
    encryption: str = ''  # 'luks2': by the client


@dataclasses.dataclass(frozen=True)
class Prefill:
    """Say how many objects are there before a load: a number, or bytes."""

    objects: int = 0
    bytes: int = 0

    def count(self, size: int) -> int:
        """Return the objects, which have ``size`` bytes on average."""
        return self.objects or max(1, -(-self.bytes // size))


@dataclasses.dataclass(frozen=True)
class Workload:
    """Define one kind of load; its primary metric is operations/second."""

    name: str  # e.g. 'write-4K-c16'; unique within a profile
    op: Op
    size: int  # bytes of one object and of one operation
    concurrency: Concurrency
    duration: float  # seconds measured, after warm-up
    warmup: float  # seconds of load before the measured window
    # processes that share the concurrency; 1 lets `s3` choose
    clients: int = 1
    cache: Optional[CacheRegime] = None  # reads only
    tool: str = 'rados'
    rate: Optional[float] = None  # operations/s begun; None: closed loop
    # S3 only: weighted sizes, of which ``size`` is the (larger) mean
    read_sizes: Tuple[WeightedSize, ...] = ()
    write_sizes: Tuple[WeightedSize, ...] = ()
    prefill: Optional[Prefill] = None  # None: enough for the group's OSDs
    s3: Optional[S3Shape] = None
    rbd: Optional[RbdShape] = None
    # what another tool was told that bounds the rate: 'rate_iops=1000'
    limited: str = ''

    @property
    def mixed_sizes(self) -> bool:
        """Say whether its operations move unlike numbers of bytes."""
        sizes = {one.size for one in self.read_sizes + self.write_sizes}
        if self.rbd is not None:
            sizes |= {
                self.rbd.read_size or self.size,
                self.rbd.write_size or self.size,
            }
        return len(sizes) > 1

    @property
    def reads(self) -> bool:
        """Say whether the workload reads a prepared population."""
        return self.op.reads

    @property
    def offered(self) -> Optional[float]:
        """Return the operations/s that it begins, None where it has none.

        Of images at most: they are closed above what is in flight.
        """
        return self.rate or (self.rbd.rate if self.rbd else None) or None

    @property
    def paced(self) -> bool:
        """Say whether what is asked for bounds the rate, not the group."""
        pauses = self.s3 and self.s3.think_time
        return bool(self.offered or pauses or self.limited)


@dataclasses.dataclass(frozen=True)
class Profile:
    """Name a list of workloads and the repetition policy."""

    name: str
    description: str
    rounds: int
    workloads: Tuple[Workload, ...]
    version: str  # first 12 hex digits of the SHA-256 of its content
    builtin: bool = False
    curve: str = ''  # its points, as '1..64' or '100..800/s'
    slo: str = ''  # that these are read at, as 'p99=10ms'
