"""The commands about load hosts, which the module inherits."""

from typing import Optional

from ..app.service import Service
from ..report import load_hosts as report
from .registry import Answer, read_command, write_command


class LoadHostCommands:
    """Register `ceph perfcompare load-host …`, and what agents ask."""

    service: Service

    @write_command('load-host add')
    def load_host_add(
        self, host: str, format: Optional[str] = None
    ) -> Answer:
        """Make a host a load host, and print what it needs, with its key"""
        found = self.service.load_hosts.add(host)
        return Answer(found, lambda: report.added(found))

    @write_command('load-host rm')
    def load_host_rm(self, host: str, format: Optional[str] = None) -> Answer:
        """Shut a load host out, and remove its key"""
        self.service.load_hosts.remove(host)
        return Answer(
            {'removed': host}, lambda: f'load host {host!r} removed'
        )

    @read_command('load-host ls')
    def load_host_ls(self, format: Optional[str] = None) -> Answer:
        """List load hosts: state, last seen, versions, clock"""
        found = self.service.load_hosts.list()
        return Answer(found, lambda: report.listed(found))

    @read_command('load-host check')
    def load_host_check(
        self, host: str, format: Optional[str] = None
    ) -> Answer:
        """Check whether a load host can make load"""
        found = self.service.load_hosts.check(host)
        return Answer(found, lambda: report.checked(found))

    @write_command('load-host enable')
    def load_host_enable(
        self, host: str, format: Optional[str] = None
    ) -> Answer:
        """Let a load host make load again"""
        found = self.service.load_hosts.enable(host, True)
        return Answer(found, lambda: f'load host {host!r} enabled')

    @write_command('load-host disable')
    def load_host_disable(
        self, host: str, format: Optional[str] = None
    ) -> Answer:
        """End what a load host does, and let it do nothing"""
        found = self.service.load_hosts.enable(host, False)
        return Answer(found, lambda: f'load host {host!r} disabled')

    @write_command('agent sync', at_once=True)
    def agent_sync(self, host: str, inbuf: Optional[str] = None) -> Answer:
        """Exchange with the agent of a load host; no command for people"""
        told = self.service.load_hosts.sync(host, inbuf)
        return Answer(told, lambda: told, written=True)
