"""S3 trials that warp makes, on what our own driver has prepared."""

from typing import Any, Dict

import dataclasses

from ...model.plan import GroupPlan
from ...model.workload import Workload
from ...worker.wire.warp_jobs import WarpTrial
from ..s3.driver import S3Driver


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
