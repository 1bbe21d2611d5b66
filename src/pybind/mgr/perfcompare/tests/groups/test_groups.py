from typing import Dict

import errno
import json

import pytest

from ...common.codec import from_data, to_data
from ...common.errors import InvalidArgument, NotFound
from ...groups import detection
from ...groups import resolution as groups
from ...model.group import Group, GroupSpec, Placement
from ...model.topology import Bucket, Topology
from ...report import listing
from ..data.cluster_maps import Host, build, large, mini


def by_hosts(*hosts: str, device_class: str = '') -> GroupSpec:
    return GroupSpec('g', hosts=hosts, device_class=device_class or None)


@pytest.mark.parametrize('name', ['x86', 'a', '0-b_c', 'a' * 32])
def test_good_names(name: str) -> None:
    assert groups.check_name(name) == name


@pytest.mark.parametrize(
    'name',
    ['', 'X86', '-a', '_a', 'a.b', 'a' * 33, 'ä', 'a b', 'a\n', 'a/b', '*'],
)
def test_bad_names(name: str) -> None:
    with pytest.raises(InvalidArgument, match='is not valid'):
        groups.check_name(name)


def test_a_name_that_ceph_cannot_keep_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="'all'.*another name"):
        groups.check_name('all')


def test_control_names_are_reserved_and_valid() -> None:
    with pytest.raises(InvalidArgument, match='--control'):
        groups.check_name('x86_control')
    assert groups.control_pair('x86') == ('x86', 'x86_control')
    assert len(groups.control_pair('a' * 32)[1]) == 32


def test_unset_device_class_is_a_group() -> None:
    spec = groups.find('arm', {}, mini())
    assert spec == GroupSpec('arm', device_class='arm')
    assert groups.resolve(spec, mini()).osds == (2, 3)


def test_set_group_wins_over_device_class() -> None:
    spec = GroupSpec('arm', hosts=('x86-1',))
    assert groups.find('arm', {'arm': spec}, mini()) is spec


def test_unknown_group_lists_what_there_is() -> None:
    with pytest.raises(NotFound) as error:
        groups.find('power', {'old': by_hosts('x86-1')}, mini())
    for word in ('power', 'old', 'arm', 'x86'):
        assert word in str(error.value)
    assert error.value.errno == errno.ENOENT


def test_group_by_hosts() -> None:
    group = groups.resolve(by_hosts('x86-2', 'x86-1'), mini())
    assert group.osds == (0, 1)
    assert group.hosts == ('x86-1', 'x86-2')
    assert group.failure_domains == 2
    assert group.arch == ('x86_64',)
    assert group.spec.placement is Placement.HOSTS


def test_class_filters_hosts() -> None:
    with pytest.raises(InvalidArgument, match='there is no OSD on x86-1'):
        groups.resolve(by_hosts('x86-1', device_class='arm'), mini())


def test_larger_bucket_gives_its_hosts() -> None:
    hosts = [Host('a'), Host('b'), Host('c')]
    found = build(hosts, racks={'rack1': ['a', 'b']})
    group = groups.resolve(by_hosts('rack1'), found)
    assert group.hosts == ('a', 'b')


def test_down_out_and_weightless_osds_are_missing() -> None:
    found = build(
        [Host('a', osds=4), Host('b', osds=1)],
        changes={0: {'up': False}, 1: {'in_': False}, 2: {'crush_weight': 0}},
    )
    group = groups.resolve(by_hosts('a', 'b'), found)
    assert group.osds == (3, 4)
    assert group.missing == (0, 1, 2)


def test_host_without_usable_osd_is_no_failure_domain() -> None:
    found = build([Host('a'), Host('b')], changes={1: {'up': False}})
    assert groups.resolve(by_hosts('a', 'b'), found).failure_domains == 1


def test_unknown_host_names_the_known() -> None:
    with pytest.raises(NotFound) as error:
        groups.resolve(by_hosts('nowhere'), mini())
    for word in ('nowhere', 'arm-1', 'x86-2'):
        assert word in str(error.value)


@pytest.mark.parametrize(
    'given', ['node7.example.org', 'NODE7.example.org', 'node7']
)
def test_host_name_instead_of_bucket_says_which_bucket(given: str) -> None:
    found = build([Host('rack3-node7', hostname='node7.example.org')])
    with pytest.raises(NotFound) as error:
        groups.resolve(by_hosts(given), found)
    assert 'rack3-node7' in str(error.value)
    assert 'bucket' in str(error.value)


