from typing import Any, Dict, List

import errno
import json
import os
import pathlib
import subprocess
import sys

import pytest

from ...common.codec import from_data, to_data
from ...common.errors import InvalidArgument, NotFound
from ...model.plan import RunOptions
from ...model.workload import CacheRegime, Concurrency, Op, Profile
from ...planning.profiles import applied
from ...planning.profiles import catalog as profiles

BASE = '''
name: mine
rounds: 7
workloads:
- op: [write, rand]
  size: [4K, 64K]
  concurrency: [16, 4/osd]
'''


def with_entry(**values: Any) -> str:
    entry: Dict[str, Any] = {'op': 'rand', 'size': '4K', 'concurrency': 16}
    entry.update(values)
    return json.dumps({'name': 'mine', 'rounds': 7, 'workloads': [entry]})


def names(profile: Profile) -> list:
    return [w.name for w in profile.workloads]


def test_entry_is_a_cross_product() -> None:
    assert names(profiles.load(BASE)) == [
        'write-4K-c16',
        'write-4K-c4/osd',
        'rand-4K-c16',
        'rand-4K-c4/osd',
        'write-64K-c16',
        'write-64K-c4/osd',
        'rand-64K-c16',
        'rand-64K-c4/osd',
    ]


def test_reads_have_a_cache_regime_and_writes_none() -> None:
    for workload in profiles.load(BASE).workloads:
        expected = CacheRegime.CACHED if workload.reads else None
        assert workload.cache is expected


def test_reads_from_the_device_say_so_in_their_name() -> None:
    profile = profiles.load(with_entry(cache='device'))
    assert names(profile) == ['rand-4K-c16-device']


def test_defaults_are_overruled_by_an_entry() -> None:
    profile = profiles.load(
        'name: a\nrounds: 3\ndefaults: {duration: 5m, warmup: 0}\n'
        'workloads:\n- {op: write, size: 4K, concurrency: 1}\n'
        '- {op: write, size: 8K, concurrency: 1, duration: 30}\n'
    )
    assert [w.duration for w in profile.workloads] == [300, 30]
    assert profile.workloads[0].warmup == 0


def test_version_is_of_the_content_alone() -> None:
    one = profiles.load(BASE)
    other = profiles.load(
        BASE.replace('mine', 'yours') + 'description: words\n# comment\n'
    )
    assert one.version == other.version
    assert len(one.version) == 12
    assert int(one.version, 16) >= 0
    for old, new in (('7', '8'), ('16', '17'), ('4K', '8K')):
        assert profiles.load(BASE.replace(old, new)).version != one.version


