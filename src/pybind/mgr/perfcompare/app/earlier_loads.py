"""What earlier runs showed of the client that a planned load needs."""

from typing import Dict, List, Optional, Tuple

import sqlite3

from ..analysis.evidence import Limits
from ..analysis.hosts_needed import Need, need_of
from ..common.errors import PerfcompareError
from ..model import load
from ..model.plan import RunPlan
from ..model.trial import Trial
from ..store.results import Store
from ..store.thread import DbThread

RUNS = 20  # the newest ones of a group, that are looked at
TRIALS = 40  # the last ones of a run
PATIENCE = 1.0  # seconds


def needs(database: DbThread, plan: RunPlan, fsid: str) -> Tuple[Need, ...]:
    """Return what is known, of those workloads that several hosts can make.

    Each from the newest run of this cluster that has it; nothing where the
    database does not answer at once.
    """
    try:
        return database.call(lambda store: read(store, plan, fsid), PATIENCE)
    except (PerfcompareError, sqlite3.Error):  # the preflight tells of it
        return ()


def read(store: Store, plan: RunPlan, fsid: str) -> Tuple[Need, ...]:
    """Return what is known, as ``needs`` does."""
    names = [
        w.name
        for w in plan.profile.workloads
        if load.of_tool(w.tool).divided and not w.op.facts.alone
    ]
    found: List[Optional[Need]] = []
    trials: Dict[str, Tuple[Trial, ...]] = {}
    for group in plan.groups:
        runs = store.list_runs(RUNS, group=group.name).runs
        here = [run for run in runs if run.fsid == fsid]
        for name in names:
            run = next((r.id for r in here if name in r.workloads), '')
            if not run:
                continue
            if run not in trials:
                first = max(0, store.count_trials(run) - TRIALS)
                trials[run] = store.trials(run, first=first)
            found.append(need_of(trials[run], name, group.name, Limits()))
    return tuple(need for need in found if need is not None)
