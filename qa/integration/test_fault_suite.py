"""The short form of the fault suite (qa/faults): a handful of its cells."""

from typing import Iterator

import pytest

from faults.cell import Cells
from faults.cli import SHORT, SOURCE
from faults.fault import REGISTRY
from faults.lab import UP, Lab
from faults.observe import Observer
from faults.results import SURVIVED
from faults.states import BY_NAME

from .provision import Provider, Spec

FAULTS = Spec('faults', UP)
CLUSTER = FAULTS.name
SECONDS = 340


@pytest.fixture(scope='module')
def tried(provider: Provider) -> Iterator[Cells]:
    """Yield what tries cells, on a cluster with three mons and two mgrs."""
    lab = Lab(provider.get(FAULTS).dir, SOURCE)
    lab.arrange()
    lab.wait_well()
    observer = Observer(lab)
    observer.remember()
    yield Cells(lab, observer)
    lab.close()


@pytest.mark.parametrize('state, fault', SHORT)
def test_a_fault_leaves_nothing_and_changes_nothing(
    tried: Cells, state: str, fault: str
) -> None:
    """It ends in the right state, for the right reason, or goes on."""
    result = tried.run(BY_NAME[state], REGISTRY[fault])
    assert result.verdict == SURVIVED, result
