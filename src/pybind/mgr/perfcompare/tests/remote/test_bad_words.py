"""Whatever comes in as text or JSON is bounded, and what goes out is safe."""

import dataclasses
import errno
import json
import math
import pathlib
import re

import hypothesis
import pytest
import yaml
from hypothesis import strategies

from ...app.requests import RunRequest, page_of, search_of
from ...cli import together
from ...common import codec, printable, strict_yaml, units
from ...common.errors import InvalidArgument
from ...drivers.s3.gateways.repository import endpoint, read_secrets
from ...hosts import access
from ...model.workload import Profile
from ...planning import sizes
from ...planning.profiles import values as profile_values
from ...planning.profiles.catalog import load as parse_profile
from ...remote import arguments as api_arguments
from ...remote import calls
from ...report.layout import columns
from ...worker.wire import reading
from ...worker.wire.strict import Malformed

JSON = strategies.recursive(
    strategies.none()
    | strategies.booleans()
    | strategies.integers()
    | strategies.floats()
    | strategies.text(max_size=20),
    lambda children: strategies.lists(children, max_size=4)
    | strategies.dictionaries(
        strategies.sampled_from(['groups', 'hosts', 'note', 'a', 'rate']),
        children,
        max_size=4,
    ),
    max_leaves=12,
)
UNIT = hypothesis.settings(
    max_examples=50,
    deadline=None,
    database=None,
    derandomize=True,
    # a busy machine is no fault of a test
    suppress_health_check=[hypothesis.HealthCheck.too_slow],
)
EVIL = '\x1b]0;owned\x07\x1b[31mred\x9b2J\u202eabc\r\x00'


def unsafe(text):
    """Return the characters that a terminal would act upon."""
    return [c for c in text if c != '\n' and not c.isprintable()]


def test_escapes_are_shown_not_sent():
    assert printable.printable(EVIL) == (
        '\\x1b]0;owned\\x07\\x1b[31mred\\x9b2J\\u202eabc\\x0d\\x00'
    )
    assert printable.printable('é\n中') == 'é\n中'
    assert printable.printable('x' * 200_000) == 'x' * 200_000


@UNIT
@hypothesis.given(strategies.text())
def test_nothing_printable_moves_the_cursor(text):
    found = printable.printable(text)
    assert not [c for c in found if c != '\n' and ord(c) in range(32)]
    assert not set(found) & {'\x7f', '\x9b', '\u202e'}
    found.encode('utf-8')


def test_a_cell_is_one_line():
    lines = columns(['A', 'B'], [['x\ny', 'z'], [EVIL, '1']])
    assert len(lines) == 3 and not unsafe('\n'.join(lines))


def test_a_message_does_not_give_back_megabytes():
    assert len(printable.message('x' * 5_000_000)) < 4100
    assert len(printable.shown('x' * 5_000_000)) == 40
    assert len(printable.shown([['x' * 50_000]] * 50_000)) <= 40
    assert printable.shown(10**10_000) == 'a value of type int'


@UNIT
@hypothesis.given(JSON)
def test_a_request_is_refused_in_one_line_or_built(data):
    try:
        codec.from_data(RunRequest, data, 'request')
    except InvalidArgument as error:
        assert '\n' not in printable.message(error.message)


@pytest.mark.parametrize(
    'args',
    [
        {'hosts': [1]},
        {'hosts': {'abc': 1}},
        {'hosts': [['abc']]},
        {'note': 5},
        {'offset': 2**63},
        {'offset': True},
        {'limit': '10'},
        {'watts': float('nan')},
        {'watts': float('inf')},
        {'price': 10**400},
        {'text': {'a': 1}},
        {'tool': []},
        {'now': 'yes'},
        {'group': None, 'x': 1},
        {'round': -(2**70)},
    ],
)
def test_an_argument_of_another_type_is_refused(args):
    with pytest.raises(InvalidArgument):
        api_arguments.checked(args)


def test_an_argument_is_checked_and_given_on():
    args = {'hosts': ['a'], 'watts': 5, 'note': None, 'offset': 3}
    assert api_arguments.checked(args) == {
        'hosts': ('a',),
        'watts': 5.0,
        'note': None,
        'offset': 3,
    }


