"""What an orchestrator does with orders; answers of a real 20.2.4 cephadm."""

import json

import pytest

from ...ceph.cluster import MgrCluster
from ...common.errors import CommandFailed
from ..fakes.counting_mgr import CountingMgr

STATUS = {
    'available': True,
    'backend': 'cephadm',
    'paused': False,
    'workers': 10,
}
MANAGED = {
    'service_id': 'default',
    'service_name': 'osd.default',
    'service_type': 'osd',
    'status': {'created': '2026-11-28T23:13:42.297819Z', 'running': 4},
}
UNMANAGED = {**MANAGED, 'unmanaged': True}
# of daemons whose service was removed, or that were adopted: they obey
DANGLING = {**UNMANAGED, 'status': {'running': 3}}
DAEMON = {'daemon_name': 'osd.1', 'service_name': 'osd.default'}


@pytest.fixture
def cluster():
    found = MgrCluster(CountingMgr(4, 1))
    found.answers = {
        'orch status': STATUS,
        'orch ls': [MANAGED],
        'orch ps': [DAEMON],
        'osd metadata': {'hostname': 'host1'},
    }

    def mon(prefix, *_, **__):
        if prefix not in found.answers:
            raise CommandFailed(prefix, 2, 'no such key')
        return json.dumps(found.answers[prefix])

    found._commands.mon = mon
    found._commands.mon_json = lambda *w, **k: json.loads(mon(*w, **k))
    return found


@pytest.mark.parametrize(
    'prefix, answer, why',
    [
        ('orch ls', [MANAGED], ''),
        ('orch ls', [DANGLING], ''),
        (
            'orch ls',
            [UNMANAGED],
            "the service 'osd.default' of osd.1 is unmanaged (ceph orch "
            'set-managed osd.default)',
        ),
        ('orch ls', {'odd': 1}, ''),
        ('orch ps', [{**DAEMON, 'service_name': 'osd.other'}], ''),
        (
            'orch status',
            {**STATUS, 'paused': True},
            'cephadm is paused (ceph orch resume)',
        ),
    ],
)
def test_it_is_known_why_orders_are_kept(cluster, prefix, answer, why):
    if prefix == 'orch ps':
        cluster.answers['orch ls'] = [UNMANAGED]
    cluster.answers[prefix] = answer
    assert cluster.orders_held([1]) == why


@pytest.mark.parametrize(
    'record, pending',
    [
        ({'scheduled_daemon_actions': {'osd.1': 'stop'}}, True),
        ({'scheduled_daemon_actions': {'osd.1': 'start'}}, False),
        ({'scheduled_daemon_actions': {'osd.2': 'stop'}}, False),
        ({'scheduled_daemon_actions': ['osd.1']}, False),
        ({'daemons': {}}, False),
        ([], False),
        (None, False),
    ],
)
def test_an_order_to_stop_is_pending_while_it_is_on_record(
    cluster, record, pending
):
    if record is not None:
        cluster.answers['config-key get'] = record
    assert cluster.stop_pending(1) is pending
    # its record outlives a time in which it does not answer
    cluster.answers['orch status'] = {'available': False}
    assert cluster.stop_pending(1) is pending