def test_unknown_class_lists_the_known() -> None:
    with pytest.raises(NotFound) as error:
        groups.resolve(GroupSpec('g', device_class='riscv'), mini())
    assert 'arm, x86' in str(error.value)


def test_mixed_media_need_a_class() -> None:
    found = build(
        [
            Host('a', device_class='hdd', rotational=True),
            Host('b', device_class='ssd'),
        ]
    )
    with pytest.raises(InvalidArgument) as error:
        groups.resolve(by_hosts('a', 'b'), found)
    for word in ('osd.0', 'osd.1', '--device-class', 'hdd, ssd'):
        assert word in str(error.value)
    chosen = by_hosts('a', 'b', device_class='ssd')
    assert groups.resolve(chosen, found).osds == (1,)


def test_no_osd_up() -> None:
    found = build(
        [Host('a', osds=2)], changes={0: {'up': False}, 1: {'up': False}}
    )
    with pytest.raises(InvalidArgument, match='osd.0, osd.1: down, out'):
        groups.resolve(by_hosts('a'), found)


def test_neither_hosts_nor_class() -> None:
    with pytest.raises(InvalidArgument, match='--hosts or --device-class'):
        groups.resolve(GroupSpec('g'), mini())


def test_bucket_of_a_run_is_no_host() -> None:
    found = mini()
    found.buckets['perfcompare-0badcafe-arm'] = Bucket(
        -90, 'perfcompare-0badcafe-arm', 'root', (-4, -5)
    )
    with pytest.raises(InvalidArgument, match='belongs to a run'):
        groups.resolve(by_hosts('perfcompare-0badcafe-arm'), found)


def test_class_root_is_never_the_root_of_a_run() -> None:
    found = mini()
    found.buckets['perfcompare-0badcafe-arm'] = Bucket(
        -90, 'perfcompare-0badcafe-arm', 'root', (-4, -5)
    )
    group = groups.resolve(GroupSpec('arm', device_class='arm'), found)
    assert groups.class_root('arm', group.osds, found) == 'default'


def test_class_across_roots_is_refused() -> None:
    found = build([Host('a', device_class='t'), Host('b', device_class='t')])
    found.buckets['default'] = Bucket(-1, 'default', 'root', (-2,))
    found.buckets['other'] = Bucket(-9, 'other', 'root', (-3,))
    with pytest.raises(InvalidArgument, match='default, other'):
        groups.resolve(GroupSpec('t', device_class='t'), found)


def resolved(topology: Topology, **specs: GroupSpec) -> Dict[str, Group]:
    return {
        name: groups.resolve(spec, topology) for name, spec in specs.items()
    }


def test_groups_of_a_run_share_no_osd() -> None:
    found = mini()
    arm = groups.resolve(GroupSpec('arm', device_class='arm'), found)
    x86 = groups.resolve(GroupSpec('x86', device_class='x86'), found)
    mix = groups.resolve(GroupSpec('mix', hosts=('arm-1', 'x86-1')), found)
    groups.check_distinct([arm, x86])
    with pytest.raises(InvalidArgument, match="'arm' and 'mix' share osd.2"):
        groups.check_distinct([arm, x86, mix])
    with pytest.raises(InvalidArgument, match='given twice.*--control'):
        groups.check_distinct([arm, arm])


def test_detect_prefers_an_exact_class() -> None:
    arm, x86 = detection.detect(mini())
    assert arm.spec == GroupSpec('arm', device_class='arm')
    assert arm.osds == (2, 3)
    assert x86.spec == GroupSpec('x86', device_class='x86')
    assert 'exactly the aarch64 OSDs' in arm.why
    assert detection.detect_remarks(mini()) == []


def test_detect_takes_hosts_where_classes_are_media() -> None:
    arm, x86 = detection.detect(large(osds=2, hosts=2))
    assert arm.spec == GroupSpec('arm', hosts=('a0', 'a1'))
    assert arm.placement is Placement.HOSTS
    assert 'needs no tag' in arm.why
    assert x86.spec.hosts == ('x0', 'x1')


def test_detect_ignores_a_media_class_that_fits_by_chance() -> None:
    found = build(
        [
            Host('a', arch='aarch64', device_class='hdd', rotational=True),
            Host('b', device_class='ssd'),
        ]
    )
    assert [p.placement for p in detection.detect(found)] == [
        Placement.HOSTS,
        Placement.HOSTS,
    ]


