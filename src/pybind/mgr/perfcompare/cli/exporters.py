"""The commands about exporters, which the module inherits."""

from typing import Optional

from ..app.service import Service
from ..report import hosts as report
from .registry import Answer, read_command, write_command


class ExporterCommands:
    """Register `ceph perfcompare exporter …`."""

    service: Service

    @read_command('exporter ls')
    def exporter_ls(self, format: Optional[str] = None) -> Answer:
        """List where figures of hosts come from, and who answers"""
        found = self.service.exporters.list()
        return Answer(found, lambda: report.exporters(found))

    @write_command('exporter set')
    def exporter_set(
        self, inbuf: Optional[str] = None, format: Optional[str] = None
    ) -> Answer:
        """Keep CA and credentials of exporters, in the file given with -i"""
        found = self.service.exporters.set(inbuf)
        return Answer(found, lambda: report.access_set(found))

    @write_command('exporter rm')
    def exporter_rm(self, format: Optional[str] = None) -> Answer:
        """Forget CA and credentials of exporters"""
        gone = self.service.exporters.forget()
        return Answer(
            {'removed': gone},
            lambda: 'removed' if gone else 'nothing was set',
        )
