"""The jobs that load images of RADOS Block Devices."""

from typing import Any, Dict, Optional, Tuple

import dataclasses
import re

from .jobs import HOSTS_MAX, KINDS, Load, split
from .join_jobs import MAKERS
from .rbd_join_jobs import RbdJoin
from .strict import Malformed

OPS = {
    # the job's operation: fio's `rw`
    'rbd-randread': 'randread',
    'rbd-randwrite': 'randwrite',
    'rbd-read': 'read',
    'rbd-write': 'write',
    'rbd-randrw': 'randrw',
    'rbd-rw': 'rw',
}
TOOLS = ('fio', 'rbd-bench')
ENCRYPTIONS = ('luks2',)
IMAGES_MAX = 256  # a process each
SIZE_MAX = 1 << 50  # bytes of an image
UNIT = 1 << 20  # bytes that it is a multiple of
BLOCK_LEAST = 512
BLOCK_MAX = 64 << 20
OBJECT_LEAST = 4096  # as librbd has it
OBJECT_MAX = 32 << 20
DEPTH_MAX = 4096  # operations in flight of one process
SEED_MAX = 1 << 32
# fio's own limits of what follows the name of a distribution
_SPREADS = {'zipf': (0.0, 5.0), 'pareto': (0.0, 1.0)}
_SPREAD = re.compile(r'(zipf|pareto):([0-9]{1,2}(?:\.[0-9]{1,4})?)')
_NAME = re.compile(r'[A-Za-z0-9][A-Za-z0-9._-]{0,199}')


def _need(condition: bool, message: str) -> None:
    if not condition:
        raise Malformed(message)


def check_distribution(text: str) -> None:
    """Raise Malformed unless it is uniform, zipf:T or pareto:H."""
    if text == 'uniform':
        return
    match = _SPREAD.fullmatch(text)
    _need(
        match is not None,
        f'{text!r} is not one of uniform, zipf:T, pareto:H',
    )
    assert match is not None
    low, high = _SPREADS[match.group(1)]
    value = float(match.group(2))
    _need(
        low < value < high and not (match.group(1) == 'zipf' and value == 1),
        f'{text!r}: the number must be above {low:g} and below {high:g}'
        + (', and not 1' if match.group(1) == 'zipf' else ''),
    )


@dataclasses.dataclass(frozen=True)
class Image:
    """Name an image, which one process loads alone."""

    name: str
    size: int  # bytes

    def check(self, object_size: int) -> None:
        """Raise Malformed where a value cannot be right."""
        _need(
            _NAME.fullmatch(self.name) is not None,
            f'{self.name!r} is not the name of an image',
        )
        _need(
            object_size <= self.size <= SIZE_MAX,
            f'image {self.name}: {self.size} bytes are not within '
            f'{object_size} … {SIZE_MAX}',
        )
        _need(
            self.size % UNIT == 0,
            f'image {self.name}: {self.size} bytes are not a multiple of '
            f'{UNIT}',
        )


@dataclasses.dataclass(frozen=True)
class RbdJob(Load):
    """Hold what all jobs on images share.

    ``access.pool`` has the images' metadata, and their data as well unless
    ``data_pool`` is given, which may be erasure-coded. ``concurrency`` is
    of all images together.
    """

    images: Tuple[Image, ...] = ()
    data_pool: str = ''
    object_size: int = 4 << 20  # bytes
    encryption: str = ''  # or one of ENCRYPTIONS, done by librbd
    tool: str = 'fio'  # of TOOLS
    fio: str = 'fio'  # names or paths of the programs
    rbd: str = 'rbd'

    def divided(self, hosts: int) -> Tuple[Optional[Load], ...]:
        """Return what each of several hosts does of it.

        Images are dealt out in a row; each gets what it gets on one host.
        """
        count = min(hosts, self.concurrency, len(self.images))
        ends = [0]
        for number in split(len(self.images), count):
            ends.append(ends[-1] + number)
        parts = [
            self._part(host, ends[host], ends[host + 1], count)
            for host in range(count)
        ]
        return (*parts, *[None] * (hosts - count))

    def _part(self, host: int, low: int, high: int, hosts: int) -> 'RbdJob':
        """Return what one of several hosts does: images ``low`` … ``high``."""
        return dataclasses.replace(
            self,
            images=self.images[low:high],
            concurrency=split(self.concurrency, hosts)[host],
        )

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        self.access.check()
        _need(self.deadline > 0, 'the deadline must be above 0 s')
        _need(0 <= self.nice <= 19, f'nice {self.nice} is not within 0 … 19')
        _need(not self.populations, 'images are not populations')
        if self.data_pool:
            dataclasses.replace(self.access, pool=self.data_pool).check()
        _need(
            OBJECT_LEAST <= self.object_size <= OBJECT_MAX
            and not self.object_size & (self.object_size - 1),
            f'an object size of {self.object_size} bytes is not a power of '
            f'two within {OBJECT_LEAST} … {OBJECT_MAX}',
        )
        _need(
            1 <= len(self.images) <= IMAGES_MAX,
            f'{len(self.images)} images are not within 1 … {IMAGES_MAX}',
        )
        for image in self.images:
            image.check(self.object_size)
        names = [image.name for image in self.images]
        _need(len(set(names)) == len(names), 'an image is named twice')
        _need(self.concurrency > 0, 'the concurrency must be at least 1')
        _need(
            self.encryption in ('', *ENCRYPTIONS),
            f'{self.encryption!r} is not an encryption',
        )
        _need(self.tool in TOOLS, f'{self.tool!r} is not one of {TOOLS}')
        _need(
            not (self.encryption and self.tool == 'rbd-bench'),
            'rbd bench has no encryption: install fio with its rbd engine',
        )
        for program in (self.fio, self.rbd):
            _need(
                bool(program) and not program.startswith('-'),
                f'{program!r} is not a program',
            )


