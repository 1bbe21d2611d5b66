"""Rows whose operations move unlike numbers of bytes."""

import dataclasses

from ...analysis.comparison import compare
from ...model.workload import RbdShape, WeightedSize
from ..data.comparison_data import Scene, make_workload

W = 'write-4K-c16'
TWO = (WeightedSize(4096, 80.0), WeightedSize(65536, 20.0))


def row_of(**changes):
    """Compare a workload that is changed so."""
    scene = Scene({W: 2.0})
    plan = scene.run.plan
    (workload,) = plan.profile.workloads
    profile = dataclasses.replace(
        plan.profile,
        workloads=(dataclasses.replace(workload, **changes),),
    )
    scene.run = dataclasses.replace(
        scene.run, plan=dataclasses.replace(plan, profile=profile)
    )
    (row,) = compare(scene.side('x86'), scene.side('arm')).rows
    return row


def test_a_row_says_that_its_sizes_are_mixed():
    assert not row_of().mixed_sizes
    assert row_of(write_sizes=TWO).mixed_sizes


def test_sizes_of_reads_and_writes_may_differ():
    plain = make_workload(W)

    def mixed(**changes):
        return dataclasses.replace(plain, **changes).mixed_sizes

    assert not mixed(read_sizes=TWO[:1], write_sizes=TWO[:1])
    assert mixed(read_sizes=TWO[:1], write_sizes=TWO[1:])
    assert not mixed(rbd=RbdShape(images=2))
    assert mixed(rbd=RbdShape(read_size=2 * plain.size))
