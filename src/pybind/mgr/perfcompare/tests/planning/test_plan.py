from typing import Any, Dict, List, Tuple

import dataclasses
import json

import pytest

from ...common.codec import from_data, to_data
from ...common.errors import InvalidArgument
from ...model.group import GroupSpec, Placement
from ...model.plan import RunPlan
from ...model.topology import Pool, Rule
from ...planning.profiles import applied
from ...planning.profiles import catalog as profiles
from ...report import plan as plantext
from ..data.cluster_maps import build
from ..data.plans import RUN, erasure, four_osds, hosts, make

# the plan as data


@pytest.mark.parametrize('name', sorted(profiles.builtin()))
@pytest.mark.parametrize('control', [False, True])
def test_plan_survives_json(name: str, control: bool) -> None:
    made = make(
        four_osds(),
        names=['arm'] if control else ['x86', 'arm'],
        profile=name,
        control=control,
        label='x',
        sizes=('8K',),
    )
    assert from_data(RunPlan, json.loads(json.dumps(to_data(made)))) == made


def test_names_are_those_of_the_design() -> None:
    made = make(names=['x86', GroupSpec('a', hosts=('arm-1', 'arm-2'))])
    x86, arm = made.groups
    assert made.key == f'client.perfcompare.{RUN}'
    assert x86.rule == f'perfcompare-{RUN}-x86'
    assert x86.root is None
    assert arm.root == arm.rule == f'perfcompare-{RUN}-a'
    assert [p.name for p in arm.pools] == [
        f'perfcompare.{RUN}.a.write',
        f'perfcompare.{RUN}.a.read-4K',
        f'perfcompare.{RUN}.a.read-4M',
    ]
    assert [p.per_round for p in arm.pools] == [True, False, False]
    assert {p.rule for p in arm.pools} == {arm.rule}
    assert (x86.placement, arm.placement) == (
        Placement.DEVICE_CLASS,
        Placement.HOSTS,
    )


def test_overrides_are_applied_once() -> None:
    made = make(workloads=('seq',), sizes=('1M',), rounds=6)
    assert [w.name for w in made.profile.workloads] == ['seq-1M-c16']
    assert {b.workload for b in made.blocks} == {'seq-1M-c16'}
    assert [p.role for p in made.groups[0].pools] == ['read-1M']
    again = dataclasses.replace(made.options)
    assert applied.apply(made.profile, again) is made.profile


def test_group_attributes_reach_the_plan() -> None:
    spec = GroupSpec(
        'a', hosts=('arm-1', 'arm-2'), watts=270, price=1, note='emulated'
    )
    (group,) = make(names=[spec]).groups
    assert (group.watts, group.price, group.note) == (270, 1, 'emulated')


# control


def test_control_has_two_sides_with_own_rules_and_pools() -> None:
    made = make(names=['arm'], control=True)
    one, other = made.groups
    assert (one.name, other.name) == ('arm', 'arm_control')
    assert one.osds == other.osds
    assert one.rule != other.rule
    assert not {p.name for p in one.pools} & {p.name for p in other.pools}
    assert {tuple(sorted(b.order)) for b in made.blocks} == {
        ('arm', 'arm_control')
    }
    assert any(label.startswith('control:') for label in made.labels)


def test_control_by_hosts_has_two_roots() -> None:
    spec = GroupSpec('a', hosts=('arm-1', 'arm-2'))
    made = make(names=[spec], control=True)
    assert len({g.root for g in made.groups}) == 2
    assert all(g.root == g.rule for g in made.groups)


# refusals


@pytest.mark.parametrize(
    'names, options, message',
    [
        ([], {}, 'give 1 to 8'),
        (['arm', 'arm'], {}, 'given twice'),
        (['arm', 'x86'], {'control': True}, '--control.*arm, x86'),
        (['arm'], {'seed': -1}, '--seed -1 is out of range'),
        (['arm'], {'rounds': 50}, 'rounds 50 is out of range'),
        (
            ['arm', GroupSpec('m', hosts=('arm-1', 'x86-1'))],
            {},
            "'arm' and 'm' share osd.2",
        ),
    ],
)
def test_bad_requests(
    names: List[Any], options: Dict[str, Any], message: str
) -> None:
    with pytest.raises(InvalidArgument, match=message):
        make(names=names, **options)