def test_an_argument_that_is_absent_is_named():
    found = api_arguments.checked({'hosts': ['a']})
    assert found.get('note') is None
    with pytest.raises(InvalidArgument, match='group: is missing'):
        found['group']


@pytest.mark.parametrize(
    'find, sort, told',
    [('x' * 201, None, '201'), ('', 'id; DROP', "'id; DROP'")],
)
def test_a_search_is_bounded_and_its_order_is_known(find, sort, told):
    assert search_of(None, '') == ('', 'newest')
    with pytest.raises(InvalidArgument, match=told):
        search_of(find, sort)


@pytest.mark.parametrize(
    'wrong, told',
    [
        (lambda: page_of(0, 0), '--limit 0 is out of range; give 1 to '),
        (lambda: page_of(1, -1), '--offset -1 is out of range; give 0 to '),
        (lambda: search_of('', 'x'), "--sort 'x' is not one of "),
        (lambda: search_of('x' * 999, ''), '--find has 999 characters; '),
    ],
)
def test_an_option_of_a_list_is_named_with_what_it_takes(wrong, told):
    with pytest.raises(InvalidArgument, match=told):
        wrong()


@pytest.mark.parametrize('offset', [-1, 2**31 + 1, 2**63, 2**70])
def test_a_page_is_within_what_a_database_counts(offset):
    with pytest.raises(InvalidArgument):
        page_of(None, offset)


@UNIT
@hypothesis.given(strategies.floats() | strategies.integers())
def test_figures_are_shown_whatever_they_are(value):
    for show in (
        units.format_time,
        units.format_duration,
        units.format_ops,
        units.format_latency,
        units.format_byte_rate,
    ):
        try:
            assert len(show(value)) < 60
        except OverflowError:
            assert abs(value) > 10**300  # no float: no record holds it


@pytest.mark.parametrize('unix', [1e300, -1e12, 2**70, float('nan'), 1e11])
def test_a_time_that_is_none_is_said_so(unix):
    assert units.format_time(unix) == 'not a time'


@UNIT
@hypothesis.given(strategies.text() | JSON.map(yaml.safe_dump))
def test_yaml_is_read_or_refused(text):
    try:
        strict_yaml.parse(text)
    except InvalidArgument as error:
        assert len(error.message) < 4000


@UNIT
@hypothesis.given(strategies.text() | JSON.map(yaml.safe_dump))
def test_profiles_and_access_files_are_read_or_refused(text):
    for parse, kind in (
        (parse_profile, Profile),
        (access.parse, access.ExporterAccess),
    ):
        try:
            assert isinstance(parse(text), kind)
        except InvalidArgument as error:
            assert len(error.message) < 4000
            assert '\n' not in printable.message(error.message)


@pytest.mark.parametrize(
    'text',
    [
        '- 1\n' * 500_000,
        '[' + '1,' * 60_000 + ']',
        ''.join(f'k{i}: 1\n' for i in range(12_000)),
        '[' * 100_000,
        'a: &x [1]\nb: *x',
        '? [1, 2]\n: 3',
        'a: 1\na: 2',
        'é' * 100_000,
    ],
    ids=lambda t: t[:12],
)
def test_large_or_odd_yaml_is_refused_at_once(text):
    with pytest.raises(InvalidArgument):
        strict_yaml.parse(text)


def test_an_access_file_is_bounded():
    with pytest.raises(InvalidArgument, match='at most 131,072'):
        access.parse('username: ' + 'x' * 200_000)


@pytest.mark.parametrize(
    'text',
    [
        '{"keys": []}',
        '{"keys": [5]}',
        '{"keys": [null]}',
        '{"access_key": "a\\r\\nHost: b", "secret_key": "s"}',
        '{"access_key": "a b", "secret_key": "s"}',
        '{"access_key": "a", "secret_key": "s\\u0000"}',
        '{"access_key": 2, "secret_key": "s"}',
        '[' * 50_000,
        '"x"',
        '{"access_key": "' + 'x' * 200_000 + '"}',
    ],
    ids=lambda t: t[:20],
)
def test_keys_of_a_wrong_shape_are_refused(text):
    with pytest.raises(InvalidArgument):
        read_secrets(text)


