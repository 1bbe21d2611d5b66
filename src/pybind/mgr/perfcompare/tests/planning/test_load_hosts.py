"""What a load host can make is planned, and everything else refused."""

import pytest

from ...common.errors import InvalidArgument
from ...model.plan import RunOptions
from ...planning.load_hosts import check as load_hosts_check
from ...planning.profiles import applied, catalog
from ...planning.s3 import options as s3_options


@pytest.mark.parametrize(
    'op, given, word',
    [
        ('write', {}, ''),
        ('s3-put', {'gateway_source': 'existing'}, ''),
        ('s3-put', {'gateway_source': 'orch'}, ''),
        ('s3-put', {}, 'gateways of the run'),
        ('s3-put', {'gateway_source': 'private'}, 'gateways of the run'),
        ('rbd-read', {}, 'a load of rbd'),
    ],
)
def test_what_a_load_host_makes(op, given, word):
    def check(profile, options):
        load_hosts_check(profile, options)
        s3_options.check(profile, options)

    profile = applied.apply(
        catalog.get('quick'), RunOptions.of(workloads=(op,))
    )
    check(profile, RunOptions.of(**given))
    options = RunOptions.of(load_hosts=('h1',), **given)
    if not word:
        return check(profile, options)
    with pytest.raises(InvalidArgument, match=word):
        check(profile, options)
