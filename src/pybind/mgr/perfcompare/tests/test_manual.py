"""The manual names what the module has, and nothing else."""

import importlib
import json
import re
import sys
from pathlib import Path

import pytest

from perfcompare.analysis.efficiency import METRICS
from perfcompare.cli.options import commands
from perfcompare.common.settings import OPTIONS, Settings
from perfcompare.guard.abort.rules import RULES
from perfcompare.guard.checks.preflight import CHECKS
from perfcompare.planning.profiles import catalog as profiles
from perfcompare.planning.profiles import shapes

from .data import cluster_maps, plans

DOC = Path(__file__).parents[5] / 'doc' / 'mgr'
PAGES = DOC / 'perfcompare'
OPTIONS_PAGE = PAGES / 'configuration.rst'

pytestmark = pytest.mark.skipif(
    not OPTIONS_PAGE.is_file(), reason='the manual is not beside the sources'
)


def test_manual_has_exactly_the_options_of_the_module():
    text = OPTIONS_PAGE.read_text(encoding='utf-8')
    names = [o['name'] for o in OPTIONS]
    assert re.findall(r'^\.\. confval:: (\S+)', text, re.M) == names


def allowed(option: dict) -> str:
    """Return the range of an option as the table has it."""
    if 'min' not in option:
        return '–'
    return f'{option["min"]:.12g} to {option["max"]:.12g}'


def test_table_of_options_has_types_defaults_and_ranges():
    cells = re.findall(
        r'^   \* - ``(\w+)``\n     - (\S+)\n     - (\S+)\n     - (.+)\n',
        OPTIONS_PAGE.read_text(encoding='utf-8'),
        re.M,
    )
    shown = [
        (
            o['name'],
            o['type'],
            str(o['default']).lower() or '(empty)',
            allowed(o),
        )
        for o in OPTIONS
    ]
    assert cells == shown


def first_column(page: str, heading: str) -> list:
    """Return the first cells of the simple table below a heading row."""
    text = (DOC / page).read_text(encoding='utf-8')
    body = re.split(rf'^{heading} .*\n=+ .*\n', text, flags=re.M)[1]
    rows = re.split(r'^=+ ', body, flags=re.M)[0].splitlines()
    return [row.split()[0].strip('`') for row in rows if row[:1].strip()]


def test_safety_page_has_every_check_in_order():
    ids = list(dict.fromkeys(check.id for check in CHECKS))
    assert first_column('perfcompare/safety.rst', 'Id') == ids


def test_safety_page_has_every_abort_rule_in_order():
    ids = [rule.id for rule in RULES]
    assert first_column('perfcompare/safety.rst', 'Rule') == ids


def test_results_page_has_every_further_metric_in_order():
    shown = first_column('perfcompare/results.rst', 'Metric')
    # the table has one row for all percentiles of a latency
    ids = [m.id for m in METRICS if not re.search(r'-p9', m.id)]
    assert shown == ids


def test_manual_has_every_built_in_profile():
    names = first_column('perfcompare/profiles.rst', 'Name')
    assert sorted(names) == sorted(profiles.builtin())


def test_table_of_profile_keys_has_every_key():
    text = (PAGES / 'profiles.rst').read_text(encoding='utf-8')
    table = re.split(r'^Key of an entry .*\n=+ .*\n', text, flags=re.M)[1]
    table = re.split(r'^=+ ', table, flags=re.M)[0]
    cells = ' '.join(line[:34] for line in table.splitlines())
    shown = re.findall(r'``(\w+)``', cells)
    known = {*profiles.ENTRY, *shapes.keys(['s3-get', 'rbd-rw'])}
    assert sorted(shown) == sorted(known)


def test_counts_of_checks_and_rules_are_true():
    text = (PAGES / 'is-it-safe.rst').read_text(encoding='utf-8')
    checks = len({check.id for check in CHECKS})
    assert f'({checks} checks)' in text
    assert f'({len(RULES)} rules,' in text