@pytest.mark.process
def test_version_is_the_same_in_another_process() -> None:
    # hash randomization must not reach it
    code = (
        'from perfcompare.drivers import registry;'
        'from perfcompare.planning.profiles import catalog as profiles;'
        'print(profiles.get("quick").version)'
    )
    folder = pathlib.Path(profiles.__file__).parents[3]
    found = {
        subprocess.run(
            [sys.executable, '-c', code],
            cwd=folder,
            env={**os.environ, 'PYTHONHASHSEED': seed},
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()
        for seed in ('1', '2')
    }
    assert found == {profiles.get('quick').version}


@pytest.mark.parametrize(
    'text, message',
    [
        ('', 'None is not a mapping'),
        ('[1]', r'\[1\] is not a mapping'),
        ('name: [', 'not valid YAML in line 1'),
        ('name: a\nname: b', "line 2: key 'name' is given twice"),
        ('name: &x a\ndescription: *x', 'aliases'),
        ('name: !!python/object:os.system a', 'not valid YAML'),
        ('? [a, b]\n: 1', 'not valid YAML|unknown key'),
        ('? {a: b}\n: 1', 'not valid YAML'),
        ('x' * 131073, 'at most 131,072'),
        ('[' * 5000, 'nested too deeply|not valid YAML'),
        ('name: A', "name 'A' is not valid"),
        ('rounds: 3', 'name None is not valid'),
        ('name: 5', 'name 5 is not valid'),
        ('name: a\nworkload: []', "unknown key 'workload'; known are name"),
        ('name: a\ndescription: 5', 'description is not a text'),
        ('name: a\nrounds: 3', 'workloads is not a list'),
        ('name: a\nrounds: 3\nworkloads: []', 'workloads is not a list'),
        ('name: a\nrounds: 3\nworkloads: [5]', 'workload 1: 5 is not a map'),
        (BASE.replace('7', '0'), 'rounds 0 is out of range'),
        (BASE.replace('7', '41'), 'give 1 to 40'),
        (BASE.replace('7', 'seven'), "'seven' is not a whole number"),
        (BASE.replace('7', 'true'), 'True is not a whole number'),
        (BASE.replace('7', '7.0'), '7.0 is not a whole number'),
        (BASE + 'defaults: {size: 4K}', "defaults: unknown key 'size'"),
        (BASE.replace('rand', 'write'), "'write-4K-c16' is given twice"),
        (with_entry(op='append'), "'append' is not one of write, rand, seq"),
        (with_entry(op=[]), 'op: the list is empty'),
        (
            with_entry(op=None),
            'op: None is neither a text nor a whole number',
        ),
        (with_entry(size='4Q'), "'4Q' is not a size"),
        (with_entry(size=1.5), '1.5 is neither a text nor a whole number'),
        (
            with_entry(size=[['4K']]),
            r"\['4K'\] is neither a text nor a whole number",
        ),
        (with_entry(size='100'), 'size 100 is out of range'),
        (with_entry(size='65M'), 'size 65M is out of range'),
        (with_entry(concurrency=0), 'concurrency 0 is out of range'),
        (with_entry(concurrency='5000'), 'give 1 to 4096'),
        (
            with_entry(concurrency=True),
            'True is neither a text nor a whole number',
        ),
        (with_entry(duration=2), 'duration of 2 s is out of range'),
        (with_entry(duration='soon'), "'soon' is not a duration"),
        (with_entry(duration=[]), 'is not a number of seconds'),
        (with_entry(warmup=-1), 'warmup of -1 s is out of range'),
        (with_entry(warmup=float('nan')), 'is not a duration'),
        (with_entry(clients=0), '0 clients is out of range'),
        (with_entry(clients='2'), "'2' is not a whole number"),
        (with_entry(clients=17), '17 clients cannot share 16'),
        (with_entry(cache='warm'), "cache 'warm' is not one of cached"),
        (with_entry(cache=[]), 'is not one of cached'),
        (with_entry(objects=5), "unknown key 'objects'"),
        (
            with_entry(concurrency=list(range(1, 66))),
            '65 workloads; give 1 to 64',
        ),
        (
            'name: a\nrounds: 3\nworkloads:\n'
            '- {op: rand, size: 4K, concurrency: 8, clients: 2}\n'
            '- {op: rand, size: 4K, concurrency: 16}\n',
            'same objects with 2 and 1 clients',
        ),
    ],
)
def test_mistakes_are_named_in_one_line(text: str, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message) as error:
        profiles.load(text)
    assert '\n' not in str(error.value)
    assert len(str(error.value)) < 400
    assert error.value.errno == errno.EINVAL


def test_builtin_profiles() -> None:
    found = profiles.builtin()
    assert {'smoke', 'quick', 'standard', 'talk-2018-rados'} <= set(found)
    assert [found[n].rounds for n in ('smoke', 'quick', 'standard')] == [
        3,
        7,
        10,
    ]
    standard = found['standard'].workloads
    assert all(w.duration == 60 for w in standard)
    assert [w.cache for w in standard if w.reads] == 3 * list(CacheRegime)
    for name, profile in found.items():
        assert profile.name == name
        assert profile.builtin and profile.description


def test_talk_2018_is_the_protocol_of_its_authors() -> None:
    found = {
        (w.op, w.size, w.concurrency.value)
        for w in profiles.get('talk-2018-rados').workloads
        if w.duration == 300
    }
    assert found == {
        (op, size, load)
        for op in (Op('write'), Op('rand'))
        for size, loads in ((65536, (64, 128, 512)), (4 << 20, (16, 32, 128)))
        for load in loads
    }


def test_unknown_profile_lists_the_known() -> None:
    with pytest.raises(NotFound, match='quick, .*smoke, standard'):
        profiles.get('fast')


def test_no_options_keep_the_profile() -> None:
    quick = profiles.get('quick')
    assert applied.apply(quick, RunOptions()) is quick


def test_options_replace_their_dimension_only() -> None:
    quick = profiles.get('quick')
    changed = applied.apply(quick, RunOptions(sizes=('64K', '1M')))
    assert sorted(names(changed)) == [
        'rand-1M-c16',
        'rand-64K-c16',
        'write-1M-c16',
        'write-64K-c16',
    ]
    assert changed.version != quick.version
    assert not changed.builtin


def test_all_options_make_the_cross_product() -> None:
    options = RunOptions(
        workloads=('write', 'seq'),
        sizes=('4K,64K',),
        concurrency=('1', '4/osd'),
        duration=30,
        rounds=6,
        clients=1,
    )
    changed = applied.apply(profiles.get('standard'), options)
    # reads from caches and from devices, as the profile has them
    assert len(changed.workloads) == 12
    assert {w.duration for w in changed.workloads} == {30}
    assert {w.concurrency for w in changed.workloads} == {
        Concurrency(1),
        Concurrency(4, True),
    }
    assert changed.rounds == 6
    assert applied.apply(changed, options) is changed


@pytest.mark.parametrize(
    'cache, names',
    [
        ('cached', ['rand-4K-c16']),
        ('device', ['rand-4K-c16-device']),
        ('both', ['rand-4K-c16', 'rand-4K-c16-device']),
    ],
)
def test_reads_come_from_where_the_option_says(
    cache: str, names: List[str]
) -> None:
    options = RunOptions(cache=cache)
    changed = applied.apply(profiles.get('smoke'), options)
    assert [w.name for w in changed.workloads] == ['write-4K-c16', *names]
    assert applied.apply(changed, options) is changed


def test_a_profile_of_both_can_be_held_to_one() -> None:
    both = profiles.load(with_entry(op=['write', 'rand'], cache='both'))
    names = [w.name for w in both.workloads]
    assert [n.partition('-')[0] for n in names] == ['write', 'rand', 'rand']
    assert names[2] == names[1] + '-device'
    only = applied.apply(both, RunOptions(cache='device'))
    assert [w.name for w in only.workloads] == [names[0], names[2]]


def test_writes_come_from_no_cache() -> None:
    options = RunOptions(cache='device', workloads=('write',))
    with pytest.raises(
        InvalidArgument, match='workload of the run is rand or seq'
    ):
        applied.apply(profiles.get('smoke'), options)


def test_changing_the_operation_changes_the_cache_regime() -> None:
    smoke = profiles.get('smoke')
    (write,) = applied.apply(
        smoke, RunOptions(workloads=('write',))
    ).workloads
    assert write.cache is None
    (seq,) = applied.apply(smoke, RunOptions(workloads=('seq',))).workloads
    assert seq.cache is CacheRegime.CACHED


@pytest.mark.parametrize(
    'options, message',
    [
        (RunOptions(workloads=('copy',)), "--workload: 'copy' is not one of"),
        (RunOptions(sizes=('4Z',)), "--size: '4Z' is not a size"),
        (RunOptions(concurrency=('0',)), '--concurrency: concurrency 0'),
        (RunOptions(rounds=0), 'rounds 0 is out of range'),
        (RunOptions(rounds=99), 'rounds 99 is out of range'),
        (RunOptions(duration=1), 'duration of 1 s'),
        (RunOptions(duration=float('nan')), 'duration of nan s'),
        (RunOptions(clients=99), '99 clients is out of range'),
        (RunOptions(clients=-1), '-1 clients is out of range'),
        (RunOptions(sizes=('',)), "'' is not a size"),
    ],
)
def test_bad_options_are_named(options: RunOptions, message: str) -> None:
    with pytest.raises(InvalidArgument, match=message):
        applied.apply(profiles.get('quick'), options)


@pytest.mark.parametrize('name', sorted(profiles.builtin()))
def test_profiles_survive_json(name: str) -> None:
    profile = profiles.get(name)
    stored = json.loads(json.dumps(to_data(profile)))
    assert from_data(Profile, stored) == profile
