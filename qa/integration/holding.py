"""Hold processes back by cgroups of version 1, to provoke limits.

The controllers of version 1 take processes out of their place one by one,
so that the mini cluster's own groups (which account for its hosts) stay as
they are. Where the machine has none, `missing` says so.
"""

from typing import Dict, Iterator, Sequence

import contextlib
import itertools
import os
import pathlib
import time

ROOT = pathlib.Path('/sys/fs/cgroup')
PERIOD = 100000  # microseconds
_serial = itertools.count()


def missing(controller: str) -> str:
    """Say why a controller cannot be used; '' when it can."""
    folder = ROOT / controller
    if os.access(str(folder / 'cgroup.procs'), os.W_OK):
        return ''
    return 'no %s controller of cgroup version 1' % controller


@contextlib.contextmanager
def cpu(pids: Sequence[int], cores: float) -> Iterator[pathlib.Path]:
    """Hold processes, all together, to some cores."""
    quota = max(1000, int(cores * PERIOD))
    values = {'cpu.cfs_period_us': PERIOD, 'cpu.cfs_quota_us': quota}
    with _group('cpu', pids, {k: str(v) for k, v in values.items()}) as made:
        yield made


@contextlib.contextmanager
def device(
    pids: Sequence[int], path: str, operations: int
) -> Iterator[pathlib.Path]:
    """Hold processes to some writes a second on one block device."""
    number = os.stat(path).st_rdev or os.stat(path).st_dev
    text = '%d:%d %d' % (os.major(number), os.minor(number), operations)
    values = {'blkio.throttle.write_iops_device': text}
    with _group('blkio', pids, values) as made:
        yield made


@contextlib.contextmanager
def memory(pids: Sequence[int], size: int) -> Iterator[pathlib.Path]:
    """Hold processes, all together, to some bytes, page cache included."""
    values = {'memory.limit_in_bytes': str(size)}
    with _group('memory', pids, values) as made:
        yield made


@contextlib.contextmanager
def _group(
    controller: str, pids: Sequence[int], values: Dict[str, str]
) -> Iterator[pathlib.Path]:
    folder = (
        ROOT
        / controller
        / ('perfcompare-hold-%d-%d' % (os.getpid(), next(_serial)))
    )
    folder.mkdir()
    try:
        for name, text in values.items():
            (folder / name).write_text(text)
        for pid in pids:
            (folder / 'cgroup.procs').write_text(str(pid))
        yield folder
    finally:
        # with all children that they had meanwhile
        deadline = time.monotonic() + 10.0
        while True:
            inside = (folder / 'cgroup.procs').read_text().split()
            for child in inside:
                with contextlib.suppress(OSError):
                    (ROOT / controller / 'cgroup.procs').write_text(child)
            try:
                folder.rmdir()
                break
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.05)
