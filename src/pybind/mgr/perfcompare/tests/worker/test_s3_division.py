"""An S3 load is divided among hosts: their parts are the whole, apart."""

from typing import List, Set

import random
from dataclasses import fields

import pytest

from perfcompare.worker.loads.s3.fleet import begun, turns_of
from perfcompare.worker.loads.s3.keys import Namer, Population
from perfcompare.worker.runtime.failure import Failure
from perfcompare.worker.wire.s3_jobs import S3Fill, S3Probe, S3Trial
from perfcompare.worker.wire.s3_spec import Objects, Phase, Weighted
from perfcompare.worker.wire.strict import Malformed

from ..data.s3_loads import trial

HOSTS = (1, 2, 3, 5, 7, 8, 9)


def parts_of(whole: S3Trial, hosts: int) -> List[S3Trial]:
    """Return the parts of those hosts that have one."""
    parts = whole.divided(hosts)
    assert len(parts) == hosts
    found = []
    for part in parts:
        if part is not None:
            part.check()
            assert isinstance(part, S3Trial)
            found.append(part)
    return found


@pytest.mark.parametrize('hosts', HOSTS)
def test_the_parts_are_the_whole(hosts: int) -> None:
    parts = parts_of(trial(rate=900.0, objects=77, own=True), hosts)
    assert len(parts) == min(hosts, 8)
    assert [(p.host, p.hosts) for p in parts] == [
        (i, len(parts)) for i in range(len(parts))
    ]
    assert sum(p.concurrency for p in parts) == 8
    assert sum(p.max_objects for p in parts) == 100001
    assert sum(p.rate for p in parts) == pytest.approx(900.0)
    # those of all, of which each takes its own
    assert {p.objects for p in parts} == {77}
    assert {p.seed for p in parts} == {1}


@pytest.mark.parametrize('hosts', HOSTS)
def test_processes_that_were_asked_for_are_dealt_out(hosts: int) -> None:
    parts = parts_of(trial(processes=6), hosts)
    assert len(parts) == min(hosts, 6)
    assert sum(p.processes for p in parts) == 6
    assert min(p.processes for p in parts) > 0


def test_a_fill_has_no_host_without_an_object() -> None:
    whole = trial()
    fill = S3Fill(
        access=whole.access,
        deadline=60.0,
        concurrency=8,
        endpoints=whole.endpoints,
        credentials=whole.credentials,
        bucket='b',
        prefix='4K-',
        objects=2,
        sizes=whole.sizes,
    )
    first, second, third = fill.divided(3)
    assert first is not None and second is not None and third is None


def test_a_gentle_start_is_of_one_host() -> None:
    values = trial()
    probe = S3Probe(
        **{f.name: getattr(values, f.name) for f in fields(values)}
    )
    assert probe.divided(3) == (probe, None, None)


def test_bursts_of_deletes_are_of_one_host() -> None:
    whole = trial(mix=(0.0, 0.0, 0.0, 1.0), objects=100)
    whole.check()
    with pytest.raises(Malformed, match='bursts of deletes'):
        parts_of(whole, 2)


# hosts need not have as many processes


@pytest.mark.parametrize('processes', [(1,), (3,), (1, 2), (2, 1, 4)])
def test_each_object_is_written_by_one_process(processes: List[int]) -> None:
    hosts, seen = len(processes), []
    for host, number in enumerate(processes):
        for first, step, count in turns_of(101, number, host, hosts):
            seen += list(range(first, first + step * count, step))
    assert sorted(seen) == list(range(101))


@pytest.mark.parametrize('processes', [(1,), (3,), (1, 2), (2, 1, 4)])
def test_no_two_processes_have_an_object_in_common(
    processes: List[int],
) -> None:
    objects = Objects('own-', 101, (Weighted(1),))
    hosts, read, made = len(processes), [], []
    for host, number in enumerate(processes):
        for index in range(number):
            namer = Namer('b', objects)
            mine = Population(
                namer,
                namer,
                host + hosts * index,
                hosts * number,
                random.Random(1),
            )
            mine.adopt(101)
            seen: Set[int] = set()
            for _ in range(4000):
                key = mine.read()
                assert key is not None
                seen.add(key.number)
            read += list(seen)
            made += [mine.new().number for _ in range(20)]
    assert sorted(read) == list(range(101))
    assert len(set(made)) == len(made)


# all measure the same seconds


PHASE = Phase('load', (1.0,), 2.0, 10.0)


@pytest.mark.parametrize(
    'late, warmup, duration',
    [
        (-1.0, 2.0, 10.0),
        (0.5, 1.5, 10.0),
        (2.0, 0.0, 10.0),
        (2.25, 0.75, 9.0),
        (4.5, 0.5, 7.0),
    ],
)
def test_who_is_late_measures_whole_seconds_of_the_window(
    late: float, warmup: float, duration: float
) -> None:
    phase, begin = begun(PHASE, 100.0, 100.0 + late)
    assert begin == 100.0 + max(0.0, late)
    assert (phase.warmup, phase.duration) == (warmup, duration)
    assert begin + warmup + duration == 112.0


def test_who_is_too_late_measures_nothing() -> None:
    with pytest.raises(Failure, match=r'began 12\.0 s too late'):
        begun(PHASE, 100.0, 112.0)
