"""A load on images by several hosts: divided, and put together again."""

import dataclasses
import json

import pytest

from ...worker.loads.rbd import jobfile
from ...worker.loads.rbd.figures import Figures, ImageLoad
from ...worker.loads.rbd.join import join_run
from ...worker.loads.rbd.output import Load, Row
from ...worker.loads.rbd.telling import told
from ...worker.runtime.failure import Failure
from ...worker.wire.jobs import job_from_data, job_to_data
from ...worker.wire.join_jobs import HostResult, join_of
from ...worker.wire.rbd_jobs import Image, RbdPrefill, probe_of
from ..data.fio_results import Run
from ..data.rbd_jobs import ACCESS, MIB, TRIAL

IMAGES = tuple(Image(f'image-{n}', 64 * MIB) for n in range(5))
WHOLE = dataclasses.replace(
    TRIAL, images=IMAGES, concurrency=17, rate=1001.0, warmup=2.0, seed=7
)
CLIENT = {
    'host_busy': 0.5,
    'client_cores': 1.0,
    'client_thread_cores': 0.5,
    'host_cores': 4,
}


# how a job is divided


@pytest.mark.parametrize('hosts', [1, 2, 3, 5, 7])
@pytest.mark.parametrize('op', ['rbd-randrw', 'rbd-randwrite'])
def test_each_image_is_loaded_as_by_one_host(hosts, op):
    mixed = op == 'rbd-randrw'
    whole = dataclasses.replace(WHOLE, op=op, read_share=70 if mixed else 0)
    expected = [jobfile.trial(whole, n, 'x') for n in range(5)]
    found = []
    parts = [part for part in whole.divided(hosts) if part is not None]
    for part in parts:
        part.check()
        assert part.hosts == min(hosts, 5) == len(parts)
        found += [
            jobfile.trial(part, n, 'x') for n in range(len(part.images))
        ]
    rates = []
    for one, other in zip(found, expected):
        rates.append(one.pop('rate_iops').split(','))
        other.pop('rate_iops')
        assert one == other
    assert sum(int(n) for pair in rates for n in pair) == 1001


def test_a_rate_that_is_just_enough_can_be_shared():
    whole = dataclasses.replace(
        WHOLE, images=IMAGES[:3], read_share=70, rate=10.0
    )
    whole.check()
    for part in whole.divided(2):
        part.check()


def test_images_are_written_by_the_host_that_loads_them():
    fill = RbdPrefill(ACCESS, 8, 60.0, images=IMAGES)
    for part, loaded in zip(fill.divided(3), WHOLE.divided(3)):
        assert part.images == loaded.images
        part.check()
    assert sum(part.concurrency for part in fill.divided(3)) == 8
    few = RbdPrefill(ACCESS, 2, 60.0, images=IMAGES).divided(3)
    assert [p and p.concurrency for p in few] == [1, 1, None]


def test_a_probe_is_made_by_one_host():
    first, *others = probe_of(WHOLE).divided(3)
    assert first.images == IMAGES[:1] and first.hosts == 1
    assert others == [None, None]


# how results are put together


@pytest.fixture
def together(tmp_path):
    """Return what hosts told, and what makes one result of it."""
    whole = dataclasses.replace(
        WHOLE, rate=0.0, duration=10.0, warmup=2.0, deadline=60.0
    )
    # fio counts from the end of its warm-up on
    began = [1002.5, 1002.6, 1002.5, 1002.7, 1002.5]
    runs = [
        Run(tmp_path, at, 10.0, {'read': 500, 'write': 200}, seed=n, name=n)
        for n, at in enumerate(began)
    ]
    images = [
        ImageLoad(f'fio on image image-{n}', 3, run.load)
        for n, run in enumerate(runs)
    ]

    class Together:
        job = whole
        ahead = [0.0, 5.0]

        def __init__(self):
            parts = ((0, 3), (3, 5))
            self.data = []
            for (low, high), ahead in zip(parts, self.ahead):
                held = [
                    image._replace(load=moved(image.load, -ahead))
                    for image in images[low:high]
                ]
                names = [i.name for i in IMAGES[low:high]]
                part = Figures(whole, held).result(
                    CLIENT,
                    {'told': told(names, held), 'clients': [{'cores': 1.0}]},
                )
                self.data.append(json.loads(json.dumps(part)))

        def alone(self):
            return Figures(whole, images).result(CLIENT, {})

        def joined(self):
            results = []
            for n, data in enumerate(self.data):
                path = tmp_path / f'{n}.json'
                path.write_text(json.dumps(data))
                results.append(
                    HostResult(f'h{n}', str(path), self.ahead[n], 0.001)
                )
            job = join_of(whole, 60.0, 1000.0, tuple(results))
            run = join_run(job_from_data(job_to_data(job)))
            run.prepare()
            return run.run()

    return Together()


