"""A worker on a load host is led as one of the Manager's host is."""

import base64
import hashlib
import json
import os
import stat
import zlib

import pytest

from ...common.errors import InvalidArgument
from ...ports.trial_watch import window_of
from ...worker.agent.child import localized
from ...worker.agent.conversation import Conversation
from ...worker.wire.agents import (
    ENDED,
    EVENT,
    RESULT,
    START,
    ClockReading,
    Line,
    program_digest,
)
from ...worker.wire.jobs import Access, Population, Trial, job_from_data
from ...worker.wire.protocol import (
    LEASE_LOST,
    PROTOCOL,
    Done,
    Ended,
    Failed,
    Hello,
    Ready,
    event_line,
    parse_event,
)
from ...worker.wire.s3_jobs import S3Trial
from ...worker.wire.s3_spec import Endpoint, Weighted
from ...worker.wire.scrape_jobs import Scrape, Target
from ...worker.wire.strict import Malformed
from ...workers.host_link import HostLink
from ...workers.outcomes import PARTS_MAX, WorkerFailed
from ...workers.remote import ARRIVAL, PACKING, RemoteLauncher, packed
from ..fakes.clock import FakeClock

RESULT_DATA = json.dumps(
    {'kind': 'trial', 'started': 1.0, 'ended': 2.0, 'tools': {}}
).encode()


class Site:
    """Be a Manager with a link, and the agent of its host."""

    def __init__(self, folder):
        self.folder = folder
        self.there = True
        self.clock = FakeClock(on_wait=self._waited)
        self.link = HostLink('h1', 'e' * 16, self.clock, program_digest())
        self.talk = Conversation('b' * 16, program_digest())
        self.orders = []
        self.obeys = True
        keyring = folder / 'keyring'
        keyring.write_text('[client.x]\n\tkey = SECRET\n')
        self.job = Trial(
            Access('/etc/ceph/ceph.conf', str(keyring), 'client.x', 'pool'),
            4,
            60.0,
            (Population('p', 100, 4096),),
            op='rand',
            size=4096,
            duration=5.0,
        )
        self.worker = RemoteLauncher(
            self.link, str(folder / 'spool'), self.clock
        ).worker('0001-trial')

    def _waited(self, seconds):
        self.sync()

    def sync(self):
        """Have the agent ask, and do what it is told."""
        if not self.there:
            return
        answer = self.link.sync(self.talk.message(None, None))
        if answer.epoch != self.talk.epoch:
            self.talk.begin(answer.epoch)
            return self.sync()
        for order in self.talk.take(answer):
            self.orders.append(order)
            if order.what == 'kill' and self.obeys:
                self.ends(-9)

    def says(self, event):
        """Have the worker say something."""
        text = event_line(event).decode().strip()
        self.talk.add([Line(self.worker.name, EVENT, text)])
        self.sync()

    def ends(self, code=0, log=''):
        """Have the worker end."""
        told = json.dumps({'code': code, 'log': log})
        self.talk.add([Line(self.worker.name, ENDED, told)])
        self.sync()

    def gives(self, data, piece=40):
        """Have the worker give a result."""
        text = base64.b64encode(zlib.compress(data)).decode()
        self.talk.add(
            [
                Line(self.worker.name, RESULT, text[i : i + piece])
                for i in range(0, len(text), piece)
            ]
        )


@pytest.fixture
def site(tmp_path):
    return Site(tmp_path)


def test_a_job_travels_with_its_key_and_without_paths(site):
    site.worker.start(site.job)
    site.sync()
    (order,) = site.orders
    assert order.what == START
    assert order.files == {'access.keyring': '[client.x]\n\tkey = SECRET\n'}
    assert str(site.folder) not in json.dumps(order.job)
    there = site.folder / 'there'
    there.mkdir()
    found = job_from_data(
        localized(order.job, order.files, str(there), '/else/ceph.conf')
    )
    assert found.access.conf == '/else/ceph.conf'
    assert found.access.rados == 'rados'
    assert stat.S_IMODE(os.stat(found.access.keyring).st_mode) == 0o600
    assert found.op == 'rand'


