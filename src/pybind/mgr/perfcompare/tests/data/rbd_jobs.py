"""A trial on two images, as a worker is told to make it."""

from ...worker.wire.jobs import Access
from ...worker.wire.rbd_jobs import Image, RbdTrial

MIB = 1 << 20
ACCESS = Access('/run/c', '/run/k', 'client.perfcompare.r1', 'pc-r1-meta')
TRIAL = RbdTrial(
    access=ACCESS,
    concurrency=8,
    deadline=120.0,
    images=(Image('r1.0', 64 * MIB), Image('r1.1', 64 * MIB)),
    op='rbd-randrw',
    read_size=4096,
    write_size=8192,
    read_share=70,
    duration=30.0,
    warmup=5.0,
)
