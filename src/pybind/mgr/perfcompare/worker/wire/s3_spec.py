"""What one generator process is told; it comes in a private file.

The file is the only place where the secret key is passed on.
"""

from typing import Any, Dict, Sequence, Tuple

import dataclasses

from .strict import Malformed, decode, encode

# What generators do. Whoever asks for the first four only says nothing of
# the others; those from RANGE on are more than an object and its name.
PUT, GET, STAT, DELETE, OVERWRITE = range(5)
RANGE, LIST, MULTIDELETE, MULTIPART, COPY = range(5, 10)
OPS = (
    'put',
    'get',
    'stat',
    'delete',
    'overwrite',
    'range',
    'list',
    'multidelete',
    'multipart',
    'copy',
)
NEW = (PUT, MULTIPART, COPY)  # make an object that was not there
WRITES = (*NEW, OVERWRITE)
DELETES = (DELETE, MULTIDELETE)
NEEDS = (GET, STAT, OVERWRITE, RANGE, COPY)  # an object that stays
SIZE_MAX = 256 << 20
LARGEST = 5 << 30  # of objects that are uploaded in parts
PART_LEAST = 5 << 20  # S3 takes no smaller ones, but for the last
PARTS_MAX = 10_000  # of an object
LIST_MAX = 1000  # names of one page
BATCH_MAX = 1000  # objects of one multi-delete
STREAMS_MAX = 64  # parts of an object that are sent at a time
CONNECTIONS_MAX = 4096
BUCKETS_MAX = 64  # of one load
PREFIXES_MAX = 256
TAGS_MAX = 10  # of an object
RAMP_MAX = 20  # steps of a rate that grows
THINK_LEAST, THINK_MAX = 0.001, 60.0  # seconds between operations
ENCRYPTIONS = ('sse-c', 'sse-s3')
CHECKSUMS = ('crc32', 'crc64nvme')
VERSIONINGS = ('enabled',)
SUMMED = (PUT, OVERWRITE, MULTIPART)  # send contents


@dataclasses.dataclass(frozen=True)
class Weighted:
    """Give an object size a share of the objects."""

    size: int
    weight: float = 1.0


@dataclasses.dataclass(frozen=True)
class Endpoint:
    """Name one address of a gateway; IPv6 without brackets.

    With a ``domain`` buckets are hosts in it, whose names nobody resolves:
    requests go to ``host`` all the same.
    """

    host: str  # name or address
    port: int
    tls: bool = False
    domain: str = ''  # as the gateway has it; empty: buckets are in paths

    def authority(self, bucket: str = '') -> str:
        """Return what the Host header says, of requests to a bucket."""
        host = self.named(bucket)
        host = f'[{host}]' if ':' in host else host
        if self.port == (443 if self.tls else 80):
            return host
        return f'{host}:{self.port}'

    def named(self, bucket: str = '') -> str:
        """Return the name that a certificate has to have."""
        if self.domain and bucket:
            return f'{bucket}.{self.domain}'
        return self.host

    def url(self) -> str:
        """Return the endpoint as people write it."""
        host = f'[{self.host}]' if ':' in self.host else self.host
        return f'{"https" if self.tls else "http"}://{host}:{self.port}'


@dataclasses.dataclass(frozen=True)
class Target:
    """Say where requests go, and as whom."""

    endpoints: Tuple[Endpoint, ...]
    access_key: str
    secret_key: str
    bucket: str
    region: str = 'us-east-1'
    ca_file: str = ''  # of a private authority; else the system's
    verify_tls: bool = True

    def check(self) -> None:
        """Raise Malformed where a value cannot be right."""
        if not self.endpoints:
            raise Malformed('no endpoint is given')
        for endpoint in self.endpoints:
            if not 0 < endpoint.port < 65536 or not endpoint.host:
                raise Malformed(f'{endpoint.url()!r} is not an endpoint')
        if not self.access_key or not self.secret_key:
            raise Malformed('a key is missing')
        if not self.bucket or '/' in self.bucket:
            raise Malformed(f'{self.bucket!r} is not a bucket')


@dataclasses.dataclass(frozen=True)
class Objects:
    """Name objects that are there: number i is ``prefix`` + i."""

    prefix: str
    count: int
    sizes: Tuple[Weighted, ...]
    turn: int = 0  # sizes are drawn anew for another one
    buckets: int = 1  # that they are in, in turn
    prefixes: int = 1  # in each of these: what is before a slash

    def check(self) -> None:
        """Raise Malformed where a value cannot be right."""
        if not self.sizes or self.count < 0:
            raise Malformed('objects without a size or a number')
        check_spread(self.buckets, self.prefixes)
        for item in self.sizes:
            if not 1 <= item.size <= LARGEST or item.weight <= 0:
                raise Malformed(
                    f'size {item.size} with weight {item.weight:g}'
                )


def check_spread(buckets: int, prefixes: int) -> None:
    """Raise Malformed where there can be no such number."""
    if not 1 <= buckets <= BUCKETS_MAX:
        raise Malformed(f'{buckets} buckets are not within 1 … {BUCKETS_MAX}')
    if not 1 <= prefixes <= PREFIXES_MAX:
        raise Malformed(
            f'{prefixes} prefixes are not within 1 … {PREFIXES_MAX}'
        )


