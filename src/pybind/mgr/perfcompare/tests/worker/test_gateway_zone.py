"""Nothing of a private zone may lie outside the run's pools."""

from typing import Any, Dict

import copy

import pytest

from perfcompare.drivers.s3.spec import SPEC
from perfcompare.worker.gateway import admin, run, zone
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire.gateway_jobs import Gateway, Target
from perfcompare.worker.wire.jobs import Access, job_from_data, job_to_data
from perfcompare.worker.wire.strict import Malformed

META = 'perfcompare.0badcafe.arm.s3-meta'
TARGETS = (
    Target('reads', 'p.index', 'p.data'),
    Target('writes', 'p.windex', 'p.wdata'),
)

# as `zone create` of 20.2.4 says it
TENTACLE: Dict[str, Any] = {
    'id': '907cfeee',
    'name': 'pc',
    'domain_root': 'pc.rgw.meta:root',
    'control_pool': 'pc.rgw.control',
    'dedup_pool': 'pc.rgw.dedup',
    'gc_pool': 'pc.rgw.log:gc',
    'log_pool': 'pc.rgw.log',
    'user_keys_pool': 'pc.rgw.meta:users.keys',
    'otp_pool': 'pc.rgw.otp',
    'system_key': {'access_key': '', 'secret_key': ''},
    'placement_pools': [
        {
            'key': 'default-placement',
            'val': {
                'index_pool': 'pc.rgw.buckets.index',
                'storage_classes': {
                    'STANDARD': {'data_pool': 'pc.rgw.buckets.data'}
                },
                'data_extra_pool': 'pc.rgw.buckets.non-ec',
                'index_type': 0,
                'inline_data': True,
            },
        }
    ],
    'realm_id': '05381ce8',
    'restore_pool': 'pc.rgw.log:restore',
}


def test_every_pool_is_ours() -> None:
    found = zone.rewrite(TENTACLE, META, TARGETS)
    assert set(zone.pools(found)) == {
        META,
        'p.index',
        'p.data',
        'p.windex',
        'p.wdata',
    }
    assert found['id'] == '907cfeee' and found['realm_id'] == '05381ce8'


def test_namespaces_keep_apart_what_the_zone_keeps_apart() -> None:
    found = zone.rewrite(TENTACLE, META, TARGETS)
    before = [v for k, v in TENTACLE.items() if k.endswith('_pool')]
    after = [v for k, v in found.items() if k.endswith('_pool')]
    assert len(set(after)) == len(set(before))
    assert found['gc_pool'] == f'{META}:log.gc'
    assert all(value.startswith(f'{META}:') for value in after)


def test_placements_are_the_targets() -> None:
    found = zone.rewrite(TENTACLE, META, TARGETS)['placement_pools']
    assert [p['key'] for p in found] == ['default-placement', 'writes']
    value = found[1]['val']
    assert value['index_pool'] == value['data_extra_pool'] == 'p.windex'
    assert value['storage_classes'] == {'STANDARD': {'data_pool': 'p.wdata'}}
    assert value['inline_data'] is True


def test_a_pool_that_a_later_release_adds_is_moved_too() -> None:
    later = dict(TENTACLE, shiny_pool='pc.rgw.shiny:new')
    found = zone.rewrite(later, META, TARGETS)
    assert found['shiny_pool'] == f'{META}:shiny.new'


def test_a_pool_where_nobody_expects_one_is_refused() -> None:
    later = copy.deepcopy(TENTACLE)
    later['cold'] = {'tier_pool': 'pc.rgw.cold'}
    with pytest.raises(Failure, match='pc.rgw.cold'):
        zone.rewrite(later, META, TARGETS)


def gateway(**values: Any) -> Gateway:
    data: Dict[str, Any] = {
        'access': Access('/c', '/k', 'client.perfcompare.0badcafe', META),
        'concurrency': 1,
        'deadline': 60.0,
        'targets': TARGETS,
        'credentials': '/x/keys',
    }
    data.update(values)
    return Gateway(**data)


def test_a_gateway_takes_as_many_requests_as_a_load_makes() -> None:
    found = run.arguments(gateway(), 'beast endpoint=[::1]:1', '/x/data')
    # a default: what the cluster's config says comes before it
    option = '--default-rgw-max-concurrent-requests='
    (value,) = [a[len(option) :] for a in found if a.startswith(option)]
    assert int(value) >= SPEC.max_concurrency
    for root in admin.ROOTS:
        at = found.index('--' + root.replace('_', '-'))
        assert found[at + 1] == META


def test_the_job_travels() -> None:
    assert job_from_data(job_to_data(gateway())) == gateway()


@pytest.mark.parametrize(
    'values',
    [
        {'targets': ()},
        {'credentials': 'keys'},
        {'count': 0},
        {'radosgw': '--debug-rgw=20'},
    ],
)
def test_what_cannot_be_is_refused(values: Dict[str, Any]) -> None:
    with pytest.raises(Malformed):
        gateway(**values).check()
