"""S3 trials that warp makes, on what our own driver has prepared."""

from typing import Any, Dict

import dataclasses

from .models.plan import GroupPlan
from .models.workload import Workload
from .s3driver import S3Driver
from .worker.warp.jobs import WarpTrial


class WarpDriver(S3Driver):
    """Make the trials of warp; fills and probes stay our generator's."""

    def trial(
        self, workload: Workload, group: GroupPlan, tag: str
    ) -> WarpTrial:
        """Return the job of one trial."""
        job = super().trial(workload, group, tag)
        values: Dict[str, Any] = {
            field.name: getattr(job, field.name)
            for field in dataclasses.fields(job)
        }
        return WarpTrial(**dict(values, verify=0.0))
