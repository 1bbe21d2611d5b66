"""Jobs on images with real workers, and stand-ins for fio and rbd."""

import json
import os
import re
import signal
import sys
import time

import pytest

from perfcompare.worker.wire.protocol import Ended, Started
from perfcompare.worker.wire.rbd_jobs import (
    Image,
    RbdPrefill,
    RbdProbe,
    RbdTrial,
    RbdWarm,
    probe_of,
)
from perfcompare.workers.outcomes import WorkerFailed

from ..fakes.worker_site import HERE, SECRET, Site, alive, drive, follow, gone

pytestmark = pytest.mark.process

MIB = 1 << 20
IMAGES = (Image('i.0', 8 * MIB), Image('i.1', 8 * MIB))


class Images(Site):
    """A site whose fio and rbd are stand-ins."""

    def __init__(self, path):
        super().__init__(path)
        self.store = path / 'store'
        for name in ('fio', 'rbd'):
            program = path / name
            program.write_text(
                f'#!/bin/sh\nexec {sys.executable} -S {HERE}/images.py '
                f'{self.store} {name} "$@"\n'
            )
            program.chmod(0o755)

    def set(self, **settings):
        super().set()
        folder = self.path / 'store'
        folder.mkdir(exist_ok=True)
        both = {'together': len(IMAGES), **settings}
        (folder / 'set.json').write_text(json.dumps(both))

    def job(self, cls, **changes):
        values = dict(
            access=self.access,
            concurrency=4,
            deadline=30.0,
            images=IMAGES,
            fio=str(self.path / 'fio'),
            rbd=str(self.path / 'rbd'),
        )
        return cls(**{**values, **changes})

    def trial(self, **changes):
        values = dict(
            op='rbd-randread', read_size=4096, duration=2.0, warmup=0.5
        )
        return self.job(RbdTrial, **{**values, **changes})

    def done(self, job):
        worker = self.worker()
        drive(worker, job)
        return worker.outcome()

    def filled(self):
        """Have images as a prefill leaves them."""
        self.store.mkdir(exist_ok=True)
        for image in IMAGES:
            (self.store / image.name).write_text(
                json.dumps(
                    {
                        'size': image.size,
                        'object_size': 4 * MIB,
                        'data_pool': '',
                        'mark': f'{image.size} {4 * MIB} - - 0',
                    }
                )
            )

    def asked(self, word):
        with open(self.store / 'asked') as file:
            return [line for line in file if line.startswith(word)]


@pytest.fixture
def site(tmp_path):
    return Images(tmp_path)


def failed(site, job, **settings):
    site.set(**settings)
    worker = site.worker()
    drive(worker, job)
    with pytest.raises(WorkerFailed) as caught:
        worker.outcome()
    assert gone(site.pids())
    assert '\n' not in caught.value.message
    assert '\x1b' not in caught.value.message
    return caught.value


def test_images_are_made_written_and_kept(site):
    first = site.done(site.job(RbdPrefill, data_pool='data'))
    rows = [(p.run_name, p.objects, p.kept) for p in first.populations]
    assert rows == [('i.0', 2, False), ('i.1', 2, False)]
    assert len(site.asked('create')) == 2
    again = site.done(site.job(RbdPrefill, data_pool='data'))
    assert [p.kept for p in again.populations] == [True, True]
    assert len(site.asked('create')) == 2
    warm = site.done(site.job(RbdWarm, data_pool='data'))
    assert [p.kept for p in warm.populations] == [False, False]


def test_data_that_compresses_otherwise_is_written_anew(site):
    site.done(site.job(RbdPrefill))
    other = site.done(site.job(RbdPrefill, compress=50))
    assert [p.kept for p in other.populations] == [False, False]
    assert len(site.asked('create')) == 2


def test_a_fill_that_was_cut_is_done_again(site):
    error = failed(site, site.job(RbdPrefill), mode='half')
    assert error.kind == 'population' and '4194304 of 8388608' in str(error)
    site.set()
    assert not site.done(site.job(RbdPrefill)).populations[0].kept


