"""Conclude a trial: what its evidence, all together, says."""

from typing import Any, Callable, Dict, Mapping

import logging

from ...model.series import Table
from ...model.trial import Trial
from ..evidence import Limits
from .evaluate import evaluate

log = logging.getLogger(__name__)


def concluder(
    limits: Callable[[], Limits],
) -> Callable[[Trial, Mapping[str, Table]], Dict[str, Any]]:
    """Return what makes evidence['findings'] of a trial and its series.

    A fault here is logged and costs the findings, never the trial: they
    can be made anew of what is stored.
    """

    def conclude(trial: Trial, series: Mapping[str, Table]) -> Dict[str, Any]:
        try:
            return {'findings': evaluate(trial, series, limits())}
        except Exception:
            log.exception(
                'no findings of %s on %s', trial.workload, trial.group
            )
            return {}

    return conclude