def test_keys_of_gateways_and_their_ca_travel_too(site, tmp_path):
    for name in ('keys', 'ca.pem'):
        (tmp_path / name).write_text(f'text of {name}')
    job = S3Trial(
        site.job.access,
        4,
        60.0,
        endpoints=(Endpoint('10.0.0.1', 8000),),
        credentials=str(tmp_path / 'keys'),
        ca_file=str(tmp_path / 'ca.pem'),
        bucket='b',
        objects=10,
        prefix='p',
        sizes=(Weighted(4096, 1.0),),
        mix=(0.0, 1.0, 0.0, 0.0),
        duration=5.0,
    )
    data, files = packed(job)
    assert files['credentials'] == 'text of keys'
    assert str(tmp_path) not in json.dumps(data)
    there = tmp_path / 'there'
    there.mkdir()
    found = job_from_data(localized(data, files, str(there), '/c'))
    with open(found.ca_file) as file:
        assert file.read() == 'text of ca.pem'
    with open(found.credentials) as file:
        assert file.read() == 'text of keys'


def test_a_load_host_runs_no_other_program_and_no_other_job(site, tmp_path):
    data = {'kind': 'trial', 'access': {'rados': '/bin/sh', 'keyring': ''}}
    found = localized(data, {}, str(tmp_path), '/c')
    assert found['access']['rados'] == 'rados'
    data = {'kind': 'rbd-trial', 'access': {}, 'fio': '/bin/sh', 'rbd': 'x'}
    found = localized(data, {}, str(tmp_path), '/c')
    assert (found['fio'], found['rbd']) == ('fio', 'rbd')
    for kind in ('gateway', 'scrape', 's3-remove', None):
        with pytest.raises(Malformed):
            localized({'kind': kind, 'access': {}}, {}, str(tmp_path), '/c')
    with pytest.raises(InvalidArgument, match='not done on load hosts'):
        site.worker.start(
            Scrape(10.0, (Target('h', 'http://h:1/'),), 1.0, 1.0)
        )


def test_it_goes_from_hello_to_its_result(site):
    site.worker.start(site.job)
    site.sync()
    site.says(Hello(PROTOCOL, 1, '3', True))
    site.says(Ready({}, {}))
    assert [type(e) for e in site.worker.poll()] == [Hello, Ready]
    site.worker.go()
    site.sync()
    assert json.loads(site.orders[-1].line)['cmd'] == 'go'
    digest = hashlib.sha256(RESULT_DATA).hexdigest()
    site.says(Done('result.json', len(RESULT_DATA), digest))
    site.gives(RESULT_DATA)
    site.ends()
    assert [type(e) for e in site.worker.poll()] == [Done, Ended]
    assert site.worker.ended
    assert site.worker.outcome().ended == 2.0
    site.worker.discard()
    assert not (site.folder / 'spool' / '0001-trial').exists()


def test_a_result_has_a_time_of_its_own_to_arrive(site):
    site.worker.start(site.job)
    site.sync()
    site.says(Hello(PROTOCOL, 1, '3', True))
    site.worker.poll()
    assert not site.worker.gathering
    site.says(Done('result.json', 1, '0' * 64))
    assert [type(e) for e in site.worker.poll()] == [Done]
    for seconds in (PACKING - 1, ARRIVAL / 2):  # it does not begin anew
        site.gives(b'x')
        site.clock.now += seconds
        site.sync()
        site.says(Done('result.json', 1, '0' * 64))
        assert [type(e) for e in site.worker.poll()] == [Done]
        assert site.worker.gathering
    site.clock.now += ARRIVAL / 2 + 1
    site.sync()
    assert site.worker.poll() == [Ended(-9)]
    with pytest.raises(WorkerFailed, match='h1 did not arrive within 600 s'):
        site.worker.result()