def test_an_image_of_another_size_is_not_written(site):
    site.filled()
    other = (Image('i.0', 16 * MIB), IMAGES[1])
    error = failed(site, site.job(RbdPrefill, images=other))
    assert error.kind == 'population' and '8388608' in str(error)


def test_a_trial_has_all_figures(site):
    site.filled()
    site.set(rate=500)
    outcome = site.done(site.trial())
    summary = outcome.summary
    assert summary.ops_per_s == pytest.approx(1000, rel=0.05)
    assert summary.bytes_per_s == pytest.approx(4096e3, rel=0.05)
    assert summary.latency_avg == pytest.approx(0.002)
    assert summary.percentiles['p99'] == pytest.approx(0.002, rel=0.01)
    assert summary.window == pytest.approx(2.0, abs=0.3)
    assert len(summary.windows) == 6 and summary.errors == 0
    assert summary.client_cores is not None
    assert outcome.tools == {'fio': 'fio-3.41', 'librbd': '20.2.4 fake'}
    held = outcome.evidence['operations']
    assert list(held) == ['read']
    assert held['read']['ops_per_s'] == pytest.approx(summary.ops_per_s)
    assert outcome.evidence['concurrency'] == [2, 2]
    assert abs(outcome.evidence['log_discrepancy']) < 0.05
    assert outcome.kind == 'rbd-trial'


def test_a_mix_shows_both_directions(site):
    site.filled()
    site.set(rate=400)
    outcome = site.done(
        site.trial(op='rbd-randrw', read_share=50, write_size=8192)
    )
    held = outcome.evidence['operations']
    for name, size in (('read', 4096), ('write', 8192)):
        assert held[name]['ops_per_s'] == pytest.approx(400, rel=0.06)
        assert held[name]['bytes_per_s'] == pytest.approx(
            held[name]['ops_per_s'] * size
        )
    total = sum(row['bytes_per_s'] for row in held.values())
    assert outcome.summary.bytes_per_s == pytest.approx(total)


def test_a_probe_is_a_trial_of_one_image(site):
    site.filled()
    site.set(together=1)
    probe = probe_of(site.trial(), 1.0)
    assert isinstance(probe, RbdProbe)
    outcome = site.done(probe)
    assert outcome.evidence['images'] == ['i.0']


def test_a_rate_is_called_what_it_is(site):
    site.filled()
    outcome = site.done(site.trial(rate=100.0))
    assert any('closed above the iodepth' in n for n in outcome.notes)


def test_errors_are_counted_and_named(site):
    site.filled()
    site.set(errors=3, code=1)
    outcome = site.done(site.trial())
    assert outcome.summary.errors == 6
    assert outcome.evidence['errors'] == {'read EIO': 6}


def test_the_key_is_nowhere_but_in_its_file(site):
    site.filled()
    site.set()
    worker = site.worker()
    drive(worker, site.trial(duration=5.0), Started)
    time.sleep(1.0)
    for pid in site.pids():
        for name in ('cmdline', 'environ'):
            try:
                with open(f'/proc/{pid}/{name}', 'rb') as file:
                    assert SECRET.encode() not in file.read()
            except (FileNotFoundError, ProcessLookupError):
                pass
    seen = 0
    for folder, _, names in os.walk(site.path / 'run'):
        for name in names:
            path = os.path.join(folder, name)
            if name.endswith(('.fio', '.conf')):
                seen += 1
                assert not os.stat(path).st_mode & 0o077
                with open(path) as file:
                    assert SECRET not in file.read()
    assert seen == 4
    worker.kill()


def test_an_image_that_was_not_written_is_not_read(site):
    error = failed(site, site.trial())
    assert error.kind == 'population' and 'does not exist' in str(error)


