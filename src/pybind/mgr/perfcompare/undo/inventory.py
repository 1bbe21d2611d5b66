"""What in the cluster bears the name of a run, by Ceph's own state."""

from typing import (
    Dict,
    FrozenSet,
    Iterable,
    List,
    NamedTuple,
    Optional,
    Protocol,
    Set,
    Tuple,
)

from ..common.errors import NotPermitted
from ..model.ownership import looks_ours, run_of
from ..ports.auth import AuthReads
from ..ports.orchestration import section, service_name
from ..ports.osd_map import OsdMapReads
from ..ports.pools import PoolReads
from ..ports.rules import RuleReads
from .entries import Entry, Kind
from .report import Leftover

# kinds whose name holds the run's id
NAMED: FrozenSet[Kind] = frozenset(
    (
        Kind.SERVICE,
        Kind.POOL,
        Kind.RULE,
        Kind.EC_PROFILE,
        Kind.ROOT,
        Kind.KEY,
    )
)

_COMMANDS: Dict[Kind, str] = {
    Kind.SERVICE: 'ceph orch rm rgw.{0}',
    Kind.POOL: 'ceph osd pool rm {0} {0} --yes-i-really-really-mean-it',
    Kind.RULE: 'ceph osd crush rule rm {0}',
    Kind.EC_PROFILE: 'ceph osd erasure-code-profile rm {0}',
    Kind.ROOT: 'ceph osd crush rm {0}',
    Kind.KEY: 'ceph auth rm {0}',
    Kind.BLOCKLIST: 'ceph osd blocklist rm {0}',
    Kind.OSD_OUT: 'ceph osd in {0}',
    Kind.NOOUT: 'ceph osd unset-group noout {0}',
}


class Needs(AuthReads, OsdMapReads, PoolReads, RuleReads, Protocol):
    """Name what is asked of a cluster here."""


class Foreign(NotPermitted):
    """Say that an entry names a thing that is not of its run."""


class Thing(NamedTuple):
    """Name one thing that is there."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f'{self.kind.value} {self.name}'


def everything(cluster: Needs) -> List[Thing]:
    """Return all things whose names begin like ours, in undo order."""
    topology = cluster.topology()
    found = {
        Kind.POOL: [p.name for p in cluster.pools()],
        Kind.RULE: list(topology.rules),
        Kind.EC_PROFILE: cluster.ec_profile_names(),
        # a host or a rack of that name is no root of ours
        Kind.ROOT: [
            b.name for b in topology.buckets.values() if b.type == 'root'
        ],
        Kind.KEY: cluster.auth_entities(),
    }
    return [
        Thing(kind, name)
        for kind, names in found.items()
        for name in sorted(names)
        if looks_ours(name)
    ]


def of_run(cluster: Needs, run: str) -> List[Thing]:
    """Return what bears the name of a run."""
    return [t for t in everything(cluster) if run_of(t.name) == run]


def services_of(run: str, names: Iterable[str]) -> Set[str]:
    """Return the services of a run that sections or keys are named after."""
    begin = section('')
    found = {
        name[len(begin) :].split('.')[0]
        for name in names
        if name.startswith(begin)
    }
    return {service for service in found if run_of(service) == run}


def identity(entry: Entry) -> Tuple[Kind, str]:
    """Return what makes an entry's thing one of ``Thing``, if it is."""
    if entry.kind is Kind.LINK:
        return entry.kind, f'{entry.name} {entry.detail.get("root")}'
    return entry.kind, entry.name


def check_name(entry: Entry) -> None:
    """Refuse an entry whose thing has not the name of its run."""
    name = entry.name
    if entry.kind is Kind.LINK:
        name = entry.detail.get('root', '')
    elif entry.kind is Kind.BUCKET:
        if name.startswith(f'perfcompare-{entry.run}-'):
            return
        raise Foreign(f'{name!r} has not the name of this run')
    elif entry.kind not in NAMED:
        return
    if run_of(name) != entry.run:
        raise Foreign(f'{name!r} has not the name of this run')


def remedy(kind: Kind, name: str, entry: Optional[Entry] = None) -> str:
    """Return what an operator can do by hand."""
    if kind is Kind.LINK:
        # by hand nothing would refuse to move data of others
        return 'when no rule takes its root, `ceph perfcompare cleanup`'
    if kind is Kind.CONFIG and entry is not None:
        who = entry.detail.get('who')
        by_hand = f'ceph config rm {who} {name}'
        if entry.was_set:
            by_hand = f'ceph config set {who} {name} {entry.previous}'
        return f'try `ceph perfcompare cleanup`, or `{by_hand}`'
    if kind in (Kind.OSD_STOP, Kind.OSD_DOWN):
        # whether an orchestrator has it is not known here
        return (
            f'see that osd.{name} is up (`systemctl start ceph-osd@{name}` '
            'on its host, or with an orchestrator `ceph orch daemon start '
            f'osd.{name}`), then `ceph perfcompare cleanup`'
        )
    if kind is Kind.UPMAPS:
        return (
            'when all OSDs are up and in again and data is home, `ceph '
            'perfcompare cleanup` (an OSD that never comes back: `ceph osd '
            'out`); the entry has what `ceph osd pg-upmap-items` (or '
            '`pg-upmap-primary`) needs'
        )
    if kind is Kind.BUCKET:
        return (
            'see whether its gateways answer and try `ceph perfcompare '
            'cleanup`, or remove it with its objects by an S3 client'
        )
    return f'try `ceph perfcompare cleanup`, or `{command(kind, name)}`'


def command(kind: Kind, name: str) -> str:
    """Return the plain command that removes a thing."""
    return _COMMANDS.get(kind, '').format(name)


def used_by(service: str) -> str:
    """Return why things stay that gateways may use."""
    name = service_name(service)
    return f'gateways of {name}, which could not be removed, may use it'


def after_service(service: str) -> str:
    """Return what to do about things that gateways still use."""
    return (
        f'`{command(Kind.SERVICE, service)}`, and when its gateways are '
        'gone, `ceph perfcompare cleanup`'
    )


def unjournal(entry: Entry) -> str:
    """Return what to do about an entry that cannot be one of its run."""
    key = f'mgr/perfcompare/{entry.key}'
    return (
        f'see what it says (`ceph config-key get {key}`), and then '
        f'`ceph config-key rm {key}`'
    )


def leftover(entry: Entry, reason: str, by_hand: str = '') -> Leftover:
    """Return the leftover that an entry's thing became.

    ``by_hand`` is what to do, where it is not what a thing of its kind
    needs in general.
    """
    what = f'{entry.kind.value} {entry.name}'
    if entry.kind in (Kind.LINK, Kind.CONFIG):
        what = str(entry)
    return Leftover(
        what, reason, by_hand or remedy(entry.kind, entry.name, entry)
    )