def test_a_load_that_is_called_over_and_gives_nothing_is_ended(site):
    """No abort rule looks at it any more."""
    site.worker.start(site.job)
    site.sync()
    site.says(Hello(PROTOCOL, 1, '3', True))
    site.says(Done('result.json', 1, '0' * 64))
    site.worker.poll()
    site.clock.now += PACKING - 1
    site.says(Done('result.json', 1, '0' * 64))
    assert [type(e) for e in site.worker.poll()] == [Done]
    site.clock.now += 2
    site.sync()
    assert site.worker.poll() == [Ended(-9)]
    with pytest.raises(WorkerFailed, match='gave no result within 30 s'):
        site.worker.result()


def test_a_result_is_kept_on_disk_alone(site):
    worker = done(site, json.loads(RESULT_DATA))
    assert worker._packed
    with open(worker.result(), 'rb') as file:
        assert json.load(file) == json.loads(RESULT_DATA)
    assert not worker._packed
    assert worker.outcome().ended == worker.outcome().ended == 2.0


def done(site, data):
    """Have the worker go from its job to a result."""
    site.worker.start(site.job)
    site.sync()
    site.says(Hello(PROTOCOL, 1, '3', True))
    site.says(Ready({}, {}))
    site.worker.go()
    text = json.dumps(data).encode()
    site.says(
        Done('result.json', len(text), hashlib.sha256(text).hexdigest())
    )
    site.gives(text)
    site.ends()
    site.worker.poll()
    return site.worker


TRIAL = {
    'kind': 'trial',
    'started': 1000.0,
    'ended': 1070.0,
    'tools': {},
    'notes': ['told'],
    'series': {'wall_start': 1001.0, 't': [1.0], 'ops': [5.0]},
    'evidence': {'window': [[1010.0, 1040.0], [1041.0, 1069.0]], 'nice': 5},
    'raw': [
        {
            'client': 0,
            'start': 1002.0,
            't': [0.0],
            'started': [0],
            'finished': [0],
            'waited': [0.0],
            'polled_at': [1003.0],
            'polled_ops': [7],
        }
    ],
}


def test_what_a_host_measured_is_on_the_managers_clock(site):
    """OSDs are read by it: 30 s off, their figures were of another time."""
    site.link.reading = ClockReading(30.0, 0.01)
    worker = done(site, TRIAL)
    site.link.reading = ClockReading(90.0, 0.01)  # it was set since
    found = worker.outcome()
    assert (found.started, found.ended) == (1030.0, 1100.0)
    assert window_of(found) == (1040.0, 1099.0)
    assert found.evidence['nice'] == 5
    assert found.series.wall_start == 1031.0
    assert found.raw[0].start == 1032.0
    assert found.raw[0].polled_at == [1033.0]
    assert found.notes == [
        'told',
        "the clock of load host h1 is 30 s behind the Manager's (± 0.01 s)",
    ]


def test_a_clock_that_is_right_is_not_noted(site):
    site.link.reading = ClockReading(-0.05, 0.01)
    found = done(site, TRIAL).outcome()
    assert found.started == 999.95 and found.notes == ['told']


def test_a_clock_that_is_not_known_moves_nothing(site):
    assert done(site, TRIAL).outcome().started == 1000.0


@pytest.mark.parametrize('reading', [ClockReading(1.0, 0.01), None])
@pytest.mark.parametrize(
    'window',
    [[['x', 1.0]], [[1.0, int('9' * 400)]], [[1.0, 1e400]], [[1.0]], 7],
)
def test_a_window_that_is_none_is_no_result(site, window, reading):
    site.link.reading = reading
    worker = done(site, {**TRIAL, 'evidence': {'window': window}})
    with pytest.raises(WorkerFailed, match='load host h1 has no window'):
        worker.outcome()


