"""The commands about recoveries that were recorded."""

from typing import Any, Optional

from ..report.recovery import chart as charttext
from ..report.recovery import text
from .registry import Answer, read_command, write_command
from .together import only_with


class RecoveryCommands:
    """Be the part of Module that lists and shows recoveries."""

    service: Any  # a Service

    @read_command('recovery ls')
    def recovery_ls(
        self,
        _end_positional_: int = 0,
        kind: Optional[str] = None,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """List recoveries, observed and tested, the newest first"""
        found = self.service.recoveries.list(limit, offset, kind)
        return Answer(found, lambda: text.listed(found))

    @read_command('recovery show')
    def recovery_show(
        self,
        recovery: str,
        _end_positional_: int = 0,
        chart: bool = False,
        repetition: Optional[int] = None,
        step: Optional[int] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """Show a recovery: cause, moments, phases; or a test's course"""
        only_with('--chart', chart, repetition=repetition, step=step)
        if chart:
            number = 1 if repetition is None else repetition
            tracks = self.service.tests.chart(recovery, number, step)
            return Answer(tracks, lambda: charttext.render(tracks, recovery))
        found = self.service.recoveries.show(recovery)
        return Answer(found, lambda: text.shown(found))

    @write_command('recovery rm')
    def recovery_rm(
        self, recovery: str, format: Optional[str] = None
    ) -> Answer:
        """Remove what is stored of a recovery"""
        self.service.recoveries.remove(recovery)
        return Answer(
            {'removed': recovery}, lambda: f'recovery {recovery} removed'
        )

    @read_command('recovery export')
    def recovery_export(self, recovery: str) -> Answer:
        """Print a recovery as JSON, complete with its series"""
        exported = self.service.recoveries.export(recovery)
        return Answer(exported, lambda: exported, written=True)

    @write_command('recovery import')
    def recovery_import(
        self, inbuf: Optional[str] = None, format: Optional[str] = None
    ) -> Answer:
        """Store the exported recovery in the file given with -i"""
        found = self.service.recoveries.import_(inbuf)
        return Answer(found, lambda: text.imported(found))