def test_one_group_says_what_to_compare_it_with() -> None:
    made = make(names=['arm'])
    assert any(label.startswith('one group') for label in made.labels)


def test_rounds_that_cannot_decide_are_labelled() -> None:
    assert '4 rounds: verdicts need 6' in make(rounds=4).labels


def test_missing_osds_are_labelled() -> None:
    found = build(hosts('a', 4), changes={2: {'up': False}})
    assert "group 'a' runs without osd.2" in make(found, ['a']).labels


# autoscaler


def pool(name: str, rule: int, mode: str = 'on') -> Pool:
    return Pool(9, name, 3, 2, 32, 32, 32, 32, rule, autoscale_mode=mode)


RULES = [
    Rule(0, 'replicated_rule', 'default', None, 'host'),
    Rule(1, 'on-a', 'default', 'a', 'host'),
    Rule(2, 'on-b', 'default', 'b', 'host'),
    Rule(3, 'on-c', 'default', 'c', 'host'),
]
ABC = build(hosts('a', 3) + hosts('b', 3) + hosts('c', 3), RULES)


@pytest.mark.parametrize(
    'names, pools, paused',
    [
        # a class rule beside a pool on the plain root
        (['a'], [pool('.mgr', 0)], ('.mgr',)),
        # the same root and class: nothing overlaps that did not before
        (['a'], [pool('p', 1)], ()),
        (['a'], [pool('p', 2), pool('q', 3)], ()),
        # it overlapped already
        (['a'], [pool('p', 0), pool('q', 1)], ()),
        (['a'], [pool('p', 0, 'off')], ()),
        # a root of the run shares the OSDs of the hosts
        ([GroupSpec('h', hosts=('a0', 'a1'))], [pool('p', 1)], ('p',)),
        (
            [GroupSpec('h', hosts=('a0', 'a1'))],
            [pool('p', 1), pool('q', 2)],
            ('p',),
        ),
    ],
)
def test_which_pools_stop_scaling(
    names: List[Any], pools: List[Pool], paused: Tuple[str, ...]
) -> None:
    made = make(ABC, names, pools=pools)
    assert made.pauses_autoscaler == paused


# text


@pytest.mark.parametrize('name', sorted(profiles.builtin()))
@pytest.mark.parametrize('control', [False, True])
def test_description_fits_and_says_all(name: str, control: bool) -> None:
    made = make(
        four_osds(),
        names=['arm'] if control else ['x86', 'arm'],
        profile=name,
        control=control,
        label='a label',
    )
    rules = [('OSD_DOWN', 'any further OSD down or out'), 'SLOW_OPS']
    text = plantext.describe(made, rules)
    assert all(len(line) <= 100 for line in text.split('\n'))
    words = [made.run, str(made.seed), '.mgr', 'OSD_DOWN', 'a label']
    words += [g.rule for g in made.groups]
    words += [p.name for g in made.groups for p in g.pools]
    words += [w.name for w in made.profile.workloads]
    words += [f'round {n} ' for n in range(made.profile.rounds + 1)]
    words += [f'{b.workload}({",".join(b.order)})' for b in made.blocks]
    for word in words:
        assert word in text


def test_description_of_erasure_code_and_roots() -> None:
    found = build(hosts('a', 3))
    spec = GroupSpec('g', hosts=('a0', 'a1', 'a2'), note='emulated')
    made = make(found, [spec], settings=erasure(), ec_profile='two')
    text = plantext.describe(made)
    assert f'erasure-code profile perfcompare-{RUN}-g on CRUSH root' in text
    assert 'note: emulated' in text


# adaptive


def test_adaptive_needs_two_groups() -> None:
    with pytest.raises(InvalidArgument, match='--adaptive.*another --group'):
        make(names=['arm'], adaptive=True, rounds=7)
    assert make(names=['arm'], adaptive=True, rounds=7, control=True)


def test_adaptive_needs_rounds_to_look_at() -> None:
    with pytest.raises(InvalidArgument, match='--rounds 6 or more'):
        make(adaptive=True, rounds=5)
    assert make(adaptive=True, rounds=6)
