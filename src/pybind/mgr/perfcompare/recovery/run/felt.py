"""What clients felt in the steps of a test and in their phases."""

import dataclasses

from ...model.recovery import Timeline
from ..judge import impact
from .clientload import ClientLoad

NOTHING: impact.Figures = {}


class ClientImpact:
    """Give figures of the load that is going on."""

    def __init__(self, client: ClientLoad, size: int) -> None:
        """Take figures of ``client``, whose operations move ``size``."""
        self._client = client
        self._size = size

    def between(
        self, begin: float, end: float, baseline: impact.Figures = NOTHING
    ) -> impact.Figures:
        """Return the figures of a window, as shares of a baseline too."""
        # the sample that covers the end comes within a second
        found = impact.of_loads(
            self._client.samples,
            self._size,
            begin,
            end,
            self._client.latencies,
        )
        if baseline:
            found.update(impact.shares(found, baseline))
        return found

    def in_phases(
        self, timeline: Timeline, baseline: impact.Figures
    ) -> Timeline:
        """Return a timeline with the figures of each phase."""
        return dataclasses.replace(
            timeline,
            phases=tuple(
                dataclasses.replace(
                    phase,
                    client=self.between(
                        phase.began,
                        phase.began + phase.span.seconds,
                        baseline,
                    ),
                )
                for phase in timeline.phases
            ),
        )
