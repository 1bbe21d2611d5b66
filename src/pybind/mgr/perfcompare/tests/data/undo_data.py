"""What a run makes in a cluster, journaled, for tests of its undoing."""

from ...model.ownership import APPLICATION
from ...undo.journal import Journal, Kind
from ..fakes.cluster import FakeCluster
from .bench_data import RUN

NAME = f'perfcompare-{RUN}-arm'
POOL = f'perfcompare.{RUN}.arm.write'
KEY = f'client.perfcompare.{RUN}'


def make_placed(cluster: FakeCluster, journal: Journal) -> None:
    """Make one thing of each kind that load goes through, journaled."""
    journal.intend(RUN, Kind.ROOT, NAME)
    cluster.crush_add_root(NAME)
    for host in ('arm-1', 'arm-2'):
        journal.intend(RUN, Kind.LINK, host, {'root': NAME})
        cluster.crush_link_host(host, NAME)
    journal.intend(RUN, Kind.RULE, NAME)
    cluster.rule_create(NAME, NAME, 'host', None)
    journal.intend(RUN, Kind.EC_PROFILE, NAME)
    cluster.ec_profile_set(NAME, {'k': '2', 'm': '1'})
    journal.intend(RUN, Kind.KEY, KEY)
    cluster.auth_create(KEY, {'mon': 'allow r'})
    journal.intend(RUN, Kind.POOL, POOL)
    cluster.pool_create(POOL, 8, NAME, 2, 1, None)
    cluster.pool_set_application(POOL, APPLICATION, 'run', RUN)
