"""The reader of exporters' text format takes what is right, names the rest."""

import math
import random
import string
import time

import pytest

from perfcompare.worker.scrape.exposition import (
    LINE_MAX,
    ExpositionError,
    parse,
)


def only(line: str):
    """Return the one sample of a line."""
    samples = parse(line + '\n').samples
    assert len(samples) == 1
    return samples[0]


def test_the_example_of_the_format_s_own_documentation():
    text = r'''# HELP http_requests_total The total number of HTTP requests.
# TYPE http_requests_total counter
http_requests_total{method="post",code="200"} 1027 1395066363000
http_requests_total{method="post",code="400"}    3 1395066363000

# Escaping in label values:
msdos_file_access_time_seconds{path="C:\\DIR\\FILE.TXT",error="Cannot find file:\n\"FILE.TXT\""} 1.458255915e9

# Minimalistic line:
metric_without_timestamp_and_labels 12.47

# A weird metric from before the epoch:
something_weird{problem="division by zero"} +Inf -3982045

# A histogram, which has a pretty complex representation in the text format:
# HELP http_request_duration_seconds A histogram of the request duration.
# TYPE http_request_duration_seconds histogram
http_request_duration_seconds_bucket{le="0.05"} 24054
http_request_duration_seconds_bucket{le="0.1"} 33444
http_request_duration_seconds_bucket{le="+Inf"} 144320
http_request_duration_seconds_sum 53423
http_request_duration_seconds_count 144320

# Finally a summary, which has a complex representation, too:
# TYPE rpc_duration_seconds summary
rpc_duration_seconds{quantile="0.01"} 3102
rpc_duration_seconds_sum 1.7560473e+07
'''
    found = parse(text)
    assert len(found.samples) == 12
    assert found.types['http_requests_total'] == 'counter'
    assert found.helps['http_requests_total'].startswith('The total')
    first = found.samples[0]
    assert first.labels == {'method': 'post', 'code': '200'}
    assert (first.value, first.timestamp) == (1027.0, 1395066363.0)
    assert found.samples[2].labels == {
        'path': 'C:\\DIR\\FILE.TXT',
        'error': 'Cannot find file:\n"FILE.TXT"',
    }
    weird = found.samples[4]
    assert weird.value == math.inf and weird.timestamp == -3982.045


@pytest.mark.parametrize(
    'text, value',
    [
        ('1', 1.0),
        ('-1.5e-3', -0.0015),
        ('+Inf', math.inf),
        ('-Inf', -math.inf),
        ('Inf', math.inf),
        ('.5', 0.5),
        ('5.', 5.0),
        ('1.189e+09', 1.189e9),
    ],
)
def test_values(text, value):
    assert only(f'a {text}').value == value


def test_not_a_number_is_a_value():
    assert math.isnan(only('a NaN').value)


@pytest.mark.parametrize(
    'line',
    [
        'a{} 1',
        'a{ } 1',
        'a{x="1",} 1',
        'a { x = "1" , y="2" } 1',
        '\ta 1',
        'a{x="}"} 1',
        'a{x="{,="} 1\r',
        'a\t1\t5',
    ],
)
def test_whitespace_and_commas_as_the_format_allows_them(line):
    assert only(line).name == 'a'


@pytest.mark.parametrize(
    'line',
    [
        'a',
        'a ',
        'a1{x="1"}',
        'a 1_000',
        'a 0x10',
        'a one',
        'a 1 2 3',
        'a 1 2.5',
        'a 1 ' + '1' * 400,
        'a 1 ' + '1' * 5000,
        'a1.5',
        'a"1"',
        '1a 1',
        '-a 1',
        'a{x=1} 1',
        'a{x="1} 1',
        'a{x="1"y="2"} 1',
        'a{,} 1',
        'a{x="1",,} 1',
        'a{x="1",x="2"} 1',
        r'a{x="\q"} 1',
        'a{1x="1"} 1',
        'a}x="1"{ 1',
        'a{x="1"} {y="2"} 1',
        '# TYPE a gage',
        'ä 1',
    ],
)
def test_what_breaks_the_format_is_named_with_its_line(line):
    with pytest.raises(ExpositionError) as info:
        parse(f'good 1\n{line}\ngood 2\n')
    assert info.value.number == 2
    assert str(info.value).startswith('line 2: ')


