"""Tests of what a run holds in memory while it goes on."""

from perfcompare.execution.run import Execution

from ..fakes import running

folder = running.folder
cluster = running.cluster
rig = running.rig


def test_a_run_holds_no_evidence_of_its_trials(rig, monkeypatch):
    """With thousands of OSDs it is megabytes for each trial."""
    held = []
    close = Execution.close

    def closed(execution):
        held.extend(execution._finished)
        close(execution)

    monkeypatch.setattr(Execution, 'close', closed)
    detail = rig.execute()
    assert len(held) == len(detail.trials) > 0
    assert all(t.evidence and len(t.manifest) > 1 for t in detail.trials)
    assert all(t.evidence == {} for t in held)
    assert all(list(t.manifest) == ['client_host'] for t in held)