@pytest.mark.parametrize(
    'name, options',
    [
        (
            's3-mixed-1M-c32-g60p25r10l5-range64K',
            {
                'sizes': ('1M',),
                'mix': 'get=60,put=25,range=10,list=5',
                'range_size': '64K',
            },
        ),
        (
            's3-mixed-mix11.5M-c32-g60:4Kp25:1Ms10u5:64M',
            {'mix': 'get=60:4K,put=25:1M,multipart=5:64M,stat=10'},
        ),
        ('s3-put-4K-c16-b8-p16', {'buckets': 8, 'prefixes': 16}),
        ('s3-put-4K-c16-crc32', {'checksum': 'crc32'}),
        ('s3-put-4K-c16-sse-c-tags3', {'encryption': 'sse-c', 'tags': 3}),
        ('s3-get-64K-c64-n50G', {'sizes': ('64K',), 'prefill': '50G'}),
    ],
)
def test_names_of_workloads_that_are_shown_are_true(name, options):
    text = (PAGES / 's3.rst').read_text(encoding='utf-8')
    operation, concurrency = re.match(
        r'(s3-[a-z]+)-.*-c(\d+)-', name
    ).groups()
    if 'mix' not in options:
        options = {'sizes': ('4K',), **options}
    plan = plans.make(
        workloads=(operation,), concurrency=(concurrency,), **options
    )
    assert [w.name for w in plan.profile.workloads] == [name]
    assert f'``{name}``' in text


def minutes(seconds: float) -> str:
    """Return a duration as the table of profiles has it."""
    hours, rest = divmod(round(seconds / 60), 60)
    return f'{hours} h {rest} min' if hours else f'{rest} min'


@pytest.fixture(scope='module')
def planned():
    """Return a plan of each built-in profile, on the page's cluster."""
    twelve = [
        cluster_maps.Host(
            f'{kind}{number}', 4, device_class=kind, size=4 << 40
        )
        for kind in ('x86', 'arm')
        for number in range(3)
    ]
    topology = cluster_maps.build(twelve)
    return {
        name: plans.make(topology, profile=name)
        for name in profiles.builtin()
    }


def test_profiles_that_take_too_long_are_named(planned):
    text = (PAGES / 'profiles.rst').read_text(encoding='utf-8')
    named = text.split(
        ' need a higher :confval:`mgr/perfcompare/max_duration`'
    )
    names = re.findall('``(.+?)``', named[0].rpartition('(``CAPACITY``)')[2])
    long = {
        name
        for name, plan in planned.items()
        if plan.seconds_max > Settings.max_duration
    }
    assert set(names) == long
    said = {
        name
        for name in planned
        if 'raise max_duration first' in profiles.text_of(name)
    }
    assert said == long


def test_durations_of_profiles_are_those_of_their_plans(planned):
    lines = []
    for name, profile in profiles.builtin().items():
        plan = planned[name]
        (window,) = {w.duration for w in profile.workloads}
        cells = (
            f'``{name}``'.ljust(27)
            + str(len(profile.workloads)).ljust(11)
            + str(sum(len(b.order) for b in plan.blocks)).ljust(8)
            + f'{window:g} s'.ljust(10)
            + minutes(plan.seconds).ljust(13)
            + minutes(plan.seconds_max).ljust(13)
            + f'{plan.bytes_written / 2**30:,.0f} GiB'
        )
        lines.append((plan.seconds, cells))
    text = (PAGES / 'profiles.rst').read_text(encoding='utf-8')
    table = re.split(r'^Profile  .*\n=+ .*\n', text, flags=re.M)[1]
    shown = re.split(r'^=+ ', table, flags=re.M)[0].splitlines()
    assert shown == [cells for _, cells in sorted(lines)]
    for name in profiles.builtin():  # here, and in the table of purposes
        assert len(re.findall(rf'^``{name}``  ', text, re.M)) == 2


def test_descriptions_of_profiles_tell_the_time_of_their_plans(planned):
    wrong = {}
    for name, profile in profiles.builtin().items():
        said = re.search(r'in (.*?) (\d+) minutes', profile.description)
        if said:
            share = planned[name].seconds / 60 / int(said[2])
            if said[1] != 'about' or not 0.8 < share < 1.2:
                wrong[name] = said[0], planned[name].seconds
    assert wrong == {}


def test_manual_has_every_option_of_recovery_tests():
    flags = {o.flag for o in commands()['recovery run']}
    shown = set(first_column('perfcompare/recovery-tests.rst', 'Option'))
    assert shown == flags - {'--group', '--format'}


def test_manual_has_every_option_of_runs():
    text = (PAGES / 'running.rst').read_text(encoding='utf-8')
    flags = sorted(o.flag for o in commands()['run'])
    assert not [f for f in flags if not re.search(rf'[` ]{f}[` \n]', text)]


