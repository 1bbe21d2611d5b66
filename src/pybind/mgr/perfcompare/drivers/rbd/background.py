"""Load on images beside a recovery, and what is written before."""

from typing import Any, Dict, Tuple

import zlib

from ...model.plan import GroupPlan
from ...model.workload import Op
from ...planning.rbd.shape import READ_SHARE
from ...worker.wire import jobs
from ...worker.wire.rbd_jobs import Image, RbdPrefill, RbdTrial
from ..driver import LOAD_MARGIN, BackgroundParts

FILL_LIMIT = 7200.0
FILL_PER_OSD = 4
FILL_PER_IMAGE = 4


class RbdBackground:
    """Make load by fio, on images of each workload's own; a Background.

    All objects of the images are written before, so that a load only
    writes over what is there.
    """

    def __init__(self, parts: BackgroundParts) -> None:
        self._plan = parts.plan
        self._test = parts.test
        self._access = parts.access

    def fill(self, group: GroupPlan) -> jobs.Job:
        """Return the job that writes what is recovered, and read."""
        images = tuple(
            image
            for name in self._test.workloads
            for image in self._images(group, name)
        )
        most = FILL_PER_OSD * len(group.osds)
        return RbdPrefill(
            **self._common(group),
            images=images,
            concurrency=max(
                len(images), min(most, FILL_PER_IMAGE * len(images))
            ),
            deadline=FILL_LIMIT,
        )

    def beside(
        self, group: GroupPlan, repetition: int, serial: int, seconds: float
    ) -> Dict[str, jobs.Job]:
        """Return the load of one repetition, by workload."""
        return {
            name: RbdTrial(
                **self._common(group),
                images=self._images(group, name),
                concurrency=max(self._test.concurrency, self._test.images),
                deadline=seconds + LOAD_MARGIN,
                op=name,
                read_size=self._test.block,
                write_size=self._test.block,
                read_share=READ_SHARE if Op(name).facts.both else 0,
                duration=seconds,
                # groups of one repetition go to the same places
                seed=zlib.crc32(
                    f'{self._plan.seed} {name} {repetition} {serial}'.encode()
                ),
                slices=True,
            )
            for name in self._test.workloads
        }

    def problem(self, group: GroupPlan) -> str:
        """Return nothing: OSDs serve the load."""
        return ''

    def close(self) -> None:
        """Do nothing: nothing is held."""

    # inside

    def _images(self, group: GroupPlan, workload: str) -> Tuple[Image, ...]:
        test = self._test
        held = test.of(group.name).objects * test.size
        each = held // (len(test.workloads) * test.images)
        return tuple(
            Image(f'{workload}-{number}', each)
            for number in range(test.images)
        )

    def _common(self, group: GroupPlan) -> Dict[str, Any]:
        data, *meta = group.pools
        return {
            'access': self._access(meta[0].name if meta else data.name),
            'data_pool': data.name if meta else '',
            'object_size': self._test.size,
        }