def test_a_text_that_was_cut_is_no_result():
    with pytest.raises(ExpositionError, match='the text is cut'):
        parse('a 1\nnode_cpu_seconds_total 12')


def test_an_empty_text_has_no_samples():
    assert parse('').samples == []


def test_two_types_of_one_family_are_refused():
    with pytest.raises(ExpositionError, match='two types'):
        parse('# TYPE a counter\n# TYPE a gauge\n')


def test_only_what_is_wanted_is_read():
    text = 'a 1\nbroken here\nb{x="1"} 2\nab 3\n'
    found = parse(text, frozenset(['b']))
    assert [s.name for s in found.samples] == ['b']


def test_a_long_line_is_shown_in_part():
    with pytest.raises(ExpositionError) as info:
        parse('a{x="' + 'y' * 5000 + '\n')
    assert len(str(info.value)) < 150


@pytest.mark.parametrize(
    'line',
    [
        'a{0}x',
        'a {1}x',
        'a{0}{1}x',
        'a {1}.{1}x',
        'a {1}e{1}x',
        'a 1{0}-',
        'a{{}}{0}x',
        'a{{x="1"{0}y}} 1',
        'a{{{0}x{0}={0}"1"{0}y="2"}} 1',
    ],
)
def test_a_line_that_means_harm_takes_no_time(line):
    line = line.format(' ' * 15000, '1' * 15000)
    began = time.thread_time()
    with pytest.raises(ExpositionError):
        parse(line + '\n')
    assert time.thread_time() - began < 2.0


def test_a_line_may_be_so_long_and_no_longer():
    line = 'a{x="' + 'y' * (LINE_MAX - 9) + '"} 1'
    assert len(only(line).labels['x']) == LINE_MAX - 9
    with pytest.raises(ExpositionError, match='more than 65536 characters'):
        parse(line + '0\n')


def escaped(value: str) -> str:
    for plain, code in (('\\', r'\\'), ('"', r'\"'), ('\n', r'\n')):
        value = value.replace(plain, code)
    return value


def test_whatever_labels_hold_comes_back():
    rng = random.Random(5)
    alphabet = 'a"\\\n{},= \té\u2028#'
    for _ in range(2000):
        labels = {
            f'l{i}': ''.join(rng.choices(alphabet, k=rng.randrange(8)))
            for i in range(rng.randrange(4))
        }
        value = rng.choice([0.0, -1.5, 1e300, math.inf, 7e-9])
        body = ','.join(f'{k}="{escaped(v)}"' for k, v in labels.items())
        found = only(f'm{{{body}}} {value!r} {rng.randrange(10**13)}')
        assert (found.labels, found.value) == (labels, value)


def test_damaged_texts_give_samples_or_one_clear_error():
    """Fuzz: change, cut and mix a good text; nothing else may come out."""
    rng = random.Random(11)
    good = (
        '# HELP a help \\n text\n# TYPE a counter\n'
        'a{x="1",y="\\"q\\\\"} 1.5e3 1395066363000\nb NaN\nc{le="+Inf"} 3\n'
    )
    noise = string.printable + 'é\u2028\x00'
    seen = {'good': 0, 'bad': 0}
    for _ in range(20000):
        text = list(good)
        for _ in range(rng.randrange(1, 5)):
            at = rng.randrange(len(text))
            kind = rng.randrange(3)
            if kind == 0:
                text[at] = rng.choice(noise)
            elif kind == 1:
                del text[at : at + rng.randrange(1, 6)]
                text = text or ['\n']
            else:
                text.insert(at, rng.choice(noise))
        try:
            parse(''.join(text))
            seen['good'] += 1
        except ExpositionError as error:
            seen['bad'] += 1
            assert '\n' not in str(error)
    assert min(seen.values()) > 1000
