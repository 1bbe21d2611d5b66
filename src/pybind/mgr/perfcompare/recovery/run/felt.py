"""What clients felt in the steps of a test and in their phases."""

from typing import List

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

    def too_short(self, timeline: Timeline) -> List[str]:
        """Say of which phases percentiles cannot be known, and why."""
        found = []
        for name, book in sorted(self._client.latencies.items()):
            spans = [
                (p.phase, p.began, p.began + p.span.seconds)
                for p in timeline.phases
            ]
            short = [
                (phase, book.width(*span))
                for phase, *span in spans
                if not book.resolves(*span)
            ]
            if short:
                phases = ', '.join(phase.value for phase, _ in short)
                widest = max(width for _, width in short)
                found.append(
                    f'{name}: no percentiles of {phases}: too short beside '
                    f'the {widest:g} s to which latencies are known so far '
                    'from a change'
                )
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
