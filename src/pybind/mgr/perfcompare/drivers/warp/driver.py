"""S3 trials that warp makes, on what our own driver has prepared."""

from typing import Any, Dict

import dataclasses

from ...model.plan import GroupPlan
from ...model.workload import Workload
from ...worker.wire.warp_jobs import WarpTrial
from ..s3.driver import S3Driver

READY = 5.0  # seconds
# seconds that a host may need to read what it keeps, 20 million operations
READING = 600.0


class WarpDriver(S3Driver):
    """Make the trials of warp; fills and probes stay our generator's."""

    def trial(
        self, workload: Workload, group: GroupPlan, tag: str
    ) -> WarpTrial:
        """Return the job of one trial.

        Of several load hosts each may take a while to be ready, to write the
        objects of a mix for one: the seconds that count begin later.
        """
        job = super().trial(workload, group, tag)
        values: Dict[str, Any] = {
            field.name: getattr(job, field.name)
            for field in dataclasses.fields(job)
        }
        if len(self._plan.options.load_hosts or ()) > 1:
            values['warmup'] += READY
            values['deadline'] += READY
        values['deadline'] += READING
        return WarpTrial(**dict(values, verify=0.0), reading=READING)
