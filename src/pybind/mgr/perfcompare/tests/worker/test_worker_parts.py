"""The worker's parts, one by one."""

from typing import List

import fcntl
import json
import os
import pathlib
import subprocess
import sys
import time
import types

import pytest

from perfcompare.planning.profiles.limits import (
    MAX_CLIENTS,
    MAX_DURATION,
    MAX_WARMUP,
)
from perfcompare.worker.loads.rados.join import SAMPLES_MAX
from perfcompare.worker.loads.rados.trial import poll_period
from perfcompare.worker.runtime import lease
from perfcompare.worker.runtime.failure import (
    keyring_secrets,
    one_line,
    scrub,
)
from perfcompare.worker.runtime.lease import Lease
from perfcompare.worker.runtime.outbox import LIMIT, Outbox
from perfcompare.worker.wire import jobs, protocol, strict
from perfcompare.worker.wire.protocol import Ack, Failed, Hello, Live
from perfcompare.worker.wire.strict import Malformed
from perfcompare.workers.outcomes import OUTCOME_MAX

from ..data.load_jobs import ACCESS, trial

POPULATION = jobs.Population('a', 100, 4096)


def live(ops):
    return Live(1.0, 1.0, 'measure', ops, 1.0, 1.0, None, 1, 0.0, 1)


# jobs and messages


@pytest.mark.parametrize(
    'op, duration, period',
    [('write', 10.0, 0.2), ('rand', 30.0, 0.6), ('write', 600.0, 1.0),
     ('seq', 600.0, 0.2), ('seq', 3590.0, 0.5), ('seq', 14400.0, 1.0)],
)  # fmt: skip
def test_short_trials_are_looked_at_more_often(op, duration, period):
    job = trial(op=op, warmup=10.0, duration=duration)
    assert poll_period(job) == period


@pytest.mark.parametrize('op', jobs.OPS)
def test_what_most_clients_measure_in_the_longest_trial_fits(op):
    seconds = MAX_WARMUP + MAX_DURATION
    job = trial(op=op, warmup=MAX_WARMUP, duration=MAX_DURATION)
    polls = seconds / poll_period(job)
    seen = seconds + (polls if op == 'seq' else 0)  # refined by its polls
    # of several hosts none has more than half of them
    assert seen * MAX_CLIENTS / 2 < SAMPLES_MAX
    # times and sums have up to 18 characters, counts up to 10
    most = seen * (2 * 18 + 2 * 10) + polls * (18 + 10)
    assert most * MAX_CLIENTS < OUTCOME_MAX


@pytest.mark.parametrize(
    'job',
    [
        trial(),
        trial(op='rand', populations=(POPULATION,)),
        jobs.probe_of(trial(clients=2)),
        jobs.Prefill(ACCESS, 4, 9.0, (POPULATION,)),
        jobs.Warm(ACCESS, 4, 9.0, (POPULATION,)),
    ],
)
def test_job_survives_the_journey(job):
    data = json.loads(json.dumps(jobs.job_to_data(job)))
    assert jobs.job_from_data(data) == job


@pytest.mark.parametrize(
    'changes, message',
    [
        (dict(op='append'), "'append' is not one of"),
        (dict(clients=0), 'clients cannot share'),
        (dict(clients=5), 'clients cannot share'),
        (dict(concurrency=0), 'at least 1'),
        (dict(size=0), 'no bytes'),
        (dict(duration=0.5), 'at least 1 s'),
        (dict(deadline=3.0), 'too short'),
        (dict(warmup=-1.0), 'negative'),
        (dict(run_name=''), 'no run name'),
        (dict(run_name='-x'), 'no run name'),
        (dict(max_objects=3), 'below the concurrency'),
        (dict(nice=20), 'nice 20'),
        (dict(op='rand'), '1 clients need as many populations'),
        (
            dict(op='rand', populations=(jobs.Population('a', 3, 4096),)),
            'fewer than 4',
        ),
        (
            dict(op='rand', populations=(jobs.Population('a', 9, 8),)),
            'objects of 8 bytes',
        ),
        (
            dict(access=jobs.Access('ceph.conf', '/k', 'client.x', 'p')),
            'absolute',
        ),
        (
            dict(access=jobs.Access('/c', '/k', 'osd.1', 'p')),
            'name of a client',
        ),
        (dict(access=jobs.Access('/c', '/k', 'client.x', '-p')), 'pool name'),
        (
            dict(access=jobs.Access('/c', '/k', 'client.x', 'p', '-x')),
            'program',
        ),
    ],
)
def test_unsound_jobs_are_refused(changes, message):
    with pytest.raises(Malformed, match=message):
        trial(**changes).check()