def test_manual_has_every_command():
    pytest.importorskip('mgr_module')
    from perfcompare import module  # noqa: F401
    from perfcompare.cli import registry as cli  # noqa: F401

    text = ''.join(
        p.read_text(encoding='utf-8') for p in sorted(DOC.rglob('*.rst'))
    )
    commands = {c for c in cli.Registry.COMMANDS if 'perfcompare' in c}
    assert commands
    assert not [c for c in commands if not re.search(rf'ceph {c}\b', text)]


def shown_commands():
    """Yield page and words of each command of ours that the manual shows."""
    pages = [*sorted(DOC.rglob('*.rst')), DOC.parents[1] / 'README.md']
    for path in pages:
        text = path.read_text(encoding='utf-8')
        for line in re.sub(r'\\\n +', '', text).split('\n'):
            found = re.match(r' +(?:until )?ceph perfcompare (.*)', line)
            if found:
                words = re.sub(r'[\[\];]|\.\.\.', ' ', found[1])
                words = re.split(r' [>#] ', words + ' ')[0]
                yield path.name, words.split()


def test_every_command_that_is_shown_is_one_with_these_options(reference):
    options = {
        c.name: {a.flag for a in c.arguments}
        | {o.flag for o in c.options}
        | {'--format', '-i'}
        for c in reference.commands()
    }
    wrong, number = [], 0
    for page, words in shown_commands():
        number += 1
        names = [' '.join(words[:n]) for n in (2, 1)]
        name = next((n for n in names if n in options), None)
        flags = {w.split('=')[0] for w in words if re.match('-+[a-z]', w)}
        if name is None or flags - options[name]:
            wrong.append(f'{page}: {" ".join(words)}')
    assert wrong == []
    assert number > 80


@pytest.fixture(scope='module')
def reference():
    """Return what makes the reference pages, a program of the lint step."""
    folder = DOC.parents[1] / 'qa' / 'lint'
    before = set(sys.modules)
    sys.path.insert(0, str(folder))
    try:
        yield importlib.import_module('reference')
    finally:
        sys.path.remove(str(folder))
        for name in set(sys.modules) - before:
            if str(folder) in str(getattr(sys.modules[name], '__file__', '')):
                del sys.modules[name]


def test_reference_is_what_the_declarations_say(reference):
    assert reference.stale() == []


def test_a_changed_declaration_makes_the_reference_stale(
    reference, monkeypatch
):
    found = dict(reference.examples(), stop='')
    monkeypatch.setattr(reference, 'examples', lambda: found)
    (line,) = reference.stale()
    assert 'reference.py --write' in line


def test_a_field_of_exports_that_nothing_describes_is_told(
    reference, monkeypatch
):
    exports = reference.exports
    monkeypatch.delitem(exports.TEXTS['Run'], 'state')
    with pytest.raises(LookupError, match='Run.state is in exports'):
        exports.page()
    monkeypatch.setitem(exports.TEXTS['Run'], 'state', 'how it ended')
    monkeypatch.setitem(exports.TEXTS['Run'], 'gone', 'no longer there')
    assert 'no export has Run.gone' in exports.unknown()[0]


def test_page_on_exports_has_the_evidence_of_real_trials(reference):
    text = (
        Path(__file__).parent / 'data' / 'recorded_trials.json'
    ).read_text(encoding='utf-8')
    for trial in json.loads(text):
        assert reference.exports.undescribed(trial['evidence']) == []
    assert reference.exports.undescribed({'hosts': {'a': {'b': 1}}}) == [
        'hosts.a.b'
    ]


def test_reference_has_the_commands_that_ceph_mgr_has(reference):
    pytest.importorskip('mgr_module')
    from perfcompare import module  # noqa: F401
    from perfcompare.cli import registry as cli

    declared = {
        c['cmd']: c['perm']
        for c in cli.Registry.dump_cmd_list()
        if c['cmd'].startswith('perfcompare ')
    }
    made = {c.name: c for c in reference.commands()}
    assert len(made) == len(declared)
    for line, perm in declared.items():
        parts = [
            dict(p.split('=', 1) for p in part.split(',') if '=' in p)
            for part in line.split()
        ]
        words = [w for w, p in zip(line.split(), parts) if not p]
        command = made[' '.join(words[1:])]
        assert command.changes == ('w' in perm)
        names = {p['name'].replace('_', '-') for p in parts if p}
        shown = {a.flag.lstrip('-') for a in command.arguments} | {
            o.flag.lstrip('-') for o in command.options
        }
        assert shown - {'i'} == names - {'format', '-end-positional-'} | (
            shown & {'format'}
        )