@pytest.mark.parametrize(
    'evidence',
    [
        {'probe': 7},
        {'probe': {'ops_per_s': 'x'}},
        {'probe': {'ops_per_s': int('9' * 400)}},
        {'created': 'x'},
        {'rewritten': 1e400},
        {'created': [1]},
    ],
)
def test_figures_that_are_none_are_no_result(site, evidence):
    """The Manager counts with them: they ended the run, not the trial."""
    worker = done(site, {**TRIAL, 'evidence': evidence})
    with pytest.raises(WorkerFailed, match='load host h1 .* no number'):
        worker.outcome()


@pytest.mark.parametrize('what', ['other', 'cut', 'bomb', 'none'])
def test_a_result_that_is_not_whole_is_no_result(site, what):
    site.worker.start(site.job)
    site.sync()
    site.says(Hello(PROTOCOL, 1, '3', True))
    site.says(Done('result.json', 5, hashlib.sha256(b'x').hexdigest()))
    if what == 'other':
        site.gives(RESULT_DATA)
    elif what == 'cut':
        site.talk.add([Line(site.worker.name, RESULT, '!!!')])
    elif what == 'bomb':
        site.gives(b'x' * (1 << 20), 4096)
    site.ends()
    site.worker.poll()
    with pytest.raises(WorkerFailed) as failed:
        site.worker.outcome()
    assert failed.value.kind == 'spool'


def test_a_kill_returns_when_the_agent_confirms_it(site):
    site.worker.start(site.job)
    site.sync()
    began = site.clock.now
    site.worker.kill()
    assert site.worker.ended
    assert site.clock.now - began < 1
    with pytest.raises(WorkerFailed) as failed:
        site.worker.outcome()
    assert failed.value.kind == 'stopped'


def test_a_kill_of_a_host_that_is_cut_off_waits_for_its_lease(site):
    site.worker.start(site.job)
    site.sync()
    site.worker.renew(15)
    site.sync()
    site.there = False
    began = site.clock.now
    site.worker.kill()
    assert 15 <= site.clock.now - began < 18
    assert site.worker.ended


def test_an_order_to_end_does_not_wait(site):
    site.worker.start(site.job)
    site.sync()
    began = site.clock.now
    site.worker.halt()
    assert site.clock.now == began
    assert not site.worker.ended


def test_a_host_that_falls_silent_has_lost_its_load(site):
    site.worker.start(site.job)
    site.sync()
    site.says(Hello(PROTOCOL, 1, '3', True))
    site.worker.poll()
    site.there = False
    for _ in range(200):
        site.worker.renew(15)  # the mons answer, the host does not
        site.clock.now += 0.2
        events = site.worker.poll()
        if site.worker.ended:
            break
    assert [type(e) for e in events] == [Ended]
    with pytest.raises(WorkerFailed, match='was not heard of') as failed:
        site.worker.outcome()
    assert failed.value.kind == 'lease'


def test_a_host_that_was_silent_has_time_to_come_back(site):
    site.sync()
    site.clock.now += 40
    site.worker.start(site.job)
    assert site.worker.poll() == []
    site.clock.now += 10
    assert site.worker.poll() == []
    site.sync()
    site.says(Hello(PROTOCOL, 1, '3', True))
    assert [type(e) for e in site.worker.poll()] == [Hello]


def test_a_host_that_comes_back_late_gets_no_keys_and_begins_nothing(site):
    site.sync()
    site.there = False
    site.worker.start(site.job)  # nobody fetches it
    while not site.worker.ended:
        site.worker.poll()
        site.clock.now += 0.2
    site.worker.kill()
    site.worker.discard()
    site.clock.now += 3600
    site.there = True
    site.sync()
    assert [o.what for o in site.orders] == ['kill']
    assert 'SECRET' not in str([o.files for o in site.link._orders])