def bucket_names(bucket: str, count: int) -> Tuple[str, ...]:
    """Return the names of the buckets of one load; the first is its own."""
    return (bucket, *[f'{bucket}-b{i}' for i in range(1, count)])


@dataclasses.dataclass(frozen=True)
class Details:
    """Say how the operations are done that need more than an object."""

    range_size: int = 0  # bytes of a range read; 0: all of the object
    list_keys: int = LIST_MAX  # names of a listing, at most
    delete_batch: int = 100  # objects of a multi-delete
    part_size: int = 8 << 20  # bytes of a part of an upload
    part_streams: int = 4  # parts of an upload under way at a time
    zipf: float = 0.0  # exponent by which objects are used; 0: alike
    hot_objects: float = 0.0  # share of objects that are hot
    hot_uses: float = 0.0  # share of operations on these; 0: none are
    poisson: bool = False  # at a rate, operations begin at random
    checksum: str = ''  # of CHECKSUMS, behind what is written
    tags: int = 0  # of each object that is written
    think: float = 0.0  # seconds between operations of a closed loop
    exponential: bool = False  # so long on average
    ramp_steps: int = 1  # in which a rate grows within the measured window
    sizes: Tuple[int, ...] = ()  # of objects, by OPS; 0: any, empty: all 0

    def check(self) -> None:
        """Raise Malformed where a value cannot be right."""
        for name, least, most in (
            ('range_size', 0, SIZE_MAX),
            ('list_keys', 1, LIST_MAX),
            ('delete_batch', 1, BATCH_MAX),
            ('part_size', PART_LEAST, LARGEST),
            ('part_streams', 1, STREAMS_MAX),
            ('tags', 0, TAGS_MAX),
            ('ramp_steps', 1, RAMP_MAX),
        ):
            value = getattr(self, name)
            if not least <= value <= most:
                raise Malformed(
                    f'{name} {value} is not within {least} … {most}'
                )
        if self.sizes and (
            len(self.sizes) != len(OPS)
            or not 0 <= min(self.sizes) <= max(self.sizes) <= SIZE_MAX
        ):
            raise Malformed(
                f'{self.sizes!r} is not a size for each of {", ".join(OPS)}'
            )
        if self.checksum not in ('', *CHECKSUMS):
            raise Malformed(f'{self.checksum!r} is not a checksum')
        if not 0 <= self.think <= THINK_MAX:
            raise Malformed(
                f'think {self.think:g} is not within 0 … {THINK_MAX:g}'
            )
        if not 0 <= self.zipf <= 5:
            raise Malformed(f'zipf {self.zipf:g} is not within 0 … 5')
        for share in (self.hot_objects, self.hot_uses):
            if not 0 <= share < 1:
                raise Malformed(f'{share:g} is not a share of what is hot')


def weights(mix: Sequence[float]) -> Tuple[float, ...]:
    """Return a weight for each of OPS; the last ones may be left out."""
    return (*mix, *[0.0] * (len(OPS) - len(mix)))


def drains(mix: Sequence[float]) -> bool:
    """Say whether a mix does nothing but take objects away."""
    wanted = {op for op, weight in enumerate(mix) if weight}
    return bool(wanted) and wanted.issubset(DELETES)


@dataclasses.dataclass(frozen=True)
class Phase:
    """Make one load; all processes begin at the same moment.

    ``limit`` bounds the operations of a process (a fill, or deletes until
    nothing is left); 0 is no bound. ``bound`` is how many objects it may
    create at most, then it stops and says so.
    """

    name: str
    mix: Tuple[float, ...]  # weights by operation, as in OPS
    warmup: float
    duration: float  # of what is measured; 0: until the limit
    rate: float = 0.0  # operations/s of this process; 0: closed loop
    limit: int = 0
    bound: int = 0
    adopt: bool = False  # the objects of the job are there to be read
    create: Tuple[int, ...] = ()  # a fill: [first, step, count]
    read: Tuple[int, ...] = ()  # each of these once, likewise
    again: bool = False  # a fill of what the last one could not write
    forget: bool = False  # what a fill writes is not used by this job

    @property
    def timed(self) -> bool:
        """Say whether it matters when what happened, and how long it took."""
        return not (self.create or self.read or self.again)


@dataclasses.dataclass(frozen=True)
class ProcessSpec:
    """Hold all that one generator process needs."""

    index: int
    processes: int
    connections: int
    seed: int
    target: Target
    objects: Objects  # read, or filled
    writes: Objects  # created by puts of a mix
    timeout: float = 60.0  # seconds, of one operation
    verify: float = 0.0  # share of reads whose content is compared
    signed_payload: bool = False
    keep: bool = False  # deletes take new objects only
    slices: bool = False  # latencies go to the leader during the load
    hash_ahead: bool = False  # of signed payload, before there is load
    details: Details = Details()
    streams: int = 1  # connections for each operation under way
    encryption: str = ''  # of ENCRYPTIONS


# the end of the name of a file that has a process's spec, its keys as well
SPEC = '.spec'


def to_file(spec: ProcessSpec) -> Dict[str, Any]:
    """Return a spec as plain data."""
    data: Dict[str, Any] = encode(spec)
    return data


def from_file(data: Any) -> ProcessSpec:
    """Read a spec; Malformed when it is none."""
    spec = decode(ProcessSpec, data, 'generator')
    spec.target.check()
    spec.objects.check()
    spec.writes.check()
    return spec