def test_detect_splits_by_class_where_hosts_mix_media() -> None:
    found = build(
        [Host('a', osds=2, arch='aarch64')],
        changes={
            0: {'rotational': True, 'device_class': 'hdd'},
            1: {'rotational': False, 'device_class': 'ssd'},
        },
    )
    hdd, ssd = detection.detect(found)
    assert hdd.spec == GroupSpec('arm-hdd', hosts=('a',), device_class='hdd')
    assert ssd.osds == (1,)
    for proposal in (hdd, ssd):
        groups.resolve(proposal.spec, found)


def test_detect_reports_hosts_of_two_architectures() -> None:
    found = build(
        [Host('a', osds=2), Host('b', arch='aarch64')],
        changes={1: {'arch': 'aarch64'}},
    )
    (arm,) = detection.detect(found)
    assert arm.spec.hosts == ('b',)
    (remark,) = detection.detect_remarks(found)
    assert "host 'a' carries OSDs of aarch64 and x86_64" in remark
    assert 'moves data' in remark


def test_detect_separates_mixed_hosts_by_class() -> None:
    found = build(
        [Host('a', osds=2, device_class='x')],
        changes={1: {'arch': 'aarch64', 'device_class': 'y'}},
    )
    arm, x86 = detection.detect(found)
    assert (arm.spec.device_class, x86.spec.device_class) == ('y', 'x')
    assert (
        'device classes separate them' in detection.detect_remarks(found)[0]
    )


def test_detect_keeps_other_names_and_unknown_osds() -> None:
    found = build(
        [Host('a', arch='riscv64'), Host('b')], changes={1: {'arch': None}}
    )
    (only,) = detection.detect(found)
    assert only.spec.name == 'riscv64'
    assert (
        'osd.1 report no architecture' in detection.detect_remarks(found)[0]
    )


def test_detect_tells_what_is_left_out_and_why() -> None:
    found = build(
        [Host('a', osds=2), Host('b', arch='aarch64'), Host('c')],
        changes={1: {'arch': 'aarch64'}, 3: {'arch': None}},
    )
    told = detection.detection(found)
    assert len(told.proposals) == 1
    text = listing.detected(told, False)
    below = text[text.index('left out: ') :]
    assert 'osd.3 report no architecture' in below
    assert "host 'a' carries OSDs of aarch64 and x86_64" in below
    assert set(to_data(told)) == {'proposals', 'left_out'}


def test_detect_without_any_architecture_names_the_osds() -> None:
    found = build([Host('a')], changes={0: {'arch': None}})
    text = listing.detected(detection.detection(found), False)
    assert text.startswith('no groups to propose')
    assert 'osd.0 report no architecture' in text


@pytest.mark.parametrize('found', [mini(), large()])
def test_every_proposal_resolves_and_keeps_its_osds(found: Topology) -> None:
    for proposal in detection.detect(found):
        assert groups.resolve(proposal.spec, found).osds == proposal.osds
        stored = json.loads(json.dumps(to_data(proposal.spec)))
        assert from_data(GroupSpec, stored) == proposal.spec


def test_osds_below_no_host_are_in_no_proposal_by_hosts() -> None:
    found = build(
        [Host('x86-1'), Host('arm-1', 2, arch='aarch64')],
        changes={2: {'host': ''}},
    )
    arm, x86 = detection.detect(found)
    assert arm.spec.hosts == ('arm-1',) and arm.osds == (1,)
    assert x86.spec.hosts == ('x86-1',)
    (remark,) = detection.detect_remarks(found)
    assert remark.startswith('osd.2 are below no host of CRUSH')


def test_an_osd_that_is_in_two_hosts_is_on_the_one_that_is_named() -> None:
    found = build(
        [Host('node1', 2), Host('node2', 2)],
        changes={0: {'host': 'node1-fast'}},
    )
    twin = Bucket(-99, 'node1-fast', 'host', (0,))
    found.buckets[twin.name] = twin
    group = groups.resolve(by_hosts('node1', 'node2'), found)
    assert group.osds == (0, 1, 2, 3)
    assert group.hosts == ('node1', 'node2')
    assert group.failure_domains == 2


def test_osds_below_no_host_are_no_failure_domain() -> None:
    found = build(
        [Host(f'a{n}', device_class='t') for n in range(4)],
        changes={2: {'host': ''}, 3: {'host': ''}},
    )
    group = groups.resolve(GroupSpec('t', device_class='t'), found)
    assert group.osds == (0, 1, 2, 3)
    assert (group.hosts, group.failure_domains) == (('a0', 'a1'), 2)
    assert group.hostless == (2, 3)