def test_late_lines_of_a_former_run_are_none_of_its_namesake(site):
    site.worker.start(site.job)
    site.sync()
    former = site.worker.name
    site.worker.kill()
    launcher = RemoteLauncher(
        site.link, str(site.folder / 'spool'), site.clock
    )
    site.worker = launcher.worker('0001-trial')
    site.worker.start(site.job)
    text = event_line(Hello(PROTOCOL, 1, '3', True)).decode().strip()
    told = json.dumps({'code': 0, 'log': ''})
    site.talk.add([Line(former, EVENT, text), Line(former, ENDED, told)])
    site.sync()
    assert site.worker.poll() == []
    assert not site.worker.ended


def test_a_result_that_would_fill_the_managers_memory_is_refused(site):
    data = b'[' + b'[],' * PARTS_MAX + b'[]]'
    site.worker.start(site.job)
    site.sync()
    site.says(Hello(PROTOCOL, 1, '3', True))
    digest = hashlib.sha256(data).hexdigest()
    site.says(Done('result.json', len(data), digest))
    site.gives(data, 4096)
    site.ends()
    site.worker.poll()
    with pytest.raises(WorkerFailed, match='too many parts'):
        site.worker.outcome()


@pytest.mark.parametrize(
    'line',
    [
        b'[' * 100000,
        b'{"event":"beat","wall":1' + b'0' * 400 + b'}',
        b'{"event":"ack","id":1' + b'0' * 400 + b'}',
        b'{"event":"ack","id":-%d}' % (1 << 64),
    ],
)
def test_lines_that_are_deep_or_huge_are_malformed(line):
    with pytest.raises(Malformed):
        parse_event(line)


def test_a_host_that_was_disabled_takes_no_other_worker(site):
    site.link.lose('load host h1 was disabled')
    site.worker.start(site.job)
    assert [type(e) for e in site.worker.poll()] == [Ended]
    with pytest.raises(WorkerFailed, match='disabled'):
        site.worker.outcome()


def test_an_agent_that_starts_nothing_is_given_up(site):
    site.worker.start(site.job)
    site.sync()
    while not site.worker.ended and site.clock.now < 1100:
        site.worker.poll()
        site.clock.wait(0.2)
    with pytest.raises(WorkerFailed, match='started no worker'):
        site.worker.outcome()
    assert site.clock.now < 1025


def test_a_worker_that_died_says_how(site):
    site.worker.start(site.job)
    site.sync()
    site.ends(1, 'Traceback: no space')
    site.worker.poll()
    with pytest.raises(WorkerFailed, match='no space'):
        site.worker.outcome()


@pytest.mark.parametrize('told', ['load', 'lease', 'kill', 'result'])
def test_every_failure_names_its_host(site, told):
    site.worker.start(site.job)
    site.sync()
    if told == 'load':
        site.says(Failed('load', 'rados bench ended with code 1'))
        site.ends(1)
    elif told == 'lease':
        site.ends(-9, f'ending: {LEASE_LOST} within 10 s')
    elif told == 'kill':
        site.worker.halt()
        site.sync()  # the agent does it
    else:
        site.says(Done('result.json', 5, hashlib.sha256(b'x').hexdigest()))
        site.gives(RESULT_DATA)
        site.ends()
    site.sync()
    site.worker.poll()
    assert site.worker.ended
    for asked in (site.worker.result, site.worker.outcome):
        with pytest.raises(WorkerFailed, match='h1') as failed:
            asked()
        assert str(site.folder) not in failed.value.message


@pytest.mark.parametrize(
    'text',
    ['', '[]', '{"code": "x"}', 'null', '[' * 100_000]
    + [
        f'{{"log": "", "code": {code}}}'
        for code in ('Infinity', 'NaN', '1.5', 'true', '"0"', '256', '-1e400')
    ],
)
def test_an_end_that_makes_no_sense_is_an_end(site, text):
    site.worker.start(site.job)
    site.sync()
    site.talk.add([Line(site.worker.name, ENDED, text)])
    site.sync()
    assert site.worker.poll() == [Ended(-1)]
