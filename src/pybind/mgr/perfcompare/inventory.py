"""What in the cluster bears the name of a run, by Ceph's own state."""

from typing import Dict, FrozenSet, List, NamedTuple, Optional, Tuple

from .cluster import ClusterReads
from .journal_entries import Entry, Kind
from .ownership import looks_ours, run_of
from .undo_report import Leftover

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
    Kind.FILES: 'rm -r {0}',
    Kind.PROCESS: 'kill -KILL -- -{0}',
    Kind.OSD_STOP: 'ceph orch daemon start osd.{0}',
    Kind.OSD_OUT: 'ceph osd in {0}',
    Kind.NOOUT: 'ceph osd unset-group noout {0}',
}


class Thing(NamedTuple):
    """Name one thing that is there."""

    kind: Kind
    name: str

    def __str__(self) -> str:
        return f'{self.kind.value} {self.name}'


def everything(cluster: ClusterReads) -> List[Thing]:
    """Return all things whose names begin like ours, in undo order."""
    topology = cluster.topology()
    found = {
        Kind.POOL: [p.name for p in cluster.pools()],
        Kind.RULE: list(topology.rules),
        Kind.EC_PROFILE: cluster.ec_profile_names(),
        Kind.ROOT: list(topology.buckets),
        Kind.KEY: cluster.auth_entities(),
    }
    return [
        Thing(kind, name)
        for kind, names in found.items()
        for name in sorted(names)
        if looks_ours(name)
    ]


def of_run(cluster: ClusterReads, run: str) -> List[Thing]:
    """Return what bears the name of a run."""
    return [t for t in everything(cluster) if run_of(t.name) == run]


def identity(entry: Entry) -> Tuple[Kind, str]:
    """Return what makes an entry's thing one of ``Thing``, if it is."""
    if entry.kind is Kind.LINK:
        return entry.kind, f'{entry.name} {entry.detail.get("root")}'
    return entry.kind, entry.name


def remedy(kind: Kind, name: str, entry: Optional[Entry] = None) -> str:
    """Return what an operator can do by hand."""
    if kind is Kind.LINK and entry is not None:
        root = entry.detail.get('root')
        return (
            'try `ceph perfcompare cleanup`, or '
            f'`ceph osd crush unlink {name} {root}`'
        )
    if kind is Kind.CONFIG and entry is not None:
        who = entry.detail.get('who')
        by_hand = f'ceph config rm {who} {name}'
        if entry.was_set:
            by_hand = f'ceph config set {who} {name} {entry.previous}'
        return f'try `ceph perfcompare cleanup`, or `{by_hand}`'
    if kind is Kind.BUCKET:
        return (
            'see whether its gateways answer and try `ceph perfcompare '
            'cleanup`, or remove it with its objects by an S3 client'
        )
    return f'try `ceph perfcompare cleanup`, or `{command(kind, name)}`'


def command(kind: Kind, name: str) -> str:
    """Return the plain command that removes a thing."""
    return _COMMANDS.get(kind, '').format(name)


def leftover(entry: Entry, reason: str) -> Leftover:
    """Return the leftover that an entry's thing became."""
    what = f'{entry.kind.value} {entry.name}'
    if entry.kind in (Kind.LINK, Kind.CONFIG):
        what = str(entry)
    return Leftover(what, reason, remedy(entry.kind, entry.name, entry))