@pytest.mark.parametrize(
    'change',
    [
        {'size': '4096'},
        {'size': 4096.0},
        {'size': True},
        {'extra': 1},
        {'duration': float('nan')},
        {'duration': None},
        {'access': 'x'},
        {'kind': 'format'},
        {'populations': 'a'},
    ],
)
def test_job_data_that_does_not_fit_is_refused(change):
    data = dict(jobs.job_to_data(trial()), **change)
    with pytest.raises(Malformed):
        jobs.job_from_data(data)


def test_missing_field_is_named():
    data = jobs.job_to_data(trial())
    del data['concurrency']
    with pytest.raises(Malformed, match="'concurrency' is missing"):
        jobs.job_from_data(data)


def test_probe_is_gentle_and_apart():
    probe = jobs.probe_of(trial(concurrency=64, clients=4), 10.0)
    probe.check()
    assert (probe.clients, probe.concurrency, probe.duration) == (1, 2, 10.0)
    assert probe.run_name == 'w.probe'


def test_concurrency_is_shared_as_evenly_as_possible():
    assert jobs.split(16, 3) == [6, 5, 5]
    assert jobs.split(2, 2) == [1, 1]


@pytest.mark.parametrize(
    'event', [Hello(1, 2, '3.9', True), live(3), Failed('a', 'b'), Ack(1)]
)
def test_event_survives_the_journey(event):
    assert protocol.parse_event(protocol.event_line(event)) == event


@pytest.mark.parametrize(
    'line', [b'', b'[]', b'{"event": "x"}', b'{"event": "ack"}', b'\xff']
)
def test_bad_events_are_refused(line):
    with pytest.raises(Malformed):
        protocol.parse_event(line)


@pytest.mark.parametrize(
    'line',
    [b'{"cmd": "x", "id": 1}', b'{"cmd": "go"}', b'{"cmd": "go", "id": "1"}'],
)
def test_bad_commands_are_refused(line):
    with pytest.raises(Malformed):
        protocol.parse_command(line)


def test_optional_and_nested_values():
    assert strict.decode(Live, strict.encode(live(1))) == live(1)


# secrets


def test_keys_are_scrubbed():
    key = 'AgBy' + 'Zm9v' * 12 + '=='
    assert key not in scrub(f'bad {key}!')
    assert scrub('key = abc') == 'key = ***'
    assert scrub('x hunter2 y', ['hunter2']) == 'x *** y'
    path = '/var/lib/ceph/Aaaaaaaa/bbbbbbbb-cccc-dddd-eeee-ffffffffffff/file'
    assert scrub(path) == path


def test_secrets_are_read_from_the_keyring(tmp_path):
    (tmp_path / 'k').write_text(
        '[client.a]\n\tkey = one\n[client.b]\n key=two\n'
    )
    assert keyring_secrets(str(tmp_path / 'k')) == ['one', 'two']
    assert keyring_secrets(str(tmp_path / 'none')) == []


def test_one_line_keeps_the_end_without_stamps():
    text = '2026-11-20T17:51:00.690+0000 7f5ad70616c0 -1 monclient(hunting): bad\n\nfailed\nfailed\n'
    assert one_line(text) == 'monclient(hunting): bad; failed'
    assert len(one_line('x' * 5000)) == 300


# outbox


def test_full_pipe_blocks_nobody_and_drops_are_counted():
    reader, writer = os.pipe()
    fcntl.fcntl(writer, 1031, 4096)  # F_SETPIPE_SZ
    outbox = Outbox(writer)
    begin = time.monotonic()
    for ops in range(5000):
        outbox.emit(live(ops))
    outbox.emit(Failed('stopped', 'kept'))
    assert time.monotonic() - begin < 2.0
    assert outbox.dropped > 0
    assert not outbox.flush(0.1)
    data = b''
    while b'kept' not in data:
        data += os.read(reader, 65536)
    events = [protocol.parse_event(line) for line in data.splitlines()]
    got = [e.ops for e in events if isinstance(e, Live)]
    assert got == sorted(got) and got[-1] == 4999  # the newest are kept
    assert len(got) + outbox.dropped == 5000
    assert len(got) - got.index(got[-1] - LIMIT + 1) == LIMIT
    assert outbox.flush(1.0)


def test_closed_pipe_is_no_error():
    reader, writer = os.pipe()
    os.close(reader)
    outbox = Outbox(writer)
    outbox.emit(Failed('a', 'b'))
    assert not outbox.flush(1.0) and outbox.broken


# lease


