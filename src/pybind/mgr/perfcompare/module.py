"""Be the glue between ceph-mgr and perfcompare: options, commands, serve."""

from typing import Any, Dict, List, Optional

import threading

from mgr_module import MgrModule, NotifyType, Option

from .analysis.efficiency import choose
from .app.requests import RunRequest
from .app.service import Service
from .cli import registry as cli
from .cli.exporters import ExporterCommands
from .cli.help import HelpCommands
from .cli.load_hosts import LoadHostCommands
from .cli.options import run_options, taking
from .cli.profiles import ProfileCommands
from .cli.recovery import RecoveryCommands
from .cli.recovery_tests import RecoveryTestCommands
from .cli.registry import (
    Answer,
    only_planned,
    only_proposed,
    read_command,
    write_command,
)
from .cli.together import one_of, only_with
from .common.settings import OPTIONS
from .composition import build
from .guard import doctor
from .guard.checks import preflight
from .remote import calls as api
from .report import findings as findings_text
from .report import gateways as gateways_text
from .report import hosts as hosts_text
from .report import journal as journal_text
from .report import listing
from .report import osds as osds_text
from .report import plan as plantext
from .report import text
from .store import schema


class Module(
    RecoveryCommands,
    RecoveryTestCommands,
    ExporterCommands,
    LoadHostCommands,
    ProfileCommands,
    HelpCommands,
    MgrModule,
):
    """Run performance comparisons of groups of OSDs."""

    CLICommand = cli.Registry
    NOTIFY_TYPES = [
        NotifyType.osd_map,
        NotifyType.pg_summary,
        NotifyType.clog,
    ]
    SCHEMA = schema.MGR_SCHEMA
    SCHEMA_VERSIONED = schema.MGR_SCHEMA_VERSIONED
    MODULE_OPTIONS: List[Option] = [
        Option(**dict(o, runtime=True)) for o in OPTIONS
    ]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        service: Optional[Service] = kwargs.pop('service', None)
        super().__init__(*args, **kwargs)
        self._stopping = threading.Event()
        self.service = service or build(self)

    def serve(self) -> None:
        """Drive runs until the mgr stops the module."""
        self.service.serve(self._stopping)

    def shutdown(self) -> None:
        """End load and undo what can be undone now; called by ceph-mgr."""
        self._stopping.set()
        self.service.shutdown()

    def config_notify(self) -> None:
        """React to changed options; called by ceph-mgr."""
        self.service.options_changed()

    def notify(self, notify_type: NotifyType, notify_id: Any) -> None:
        """Hand over what ceph-mgr announces; its thread is not kept."""
        # ceph-mgr gives the enum's value, its type hint notwithstanding,
        # and with a line of the cluster log the line
        what = getattr(notify_type, 'value', notify_type)
        self.service.recoveries.noted(str(what), notify_id)

    def api(self, name: str, args: Dict[str, Any]) -> Dict[str, Any]:
        """Answer a call of the dashboard, by `mgr.remote`."""
        return api.call(self.service, name, args)

    # groups

    @write_command('group set')
    def group_set(
        self,
        group: str,
        _end_positional_: int = 0,
        hosts: Optional[List[str]] = None,
        device_class: Optional[str] = None,
        watts: Optional[float] = None,
        price: Optional[float] = None,
        note: Optional[str] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """Define a group by CRUSH hosts, or by a device class alone"""
        found = self.service.groups.set(
            group, hosts, device_class, watts, price, note
        )
        return Answer(found, lambda: listing.group_set(found))

    @read_command('group ls')
    def group_ls(self, format: Optional[str] = None) -> Answer:
        """List groups, and device classes that can be used as groups"""
        found = self.service.groups.list()
        return Answer(found, lambda: listing.groups(found))

    @read_command('group show')
    def group_show(self, group: str, format: Optional[str] = None) -> Answer:
        """Show a group with its hosts and OSDs"""
        found = self.service.groups.show(group)
        return Answer(found, lambda: listing.group(found))

    @write_command('group rm')
    def group_rm(self, group: str, format: Optional[str] = None) -> Answer:
        """Remove the definition of a group; OSDs are not touched"""
        self.service.groups.remove(group)
        return Answer({'removed': group}, lambda: f'group {group!r} removed')

    @write_command('group detect', reads=only_proposed)
    def group_detect(
        self, apply: bool = False, format: Optional[str] = None
    ) -> Answer:
        """Propose groups by the architecture of the OSDs' hosts"""
        found = self.service.groups.detect(apply)
        return Answer(found, lambda: listing.detected(found, apply))

    # gateways of operators

    @write_command('gateways set')
    def gateways_set(
        self,
        group: str,
        _end_positional_: int = 0,
        endpoint: Optional[List[str]] = None,
        placement: Optional[str] = None,
        region: Optional[str] = None,
        dns_name: Optional[str] = None,
        inbuf: Optional[str] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """Set the S3 gateways that serve a group; keys are given with -i"""
        found = self.service.gateways.set(
            group, endpoint, placement, region, inbuf, dns_name
        )
        return Answer(found, lambda: gateways_text.listed([found]))

    @read_command('gateways ls')
    def gateways_ls(self, format: Optional[str] = None) -> Answer:
        """List the S3 gateways that are set, without keys"""
        found = self.service.gateways.list()
        return Answer(found, lambda: gateways_text.listed(found))

    @write_command('gateways rm')
    def gateways_rm(self, group: str, format: Optional[str] = None) -> Answer:
        """Forget the S3 gateways of a group, and their keys"""
        self.service.gateways.remove(group)
        return Answer(
            {'removed': group}, lambda: f'gateways of {group!r} forgotten'
        )

    # runs

    @write_command('run', reads=only_planned)
    @taking(run_options(), 'dry_run')
    def run(self, dry_run: bool = False, **given: Any) -> Answer:
        """Start a run on one or more groups, or print its plan"""
        request = RunRequest.of_words(given)
        if dry_run:
            draft = plantext.shown(self.service.draft(request))
            return Answer(draft, lambda: draft.text)
        ticket = self.service.start(request)
        return Answer(ticket, lambda: listing.ticket(ticket))

    @read_command('status', at_once=True)
    def status(self, format: Optional[str] = None) -> Answer:
        """Show what runs now, how far it is and when it should end"""
        found = self.service.status()
        return Answer(found, lambda: listing.status(found))

    @read_command('ls')
    def ls(
        self,
        _end_positional_: int = 0,
        limit: Optional[int] = None,
        offset: Optional[int] = None,
        find: Optional[str] = None,
        sort: Optional[str] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """List runs, those that match, the newest first"""
        found = self.service.results.list(limit, offset, find, sort)
        return Answer(found, lambda: listing.runs(found))

    @read_command('show')
    def show(
        self,
        run: str,
        _end_positional_: int = 0,
        findings: bool = False,
        osds: bool = False,
        hosts: bool = False,
        journal: bool = False,
        round: Optional[int] = None,
        workload: Optional[str] = None,
        group: Optional[str] = None,
        top: Optional[int] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """Show a run: its trials, what limited them, its OSDs or hosts"""
        one_of(findings=findings, osds=osds, hosts=hosts, journal=journal)
        only_with(
            '--osds', osds, round=round, workload=workload, group=group,
            top=top,
        )  # fmt: skip
        results = self.service.results
        if journal:
            left = self.service.journal(run)
            return Answer(left, lambda: journal_text.entries(run, left))
        if osds and (round, workload, group, top) != (None,) * 4:
            key = results.trial_key(run, round, workload, group)
            spread = results.trial_osds(run, key, top)
            return Answer(spread, lambda: osds_text.trial(spread))
        if osds:
            seen = results.osds(run)
            return Answer(seen, lambda: osds_text.osds(seen))
        if findings:
            limits = results.findings(run)
            return Answer(limits, lambda: findings_text.render(limits))
        if hosts:
            side = results.hosts(run)
            return Answer(side, lambda: hosts_text.render(side))
        found = results.show(run)
        return Answer(found, lambda: listing.run(found))

    @write_command('cancel', at_once=True)
    def cancel(self, run: str, format: Optional[str] = None) -> Answer:
        """End a run in order: stop load, undo, keep its results"""
        found = self.service.cancel(run)
        return Answer(found, lambda: listing.stopping(found))

    @write_command('stop', at_once=True)
    def stop(self, now: bool = False, format: Optional[str] = None) -> Answer:
        """End the current run; with --now kill its load first"""
        found = self.service.stop(now)
        return Answer(found, lambda: listing.stopping(found))

    @write_command('rm')
    def rm(self, run: str, format: Optional[str] = None) -> Answer:
        """Remove the results of an ended run"""
        self.service.results.remove(run)
        return Answer({'removed': run}, lambda: f'run {run} removed')

    @read_command('export', at_once=True)
    def export(self, run: str) -> Answer:
        """Print a run as JSON, complete with raw samples"""
        exported = self.service.results.export(run)
        return Answer(exported, lambda: exported, written=True)

    @write_command('import')
    def import_(
        self,
        _end_positional_: int = 0,
        tool: Optional[str] = None,
        group: Optional[str] = None,
        label: Optional[str] = None,
        inbuf: Optional[str] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """Store the exported run, or another tool's results, given with -i"""
        found = self.service.results.import_run(
            inbuf, tool or 'auto', group, label or ''
        )
        return Answer(found, lambda: listing.imported(found))

    @read_command('compare')
    def compare(
        self,
        baseline: str,
        candidate: str,
        _end_positional_: int = 0,
        run: Optional[List[str]] = None,
        metrics: Optional[List[str]] = None,
        across: Optional[List[str]] = None,
        format: Optional[str] = None,
    ) -> Answer:
        """Compare two groups of a run; <group>@<run>[,<run>...] of others"""
        shown = choose(metrics or [])
        found = self.service.results.compare(
            baseline, candidate, run or [], across or []
        )
        return Answer(found, lambda: text.render(found, metrics=shown))

    # checks

    @read_command('preflight')
    @taking(run_options())
    def preflight(self, **given: Any) -> Answer:
        """Check whether a run with these options could start"""
        found = self.service.preflight(RunRequest.of_words(given))
        return Answer(found, lambda: preflight.text(found))

    @read_command('doctor')
    def doctor(self, format: Optional[str] = None) -> Answer:
        """List programs and exporters, and what those that lack are for"""
        found = self.service.doctor()
        return Answer(found, lambda: doctor.text(found))

    @write_command('cleanup')
    def cleanup(self, format: Optional[str] = None) -> Answer:
        """Undo what earlier runs left, and name what has no journal entry"""
        found = self.service.cleanup()
        return Answer(found, lambda: listing.undone(found))
