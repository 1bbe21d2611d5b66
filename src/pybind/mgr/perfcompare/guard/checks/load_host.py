"""CLIENT: whether a load host can make the load of a run."""

from typing import Dict, List, Sequence

from ...common.units import count, format_duration, format_latency
from ...model.load_host import HostState, LoadHost
from ...model.ownership import AGENT
from ..layout import names
from .finding import CheckContext, Findings, ok, refuse, warn

OFF = 0.1  # seconds that a clock may be off

_REMEDIES = {
    HostState.NEVER: 'start its agent: {1}',
    HostState.SILENT: 'see that its agent runs and reaches the Manager',
    HostState.DISABLED: '`ceph perfcompare load-host enable {0}`',
    HostState.VERSION: 'install the version of the Manager there and start '
    'its agent again',
}


def starting(host: str) -> str:
    """Say how the agent of a load host that has a key is started."""
    return (
        f'`systemctl restart perfcompare-load-agent@{host}` there, or with '
        f'cephadm `ceph orch client-keyring set {AGENT}{host} {host}`'
    )


def findings(
    host: LoadHost, version: str, entities: Sequence[str]
) -> Findings:
    """Judge one load host; ``version`` is that of the cluster."""
    found: Findings = []
    name = host.host
    if AGENT + name not in entities:
        return [
            refuse(
                f'load host {name} has no key: {AGENT}{name} is not there',
                f'`ceph perfcompare load-host rm {name}`, and add it again',
            )
        ]
    if host.state in _REMEDIES:
        heard = (
            f', heard {format_duration(host.seen)} ago'
            if host.seen is not None
            else ''
        )
        return [
            refuse(
                f'load host {name}: {host.state.value}{heard}',
                _REMEDIES[host.state].format(name, starting(name)),
            )
        ]
    if host.cores is None:
        return [
            refuse(
                f'load host {name} has not said yet what it is',
                'give the command again in a moment',
            )
        ]
    found += _clock(host)
    if not host.rados:
        found.append(
            refuse(
                f'load host {name} has no program rados',
                'install ceph-common there',
            )
        )
    elif version and host.rados != version:
        found.append(
            warn(
                f'rados on {name} is version {host.rados}, the cluster runs '
                f'{version}',
                f'install ceph-common {version} there',
            )
        )
    return found or [ok(f'load host {name} is {host.state.value}')]


def _clock(host: LoadHost) -> Findings:
    offset, bound = host.clock_offset, host.clock_bound
    if offset is None or bound is None:
        return []
    if abs(offset) > OFF + bound:
        way = 'behind' if offset > 0 else 'ahead of'
        return [
            warn(
                f'the clock of load host {host.host} is '
                f'{format_latency(abs(offset))} {way} the Manager\'s (± '
                f'{format_latency(bound)})',
                'set the time there by NTP or PTP',
            )
        ]
    if host.clock_steps:
        return [
            warn(
                f'the clock of load host {host.host} made '
                f'{count(host.clock_steps, "step")} since its agent began',
                'see what sets it there',
            )
        ]
    return []


def enough(s: CheckContext) -> Findings:
    """Warn where a load needed more hosts than the plan has.

    Of the workload that needs most, else of one of which it is not known
    how many.
    """
    if s.plan.recovery is not None:
        return []  # its load is of one host
    planned = max(1, len(s.facts.load_hosts))
    needs = [
        (need.wanted or 0, need)
        for need in s.facts.needs
        if need.wanted is None
        and need.hosts >= planned
        or (need.wanted or 0) > planned
    ]
    if not needs:
        return []
    wanted, need = max(needs, key=lambda item: item[0])
    seen = (
        f'{need.workload} on {need.group}: in run {need.run} '
        f'{count(need.hosts, "host")} made {need.ops_per_s:,.0f} op/s'
    )
    if need.limited:
        seen += ', which was the limit'
    if not wanted:
        return [
            warn(
                f'{seen}: more are needed, how many is not known without '
                "figures of the OSDs' hosts",
                'give more by --load-hosts; figures are those of a '
                "node_exporter on each of the OSDs' hosts: `ceph perfcompare "
                'doctor` says which answer',
            )
        ]
    if need.limited and need.group_busy is not None:
        seen += f"; the OSDs' hosts were {need.group_busy:.0%} busy at most"
    more = wanted - planned
    return [
        warn(
            f'{seen}: about {more} more than {planned} '
            f'{"is" if more == 1 else "are"} needed',
            'give more by --load-hosts: rows that the client limits get no '
            'verdict',
        )
    ]


def load_host(s: CheckContext) -> Findings:
    """Judge the load hosts of a plan."""
    found: Findings = []
    for host in s.facts.load_hosts:
        found += findings(host, s.facts.version, s.facts.entities)
    return found + _alike(s.facts.load_hosts)


def _alike(hosts: Sequence[LoadHost]) -> Findings:
    """Refuse hosts of one hostname: one host twice, or one that was cloned.

    `rados bench` names objects by hostname and process id, and containers
    have small ones: two would write the same objects.
    """
    called: Dict[str, List[str]] = {}
    for host in hosts:
        if host.hostname:
            called.setdefault(host.hostname.lower(), []).append(host.host)
    return [
        refuse(
            f'load hosts {names(alike)} have one hostname, {hostname!r}',
            'leave out all but one of them, or give each host a name of its '
            'own (`hostnamectl hostname`) and start its agent again',
        )
        for hostname, alike in sorted(called.items())
        if len(alike) > 1
    ]