@dataclasses.dataclass(frozen=True)
class RbdPrefill(RbdJob):
    """Make images and write each in full; those written are kept."""

    compress: int = 0  # percent by which what is written compresses

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        super().check()
        _need(
            0 <= self.compress <= 100
            and not (self.compress and self.tool == 'rbd-bench'),
            f'data that compresses by {self.compress} %: 0 to 100, and by '
            'fio only',
        )


@dataclasses.dataclass(frozen=True)
class RbdWarm(RbdJob):
    """Read each image once, from its first byte to its last."""


@dataclasses.dataclass(frozen=True)
class RbdTrial(RbdJob):
    """Measure one operation for ``duration`` s after ``warmup`` s.

    A mix (rbd-randrw, rbd-rw) reads ``read_share`` % of its operations;
    the size of a direction that is not used may be 0.
    """

    op: str = ''  # of OPS
    read_size: int = 0  # bytes of a read
    write_size: int = 0  # bytes of a write
    read_share: int = 0  # percent, of a mix only
    duration: float = 0.0
    warmup: float = 0.0
    rate: float = 0.0  # operations/s in all; 0: as fast as it goes
    random_share: int = 100  # percent, of the random operations only
    distribution: str = 'uniform'  # zipf:T or pareto:H, where random
    compress: int = 0  # percent by which what is written compresses
    seed: int = 1
    slices: bool = False  # reports tell latencies by time; fio only
    hosts: int = 1  # that make this load, each a part of it

    def _part(self, host: int, low: int, high: int, hosts: int) -> RbdJob:
        """Return what one of several hosts does: images ``low`` … ``high``."""
        count = len(self.images)
        rates = split(round(self.rate), count)
        return dataclasses.replace(
            self,
            images=self.images[low:high],
            concurrency=sum(split(self.concurrency, count)[low:high]),
            rate=float(sum(rates[low:high])),
            seed=(self.seed + low) % SEED_MAX,
            hosts=hosts,
        )

    @property
    def random(self) -> bool:
        """Say whether offsets are drawn."""
        return self.op.startswith('rbd-rand')

    @property
    def mixed(self) -> bool:
        """Say whether it reads and writes."""
        return self.op in ('rbd-randrw', 'rbd-rw')

    @property
    def reads(self) -> bool:
        """Say whether it reads."""
        return self.mixed or self.op in ('rbd-randread', 'rbd-read')

    @property
    def writes(self) -> bool:
        """Say whether it writes."""
        return self.mixed or not self.reads

    @property
    def sizes(self) -> Dict[str, int]:
        """Return the bytes of an operation of each direction it has."""
        return {
            name: size
            for name, used, size in (
                ('read', self.reads, self.read_size),
                ('write', self.writes, self.write_size),
            )
            if used
        }

    def check(self) -> None:
        """Raise Malformed where values cannot be right."""
        super().check()
        _need(self.op in OPS, f'{self.op!r} is not one of {", ".join(OPS)}')
        for what, size in self.sizes.items():
            self._check_block(what, size)
        _need(1 <= self.hosts <= HOSTS_MAX, f'{self.hosts} hosts')
        _need(
            1 <= self.read_share <= 99 if self.mixed else not self.read_share,
            f'a read share of {self.read_share} % of {self.op}: a mix has 1 '
            'to 99 %, all else has none',
        )
        _need(self.duration >= 1, 'the duration must be at least 1 s')
        _need(self.warmup >= 0, 'the warm-up must not be negative')
        _need(
            self.deadline > self.warmup + self.duration,
            f'a deadline of {self.deadline:g} s is too short for '
            f'{self.warmup + self.duration:g} s of load',
        )
        count = len(self.images)
        _need(
            count <= self.concurrency,
            f'{count} images cannot share a concurrency of '
            f'{self.concurrency}',
        )
        _need(
            max(split(self.concurrency, count)) <= DEPTH_MAX,
            f'a concurrency of {self.concurrency} on {count} images is more '
            f'than {DEPTH_MAX} for one',
        )
        least = min(self.read_share, 100 - self.read_share) or 100
        if self.hosts > 1:
            # of a part, shares are as even as whole numbers can be
            least = 100 // len(self.sizes)
        _need(
            self.rate == 0 or self.rate * least / 100 >= count,
            f'a rate of {self.rate:g}/s is below 1/s for each of {count} '
            'images and each direction',
        )
        _need(
            0 <= self.random_share <= 100
            and (self.random or self.random_share == 100),
            f'a random share of {self.random_share} % of {self.op}: random '
            'operations have 0 to 100 %',
        )
        check_distribution(self.distribution)
        _need(
            self.random or self.distribution == 'uniform',
            f'{self.distribution!r} needs a random operation',
        )
        # fio draws blocks of the smaller size, and ends at the first one
        # of the larger size that is beyond the image
        _need(
            self.distribution == 'uniform'
            or not self.mixed
            or self.read_size == self.write_size,
            f'{self.distribution!r} needs reads and writes of one size, not '
            f'of {self.read_size} and {self.write_size} bytes',
        )
        _need(
            0 <= self.compress <= 100 and (self.writes or not self.compress),
            f'data that compresses by {self.compress} %: 0 to 100, for '
            'what writes',
        )
        _need(0 <= self.seed < SEED_MAX, f'{self.seed} is not a seed')
        if self.tool == 'rbd-bench':
            self._check_bench()

    def _check_block(self, what: str, size: int) -> None:
        least = min(image.size for image in self.images)
        _need(
            BLOCK_LEAST <= size <= min(BLOCK_MAX, least)
            and size % BLOCK_LEAST == 0,
            f'a {what} of {size} bytes is not a multiple of {BLOCK_LEAST} '
            f'within {BLOCK_LEAST} … {min(BLOCK_MAX, least)}',
        )

    def _check_bench(self) -> None:
        _need(
            not self.mixed
            and not self.rate
            and not self.compress
            and self.random_share == 100
            and self.distribution == 'uniform'
            and not self.slices,
            'rbd bench has one direction at full speed, uniform, of one '
            'repeated byte: install fio with its rbd engine for more',
        )


@dataclasses.dataclass(frozen=True)
class RbdProbe(RbdTrial):
    """Make a gentle start: a short trial at low concurrency."""


def probe_of(
    trial: RbdTrial, seconds: float = 10.0, concurrency: int = 2
) -> RbdProbe:
    """Return the gentle start before ``trial``: one image, few ops.

    It is at most as fast as the trial is to be.
    """
    data = {f.name: getattr(trial, f.name) for f in dataclasses.fields(trial)}
    data.update(
        concurrency=min(concurrency, trial.concurrency),
        images=trial.images[:1],
        warmup=0.0,
        duration=max(1.0, seconds),
        deadline=max(1.0, seconds) + 60.0,
    )
    return RbdProbe(**data)


def _joined(job: RbdTrial, shared: Dict[str, Any]) -> RbdJoin:
    return RbdJoin(
        sizes=job.sizes,
        rate=job.rate,
        images=tuple(image.name for image in job.images),
        nice=job.nice,
        **shared,
    )


MAKERS[RbdTrial] = _joined
KINDS['rbd-prefill'] = RbdPrefill
KINDS['rbd-warm'] = RbdWarm
KINDS['rbd-trial'] = RbdTrial
KINDS['rbd-probe'] = RbdProbe
