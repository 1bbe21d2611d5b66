"""S3 reads that say where they come from."""

from typing import Any

import json

import pytest

from ...common.codec import from_data, to_data
from ...common.errors import InvalidArgument
from ...model.plan import RunPlan
from ...model.workload import CacheRegime, Workload
from ...planning.estimate import PlanSettings
from ...planning.profiles import catalog
from ...planning.s3 import plan as s3plan
from ...planning.s3 import shape
from ..data.plans import make

MIB = 1 << 20
CACHE = PlanSettings(cache_bytes={'x86': 64 * MIB, 'arm': 32 * MIB})


def plan(*ops: str, **options: Any) -> RunPlan:
    options.setdefault('sizes', ('64K',))
    options.setdefault('settings', CACHE)
    return make(workloads=ops, concurrency=('4',), **options)


def each(made: RunPlan, workload: Workload) -> float:
    """Return the objects for each OSD, of the group with the most."""
    return max(
        s3plan.population(made, workload, g.name) / len(g.osds)
        for g in made.groups
    )


def test_they_say_nothing_unless_asked() -> None:
    made = plan('s3-get', 's3-range')
    assert {w.cache for w in made.profile.workloads} == {None}
    assert {w.name for w in made.profile.workloads} == {
        's3-get-64K-c4',
        's3-range-64K-c4-range64K',
    }


def test_both_have_objects_and_names_of_their_own() -> None:
    made = plan('s3-get', 's3-put', cache='both')
    found = {w.name: w for w in made.profile.workloads}
    assert set(found) == {
        's3-get-64K-c4', 's3-get-64K-c4-device', 's3-put-64K-c4',
    }  # fmt: skip
    cached, device = found['s3-get-64K-c4'], found['s3-get-64K-c4-device']
    assert cached.cache is CacheRegime.CACHED
    assert device.cache is CacheRegime.DEVICE
    assert found['s3-put-64K-c4'].cache is None
    assert shape.place(cached) != shape.place(device)
    # half of the smallest cache at most, four times the largest at least
    assert 0 < each(made, cached) * (64 << 10) <= 16 * MIB
    assert each(made, device) * (64 << 10) >= 256 * MIB
    (pool,) = (p for p in made.groups[0].pools if p.role == 's3-data')
    names = (cached, device)
    assert pool.max_bytes == sum(
        s3plan.population(made, w, 'x86') * w.size for w in names
    )
    assert made.seconds > plan('s3-get', 's3-put', cache='cached').seconds
    assert from_data(RunPlan, json.loads(json.dumps(to_data(made)))) == made


def test_what_caches_cannot_hold_is_said() -> None:
    small = PlanSettings(default_cache_bytes=MIB)
    made = plan('s3-get', cache='cached', sizes=('4M',), settings=small)
    (label,) = (text for text in made.labels if 'may miss' in text)
    assert label.startswith('s3-get-4M-c4 may miss the cache: ')


@pytest.mark.parametrize(
    'cache, prefill, why',
    [
        ('cached', '1G', 'more than half of their cache (16.0 MiB)'),
        ('device', '10', 'less than 4 times their cache (256 MiB)'),
        ('both', '10', 'less than 4 times their cache (256 MiB)'),
    ],
)
def test_chosen_objects_must_be_of_the_regime(
    cache: str, prefill: str, why: str
) -> None:
    with pytest.raises(InvalidArgument) as caught:
        plan('s3-get', cache=cache, prefill=prefill)
    assert f'--prefill {prefill} is ' in str(caught.value)
    assert why in str(caught.value)


def test_chosen_objects_of_the_regime_are_taken() -> None:
    made = plan('s3-get', cache='device', prefill='100G')
    (workload,) = made.profile.workloads
    assert workload.name == 's3-get-64K-c4-n100G-device'


def test_warp_cannot() -> None:
    with pytest.raises(InvalidArgument, match='warp reads what it wrote'):
        plan('s3-get', cache='cached', s3_client='warp')


def test_what_moves_no_contents_has_no_regime() -> None:
    with pytest.raises(InvalidArgument, match='no workload of the run is'):
        plan('s3-stat', cache='device')


def test_in_a_profile() -> None:
    text = """\
description: x
rounds: 3
workloads:
- op: [s3-get, s3-stat]
  size: 64K
  concurrency: 4
  duration: 3
  warmup: 1
  cache: both
"""
    found = {
        w.name: w.cache for w in catalog.load(text, name='mine').workloads
    }
    assert found == {
        's3-get-64K-c4': CacheRegime.CACHED,
        's3-get-64K-c4-device': CacheRegime.DEVICE,
        's3-stat-64K-c4': None,
    }