def moved(load: Load, seconds: float) -> Load:
    """Return a load as a host tells it whose clock is another."""
    return dataclasses.replace(
        load,
        started=load.started + seconds,
        rows={
            name: [Row(r.at + seconds, r.ops, r.waited) for r in rows]
            for name, rows in load.rows.items()
        },
    )


def test_two_hosts_have_the_figures_of_one(together):
    """All of them: rates, both directions, percentiles, the series."""
    one, two = together.alone(), together.joined()
    for found in (one, two):
        assert found['summary']['ops_per_s'] == pytest.approx(3500, rel=0.01)
    for key, value in one['summary'].items():
        if key == 'windows':
            value = pytest.approx(value, rel=1e-3)
        elif isinstance(value, float):
            value = pytest.approx(value, rel=1e-4)
        assert two['summary'][key] == value, key
    for key in ('operations', 'histograms', 'errors'):
        first, second = one['evidence'][key], two['evidence'][key]
        if key == 'operations':
            for name, row in first.items():
                assert second[name]['percentiles'] == row['percentiles']
                assert second[name]['ops'] == row['ops']
        else:
            assert first == second
    assert two['started'] == pytest.approx(one['started'], abs=1e-3)
    assert len(two['series']['ops']) == len(one['series']['ops'])
    assert 'told' not in json.dumps(two)


def test_each_host_has_its_share_and_its_clock(together):
    first, second = together.joined()['evidence']['hosts']
    assert first['share'] == pytest.approx(0.6, abs=0.01)
    assert second['share'] == pytest.approx(0.4, abs=0.01)
    assert first['ops_per_s'] + second['ops_per_s'] == pytest.approx(
        3500, rel=0.01
    )
    assert second['clock_ahead'] == -5.0
    assert first['late'] == pytest.approx(0.5, abs=0.01)


def test_a_clock_that_is_off_is_named(together):
    notes = ' '.join(together.joined()['notes'])
    assert "h1 is 5 s behind the Manager's" in notes


def lost(rows):
    del rows[0]


def twice(rows):
    rows[1]['image'] = rows[0]['image']


def foreign(rows):
    rows[0]['image'] = 'image-9'


def deep(rows):
    rows[0]['depth'] = 1 << 40


def backwards(rows):
    rows[0]['rows']['read'].reverse()


def negative(rows):
    rows[0]['rows']['read'][0][1] = -1


def endless(rows):
    rows[0]['seconds'] = 1e300


def binless(rows):
    rows[0]['sides']['read']['lat_ns']['bins'] = {'-1': 3}


def sideways(rows):
    rows[0]['sides']['trim'] = rows[0]['sides']['read']


def unreasonable(rows):
    rows[0]['reason'] = 'E\x1b[31m'


def more(rows):
    rows[0]['extra'] = 1


def short(rows):
    rows[0]['rows']['read'][0] = [1.0]


def early(rows):
    rows[0]['started'] = -5.0


@pytest.mark.parametrize(
    'wrong',
    [
        lost,
        twice,
        foreign,
        deep,
        backwards,
        negative,
        endless,
        binless,
        sideways,
        unreasonable,
        more,
        short,
        early,
    ],
)
def test_what_a_host_cannot_have_measured_is_refused(together, wrong):
    wrong(together.data[0]['evidence']['told'])
    with pytest.raises(Failure, match='cannot be used'):
        together.joined()


@pytest.mark.parametrize('value', [None, [], {}, 'x', [1]])
def test_what_is_no_list_of_images_is_refused(together, value):
    together.data[1]['evidence']['told'] = value
    with pytest.raises(Failure, match='load host h1 cannot be used'):
        together.joined()


def test_hosts_that_measured_at_other_times_have_no_trial(together):
    for row in together.data[1]['evidence']['told']:
        row['started'] += 4.0
        for rows in row['rows'].values():
            for line in rows:
                line[0] += 4.0
    with pytest.raises(Failure, match='did not measure at the same time'):
        together.joined()
