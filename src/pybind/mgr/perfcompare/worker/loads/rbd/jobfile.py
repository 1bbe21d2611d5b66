"""The job files of fio: written here, of validated fields only.

Nothing of a user's text gets in, and nothing that runs a program does.
"""

from typing import Dict, List, Union

import hashlib
import math

from ...wire.jobs import split
from ...wire.rbd_jobs import OPS, RbdJob, RbdTrial

FILL_BLOCK = 4 << 20  # bytes of a write of a fill, and of a read of a pass
# A fourth of the resolution of fio's histograms is enough for a series;
# percentiles are of its totals, which have all of it.
COARSENESS = 2
LINES = 600  # of the log of one direction, about
FINEST, COARSEST = 100, 1000  # milliseconds of one line

Options = Dict[str, Union[str, int]]


def passphrase(image: str) -> str:
    """Return what encrypts an image: of no worth, as its data is of none.

    What is compared is the cost of encryption, and every job on an image
    must know it.
    """
    return hashlib.sha256(f'perfcompare {image}'.encode()).hexdigest()


def text(options: Options) -> str:
    """Return the text of a job file with one job."""
    lines = ['[load]']
    lines += [f'{name}={value}' for name, value in options.items()]
    return '\n'.join(lines) + '\n'


def base(job: RbdJob, index: int) -> Options:
    """Return what all job files on image ``index`` begin with."""
    image = job.images[index].name
    found: Options = {
        'ioengine': 'rbd',
        # the engine adds "client." itself
        'clientname': job.access.entity.partition('.')[2],
        'pool': job.access.pool,
        'rbdname': image,
        # else librbd's cache would answer
        'direct': 1,
        'invalidate': 1,
    }
    if job.encryption:
        found['rbd_encryption_format'] = job.encryption
        found['rbd_encryption_passphrase'] = passphrase(image)
    return found


def log_milliseconds(duration: float) -> int:
    """Return how much time one line of the log covers."""
    return int(min(COARSEST, max(FINEST, duration * 1000 / LINES)))


def trial(job: RbdTrial, index: int, label: str) -> Options:
    """Return what makes the load of a trial on image ``index``.

    The image gets its share of the concurrency and of the rate.
    """
    count = len(job.images)
    found = base(job, index)
    found['rw'] = OPS[job.op]
    found['bs'] = f'{job.read_size or job.write_size},' + str(
        job.write_size or job.read_size
    )
    if job.mixed:
        found['rwmixread'] = job.read_share
    found['iodepth'] = split(job.concurrency, count)[index]
    if job.rate:
        found['rate_iops'] = ','.join(map(str, rates(job, index)))
    if job.random:
        found['percentage_random'] = job.random_share
        found['norandommap'] = 1
        if job.distribution != 'uniform':
            found['random_distribution'] = job.distribution
    if job.compress and job.writes:
        found['buffer_compress_percentage'] = job.compress
    found['randrepeat'] = 1
    found['randseed'] = job.seed + index + 1  # 0 would be none
    found['time_based'] = 1
    if job.warmup:
        found['ramp_time'] = f'{math.ceil(job.warmup * 1000)}ms'
    found['runtime'] = f'{math.ceil(job.duration * 1000)}ms'
    found['continue_on_error'] = 'io'
    found['error_dump'] = 0  # they are counted, a line of each may be many
    found['clat_percentiles'] = 1  # without, the log has zeros
    found['lat_percentiles'] = 1
    if not job.slices:
        found['write_hist_log'] = label
        found['log_hist_msec'] = log_milliseconds(job.duration)
        found['log_hist_coarseness'] = COARSENESS
        found['log_unix_epoch'] = 1
    return found


def rates(job: RbdTrial, index: int) -> List[int]:
    """Return op/s of reads and of writes that an image is to get.

    fio takes no share of reads beside a rate, so each direction has one.
    """
    count = len(job.images)
    whole = round(job.rate)
    reads = whole if job.reads else 0
    if job.mixed:
        reads = round(whole * job.read_share / 100)
        # of each direction one for each image: 0 would be no limit
        reads = min(max(reads, count), whole - count)
    return [split(reads, count)[index], split(whole - reads, count)[index]]


def block(job: RbdJob, index: int) -> int:
    """Return the bytes of a block that an image has no rest of."""
    return math.gcd(FILL_BLOCK, job.images[index].size)


def once(job: RbdJob, index: int, write: bool, depth: int) -> Options:
    """Return what writes or reads an image from end to end, once."""
    found = base(job, index)
    found['rw'] = 'write' if write else 'read'
    found['bs'] = block(job, index)
    found['iodepth'] = depth
    found['size'] = '100%'
    compress = getattr(job, 'compress', 0)
    if write and compress:
        found['buffer_compress_percentage'] = compress
    found['randrepeat'] = 1
    found['randseed'] = index + 1
    return found
