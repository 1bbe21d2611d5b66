"""What is printed of a load host that was added."""

from ...app.load_hosts import Enrollment
from ...report import load_hosts


def test_an_agent_that_ran_with_a_former_key_gets_the_new_one():
    entity = 'client.perfcompare.agent.load-1'
    printed = load_hosts.added(Enrollment('load-1', entity, '[x]\n\tkey = y'))
    lines = printed.split('\n')
    first = lines.index('systemctl enable perfcompare-load-agent@load-1')
    assert (
        lines[first + 1] == 'systemctl restart perfcompare-load-agent@load-1'
    )


def test_the_way_with_cephadm_is_printed_as_well():
    entity = 'client.perfcompare.agent.load-1'
    lines = load_hosts.added(Enrollment('load-1', entity, '[x]')).split('\n')
    assert f'ceph orch client-keyring set {entity} load-1' in lines
    assert 'ceph orch host label add load-1 loadgen' in lines
    assert 'ceph orch apply -i packaging/load-agent.yaml' in lines