class Leash:
    def __init__(self, ttl):
        self.reader, self.writer = os.pipe()
        self.commands, self.answers, self.reasons = [], [], []
        self.lease = Lease(
            self.reader,
            self.commands.append,
            self.answers.append,
            self.reasons.append,
            ttl,
        )
        self.lease.start()

    def say(self, **command):
        os.write(self.writer, json.dumps(command).encode() + b'\n')


def test_lease_is_lost_without_renewal():
    leash = Leash(0.3)
    leash.lease.join(10.0)
    assert 'not renewed within 0.3 s' in leash.reasons[0]


def test_lease_is_lost_when_the_manager_is_gone():
    leash = Leash(30)
    os.close(leash.writer)
    leash.lease.join(10.0)
    assert 'Manager is gone' in leash.reasons[0]


def test_lease_lives_while_it_is_renewed_and_passes_commands_on():
    leash = Leash(2.0)
    for ident in range(16):
        leash.say(cmd='lease', id=ident, ttl=2.0)
        time.sleep(0.15)
    assert not leash.reasons
    leash.say(cmd='go', id=9)
    leash.say(cmd='nonsense', id=10)
    leash.say(cmd='lease', id=11, ttl=1e9)
    leash.lease.join(10.0)
    assert leash.commands == [{'cmd': 'go', 'id': 9}]
    assert 'unknown command' in leash.answers[0].error
    assert leash.answers[1].id == 11
    assert leash.reasons


def test_a_lease_that_is_over_is_not_renewed(monkeypatch):
    """A machine that was frozen finds a renewal that came before."""
    times = [0.0]

    def freeze(*_):
        times[0] += 60.0
        return [0], [], []

    monkeypatch.setattr(lease, 'now', lambda: times[0])
    monkeypatch.setattr(lease, 'select', types.SimpleNamespace(select=freeze))
    reader, writer = os.pipe()
    os.write(writer, b'{"cmd":"lease","id":1,"ttl":30.0}\n')
    os.close(writer)
    made = Lease(reader, print, print, print, 30.0)
    assert 'not renewed within 30 s' in made._watch()


# the program as such


def imported(code: str) -> List[str]:
    """Return what a process has imported that runs some lines."""
    done = subprocess.run(
        [sys.executable, '-E', '-s', '-B', '-c']
        + [f'{code}\nimport sys\nprint(*sys.modules)'],
        cwd=pathlib.Path(__file__).parents[2],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


@pytest.mark.process
def test_worker_needs_nothing_of_the_manager():
    found = imported(
        'import worker.supervisor\n'
        'from worker.gateway import zonerun\n'
        'from worker.loads.rados import join, populations, trial\n'
        'from worker.loads.rbd import bench, fill, join, trial\n'
        'from worker.loads.s3 import buckets, join, run\n'
        'from worker.loads.warp import run\n'
        'from worker.scrape import run'
    )
    bad = {'perfcompare', 'models', 'codec', 'numpy'}
    assert not [m for m in found if m.split('.')[0] in bad]


@pytest.mark.process
def test_a_worker_imports_no_load_before_it_knows_its_job():
    rooms = ('worker.loads', 'worker.gateway', 'worker.scrape')
    found = imported('import worker.supervisor')
    assert 'worker.wire.jobs' in found
    assert not [m for m in found if m.startswith(rooms)]


def test_no_module_of_the_package_hides_one_of_the_library():
    folder = pathlib.Path(__file__).parents[2]
    names = {name.partition('.')[0] for name in os.listdir(folder)}
    assert not names & set(getattr(sys, 'stdlib_module_names', ()))


@pytest.mark.process
@pytest.mark.parametrize(
    'command, message',
    [
        ({'protocol': 99}, 'speaks protocol 99'),
        ({'protocol': 1, 'job': {}}, 'kind None'),
        (
            {'protocol': 1, 'job': jobs.job_to_data(trial()), 'spool': '/'},
            'not a private folder',
        ),
        (
            {'protocol': 1, 'job': jobs.job_to_data(trial()), 'spool': 'x'},
            'not an absolute path',
        ),
    ],
)
def test_worker_refuses_what_it_cannot_do(command, message):
    folder = pathlib.Path(__file__).parents[2]
    with subprocess.Popen(
        [sys.executable, '-E', '-s', '-B', '-m', 'worker'],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
    ) as process:
        process.stdin.write(
            json.dumps(dict(command, cmd='prepare', id=1)).encode() + b'\n'
        )
        process.stdin.flush()
        events = [protocol.parse_event(line) for line in process.stdout]
        assert process.wait(10) == 1
    assert (
        isinstance(events[0], Hello)
        and events[0].protocol == protocol.PROTOCOL
    )
    assert isinstance(events[-1], Failed) and message in events[-1].error