@UNIT
@hypothesis.given(strategies.text() | JSON.map(json.dumps))
def test_any_file_of_keys_is_read_or_refused(text):
    try:
        read_secrets(text)
    except InvalidArgument as error:
        assert error.errno == errno.EINVAL


@UNIT
@hypothesis.given(
    strategies.text()
    | strategies.from_regex(
        r'https?://[^/]{1,9}(:[0-9]{1,6})?', fullmatch=True
    )
)
def test_an_endpoint_has_a_host_that_goes_into_a_header(text):
    try:
        found = endpoint(text)
    except InvalidArgument:
        return
    assert found.host.isascii() and not unsafe(found.host)
    assert ' ' not in found.host and 0 < found.port < 65536


@UNIT
@hypothesis.given(strategies.text() | strategies.from_regex(r'[0-9.KMG:,]+'))
def test_sizes_are_read_or_refused(text):
    for parse, usable in (
        (units.parse_size, lambda size: size > 0),
        (units.parse_duration, lambda seconds: 0 <= seconds < math.inf),
        (profile_values.concurrency, lambda c: 1 <= c.value <= 4096),
        (sizes.parse, lambda found: min(s.size for s in found) > 0),
    ):
        try:
            assert usable(parse(text))
        except InvalidArgument as error:
            assert len(error.message) < 4000
            assert '\n' not in printable.message(error.message)


@pytest.mark.parametrize(
    'value', ['nan', 'inf', '1e308', 1e308, 2**70, 10**400, float('inf')]
)
def test_numbers_of_other_tools_are_those_that_can_be(value):
    if value == 'nan':
        assert reading.number(value, 'x') is None
        return
    with pytest.raises(Malformed):
        reading.number(value, 'x')


@pytest.mark.parametrize('value', [-1, 1e300, 2**70, float('nan'), 5e9])
def test_times_of_other_tools_are_of_this_era(value):
    with pytest.raises(Malformed, match='1970 to 2099'):
        reading.time(value, 'x')


@pytest.mark.parametrize(
    'text, told',
    [
        ('--ec-profile and --replicas', 'ec_profile and replicas'),
        ('--group is missing', 'groups is missing'),
        ('--dns-name x: no', 'dns_name x: no'),
        ('--pool-quota -- 3', '--pool-quota -- 3'),
        ('give `ceph x --replicas 3`', 'give `ceph x --replicas 3`'),
    ],
)
def test_an_error_names_the_fields_of_a_body(text, told):
    assert api_arguments.by_field(text, 'run') == told


@pytest.mark.parametrize(
    'call, text, told',
    [
        ('run', '--size 0 is too small', 'sizes 0 is too small'),
        ('plan', '--size 0 is too small', 'sizes 0 is too small'),
        ('recovery_run', '--size 0 is too small', 'size 0 is too small'),
        ('recovery_plan', '--limit x: no', 'limit x: no'),
        ('gateways_set', '--endpoint is missing', 'endpoints is missing'),
    ],
)
def test_an_error_names_the_field_of_the_call_at_hand(call, text, told):
    assert api_arguments.by_field(text, call) == told


def test_every_argument_that_a_call_reads_may_be_given():
    source = pathlib.Path(calls.__file__).read_text(encoding='utf-8')
    read = set(re.findall(r"\ba(?:\.get\(|\[)'(\w+)'", source))
    known = {f.name for f in dataclasses.fields(api_arguments.Arguments)}
    assert len(read) > 20 and read <= known


@pytest.mark.parametrize(
    'args', [{'run': '\ud800'}, {'find': 'a\udfff'}, {'metrics': ['\ud800']}]
)
def test_halves_of_characters_are_no_text(args):
    with pytest.raises(InvalidArgument, match='is no text'):
        api_arguments.checked(args)


def test_what_is_accepted_is_used():
    together.one_of(osds=True, hosts=False)
    with pytest.raises(InvalidArgument, match='one of --osds and --hosts'):
        together.one_of(osds=True, hosts=True)
    together.only_with('--osds', True, round=3)
    together.only_with('--osds', False, round=None)
    with pytest.raises(InvalidArgument, match='--round is for --osds: add'):
        together.only_with('--osds', False, round=0)