@pytest.mark.parametrize(
    'settings, kind, message',
    [
        ({'engine': 'x'}, 'tool', 'no rbd engine: install fio with'),
        ({'engine_code': 1}, 'tool', 'no rbd engine'),
        ({'mode': 'garbage'}, 'load', 'cannot be read: TypeError'),
        ({'mode': 'cut'}, 'load', 'cannot be read'),
        ({'mode': 'none'}, 'load', 'no operation ended well'),
        (
            {'mode': 'none', 'errors': 9},
            'load',
            '9 failed, the first with EIO',
        ),
        ({'mode': 'early'}, 'short', 'only 0.'),
        (
            {'mode': 'fail', 'stderr': 'rbd_open failed.'},
            'load',
            'failed with code 1: rbd_open failed.',
        ),
        (
            {'mode': 'fail', 'stderr': 'monclient: authenticate timed out'},
            'access',
            'authenticate timed out',
        ),
    ],
)
def test_what_goes_wrong_is_one_clear_line(site, settings, kind, message):
    site.filled()
    error = failed(site, site.trial(), **settings)
    assert error.kind == kind
    assert message in error.message


def test_a_missing_fio_says_what_to_install(site):
    error = failed(site, site.trial(fio='no-such-fio'))
    assert error.kind == 'tool'
    assert 'install fio with its rbd engine' in error.message


def test_encryption_needs_a_fio_that_can(site):
    error = failed(site, site.job(RbdPrefill, encryption='luks2'))
    assert error.kind == 'tool' and 'rbd_encryption_format' in error.message
    site.set(engine='rbdname\nrbd_encryption_format')
    site.done(site.job(RbdPrefill, encryption='luks2'))
    assert len(site.asked('encryption format p/i.0 luks2')) == 1
    error = failed(site, site.trial(encryption=''))
    assert error.kind == 'population' and 'luks2' in error.message


def loading(site, count):
    end = time.monotonic() + 60
    while time.monotonic() < end:
        pids = [p for p in site.pids() if alive(p)]
        if len(pids) >= count:
            return pids
        time.sleep(0.02)
    raise AssertionError('no load')


def test_a_load_that_hangs_ends_at_the_deadline(site):
    site.filled()
    error = failed(site, site.trial(deadline=10.0), mode='hang')
    assert error.kind == 'deadline' and 'osd.3' in error.message


def test_a_killed_fio_fails_the_trial_and_ends_the_others(site):
    site.filled()
    site.set()
    worker = site.worker()
    drive(worker, site.trial(duration=20.0), Started)
    pids = loading(site, 2)
    os.kill(pids[0], signal.SIGKILL)
    follow(worker, Ended)
    assert gone(pids)
    with pytest.raises(WorkerFailed, match='killed by signal 9'):
        worker.outcome()


def test_stop_ends_all(site):
    site.filled()
    site.set()
    worker = site.worker()
    drive(worker, site.trial(duration=20.0), Started)
    pids = loading(site, 2)
    worker.stop()
    follow(worker, Ended)
    assert gone(pids)
    with pytest.raises(WorkerFailed, match='stopped on request'):
        worker.outcome()


def test_rbd_bench_does_without_fio(site):
    bench = dict(tool='rbd-bench', fio='no-such-fio')
    site.done(site.job(RbdPrefill, **bench))
    site.done(site.job(RbdWarm, **bench))
    outcome = site.done(site.trial(duration=4.0, **bench))
    assert outcome.summary.ops_per_s == pytest.approx(1000, rel=0.05)
    assert outcome.summary.latency_avg == pytest.approx(0.002, rel=0.01)
    assert outcome.summary.percentiles == {}
    assert outcome.summary.latency_max is None
    assert 'percentiles and the maximum are not available' in str(
        outcome.notes
    )
    assert list(outcome.tools) == ['rbd']
    error = failed(site, site.trial(duration=2.0, **bench), mode='garbage')
    assert re.search(
        r'rbd bench on image i\.[01] printed no result', error.message
    )
