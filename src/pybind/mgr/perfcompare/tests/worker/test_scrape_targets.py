"""Which target of a Prometheus server is the node_exporter of a host."""

import pytest

from perfcompare.worker.scrape.prometheus import choose, exporters


def target(host, job='node', port=9100, instance=None):
    return {
        'scrapeUrl': f'http://{host}:{port}/metrics',
        'labels': {'job': job, 'instance': instance or f'{host}:{port}'},
    }


def chosen(names, *targets):
    found = choose(exporters(targets, 9100), names)
    return found and found[1]


@pytest.mark.parametrize(
    'names, told',
    [
        (('node1', '10.0.0.1'), 'node1.example.com'),
        (('rack-a', 'node1.example.com'), 'node1'),
        (('Node1',), 'node1.Example.com'),
    ],
)
def test_a_short_name_is_enough_where_no_other_matches(names, told):
    assert chosen(names, target('other'), target(told)) == f'{told}:9100'


def test_the_exact_name_counts_before_the_short_one():
    both = target('node1.a.com'), target('node1')
    assert chosen(('node1',), *both) == 'node1:9100'


def test_a_host_of_another_domain_hides_no_name():
    both = target('node1.b.com'), target('node1')
    assert chosen(('rack-a', 'node1.a.com'), *both) == 'node1:9100'


def test_an_instance_may_tell_the_name_of_an_address():
    told = target('10.0.0.1', instance='node1.example.com')
    assert chosen(('node1',), told) == 'node1.example.com'


@pytest.mark.parametrize(
    'names, told',
    [
        (('10.0.0.1',), ['10.0.0.7']),  # addresses have no short names
        (('10',), ['10.0.0.7']),
        (('node1',), ['node1.a.com', 'node1.b.com']),  # which one?
        (('node1', 'node1.a.com'), ['node1.b.com']),  # another one
    ],
)
def test_what_may_be_another_host_is_not_chosen(names, told):
    assert chosen(names, *map(target, told)) is None


@pytest.mark.parametrize(
    'job', ['node-exporter', 'node_exporter', 'Node', 'my/nodeexporter']
)
def test_a_job_of_node_exporters_counts_before_others_named_node(job):
    kubelet = target('node1', 'kubernetes-nodes', 10250)
    assert chosen(('node1',), kubelet, target('node1', job)) == 'node1:9100'
    # also where only the other one has the exact name
    named = target('node1.example.com', job)
    found = chosen(('node1',), kubelet, named)
    assert found == 'node1.example.com:9100'


def test_the_port_counts_before_a_job_with_node_in_its_name():
    kubelet = target('node1', 'kubernetes-nodes', 10250)
    assert chosen(('node1',), kubelet, target('node1', 'hosts')) == (
        'node1:9100'
    )
    assert chosen(('node1',), kubelet) == 'node1:10250'


def test_a_target_of_neither_is_none():
    assert chosen(('node1',), target('node1', 'ceph', 9283)) is None
    wrong = {'scrapeUrl': 'http://node1:x/', 'labels': {'job': 'node'}}
    assert chosen(('node1',), {'labels': None}, 'node', wrong) is None
