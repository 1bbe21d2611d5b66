"""Jobs on images: what is sound, and what is refused with a reason."""

import dataclasses

import pytest

from ...worker.loads.rbd import jobfile
from ...worker.wire.jobs import job_from_data, job_to_data
from ...worker.wire.rbd_jobs import (
    Image,
    RbdPrefill,
    RbdProbe,
    RbdWarm,
    probe_of,
)
from ...worker.wire.strict import Malformed
from ..data.rbd_jobs import ACCESS, MIB, TRIAL


def make(**changes):
    return dataclasses.replace(TRIAL, **changes)


@pytest.mark.parametrize(
    'job',
    [
        TRIAL,
        make(op='rbd-read', read_share=0, write_size=0),
        make(data_pool='pc-r1-data', encryption='luks2'),
        make(
            write_size=4096,
            distribution='zipf:0.9',
            random_share=80,
            compress=50,
        ),
        make(
            op='rbd-randread',
            read_share=0,
            distribution='pareto:0.2',
            rate=400.0,
            seed=0,
        ),
        make(op='rbd-write', read_share=0, tool='rbd-bench'),
        RbdPrefill(ACCESS, 4, 60.0, images=TRIAL.images, compress=50),
        RbdWarm(ACCESS, 4, 60.0, images=TRIAL.images),
        probe_of(TRIAL),
    ],
)
def test_a_job_arrives_as_it_was_sent(job):
    assert job_from_data(job_to_data(job)) == job


@pytest.mark.parametrize(
    'changes, message',
    [
        ({'images': ()}, '0 images'),
        ({'images': (Image('a', MIB),)}, 'are not within 4194304'),
        ({'images': (Image('../a', 64 * MIB),)}, 'not the name of an image'),
        ({'images': (Image('a\nrw=x', 64 * MIB),)}, 'not the name of an im'),
        (
            {'images': (Image('a', 8 * MIB + 512),)},
            'not a multiple of 1048576',
        ),
        ({'images': TRIAL.images[:1] * 2}, 'named twice'),
        ({'data_pool': 'a pool'}, 'not a pool name'),
        ({'object_size': 3 * MIB}, 'not a power of two'),
        ({'encryption': 'luks9'}, 'not an encryption'),
        ({'concurrency': 0}, 'at least 1'),
        ({'concurrency': 1}, '2 images cannot share a concurrency of 1'),
        ({'concurrency': 9000}, 'more than 4096'),
        ({'op': 'rbd-trim'}, 'not one of'),
        ({'read_size': 0}, 'a read of 0 bytes'),
        ({'read_size': 4000}, 'multiple of 512'),
        ({'write_size': 128 * MIB}, 'a write of'),
        ({'read_share': 0}, 'a read share of 0 %'),
        ({'op': 'rbd-randread'}, 'a read share of 70 % of rbd-randread'),
        ({'duration': 0.5}, 'at least 1 s'),
        ({'warmup': -1.0}, 'negative'),
        ({'deadline': 30.0}, 'too short'),
        ({'rate': 1.0}, 'below 1/s for each of 2 images'),
        ({'rate': -5.0}, 'below 1/s'),
        ({'random_share': 101}, 'a random share of 101 %'),
        (
            {'op': 'rbd-rw', 'random_share': 80},
            'a random share of 80 % of rbd-rw',
        ),
        ({'distribution': 'zipf:1.2'}, 'of one size, not of 4096 and 8192'),
        ({'op': 'rbd-rw', 'distribution': 'zipf:1.2'}, 'needs a random'),
        ({'distribution': 'normal:5'}, 'not one of uniform, zipf'),
        ({'distribution': 'zipf:1.0'}, 'and not 1'),
        ({'distribution': 'pareto:1.5'}, 'above 0 and below 1'),
        ({'distribution': 'zipf:0.9\nexec_prerun=x'}, 'not one of uniform'),
        ({'compress': 101}, 'compresses by 101 %'),
        (
            {'op': 'rbd-read', 'read_share': 0, 'compress': 50},
            'for what writes',
        ),
        ({'seed': -1}, 'not a seed'),
        ({'tool': 'dd'}, "'dd' is not one of"),
        ({'tool': 'rbd-bench'}, 'install fio'),
        (
            {
                'op': 'rbd-read',
                'read_share': 0,
                'tool': 'rbd-bench',
                'encryption': 'luks2',
            },
            'rbd bench has no encryption',
        ),
        ({'fio': '--help'}, 'not a program'),
    ],
)
def test_what_cannot_be_right_is_refused(changes, message):
    with pytest.raises(Malformed, match=message):
        make(**changes).check()


def test_a_probe_is_gentle():
    probe = probe_of(make(rate=900.0))
    assert isinstance(probe, RbdProbe)
    assert (probe.concurrency, len(probe.images)) == (2, 1)
    assert (probe.warmup, probe.duration) == (0.0, 10.0)
    probe.check()


@pytest.mark.parametrize(
    'values, told',
    [
        ({'rate': 900.0}, [630, 270]),
        # of two images with one of each direction, at least
        ({'rate': 4.0, 'read_share': 50}, [2, 2]),
        ({'rate': 5.0, 'op': 'rbd-read', 'read_share': 0}, [5, 0]),
        ({}, None),
    ],
)
def test_a_probe_has_the_rate_of_its_trial(values, told):
    probe = probe_of(make(**values))
    probe.check()
    options = jobfile.trial(probe, 0, 'i0')
    assert options.get('rate_iops') == (told and ','.join(map(str, told)))
