"""CLIENT: how many load hosts a load needs, by what was measured before."""

from typing import Any, Dict, List, Optional, Sequence

import dataclasses

import pytest

from ...analysis.evidence import Limits
from ...analysis.hosts_needed import Need, need_of
from ...app.earlier_loads import read
from ...guard.checks.finding import CheckContext, Severity
from ...guard.checks.load_host import enough
from ...model.run import RunState
from ...model.trial import Trial, TrialState
from ...store.results import FileDatabase, Store
from ...store.rows import TrialRecord
from ..data.guard_data import facts_of, two_groups
from ..data.run_data import (
    FSID,
    WORKLOADS,
    make_run,
    make_summary,
    make_trial,
)
from ..fakes.cluster import FakeCluster

NAME = WORKLOADS[0]


def trial(
    busy: Optional[float],
    hosts: int = 1,
    osds: Sequence[float] = (),
    throttled: Optional[float] = None,
    **changes: Any,
) -> Trial:
    """Return one whose client was so busy, and the hosts of its OSDs."""
    summary = dataclasses.replace(
        make_summary(), ops_per_s=1000.0, host_busy=busy
    )
    client: Dict[str, Any] = {'throttled': throttled}
    if hosts > 1:
        client['hosts'] = [{'host': f'load-{n}'} for n in range(hosts)]
    evidence = {
        'client': client,
        'hosts': {
            'load-0': {'roles': ['client'], 'cpu_busy': 0.99},
            **{
                f'x86-{n}': {'roles': ['osd'], 'cpu_busy': value}
                for n, value in enumerate(osds)
            },
        },
    }
    changes = {'group': 'x86', **changes}
    found: Trial = make_trial(summary=summary, evidence=evidence, **changes)
    return found


def need(*trials: Trial) -> Optional[Need]:
    return need_of(trials, NAME, 'x86', Limits())


@pytest.mark.parametrize(
    'one, limited, wanted',
    [
        (trial(0.40), False, 1),
        (trial(0.60, hosts=4), False, 3),
        (trial(0.96), True, None),
        # 0.96 / 0.8 of a host's limit for a quarter of what OSDs can do
        (trial(0.96, osds=(0.2, 0.25)), True, 5),
        (trial(0.96, hosts=2, osds=(0.5,)), True, 5),
        (trial(0.10, throttled=0.5, osds=(0.8,)), True, 3),
        (trial(0.96, osds=(0.0,)), True, None),
    ],
)
def test_hosts_that_are_no_limit(
    one: Trial, limited: bool, wanted: Optional[int]
) -> None:
    found = need(one)
    assert found is not None
    assert (found.limited, found.wanted) == (limited, wanted)


@pytest.mark.parametrize(
    'trials',
    [
        [],
        [trial(None)],
        [trial(0.96, round=0)],
        [trial(0.96, state=TrialState.VOID)],
        [trial(0.96, group='arm')],
        [trial(0.96, workload='other')],
        [trial(0.96, manifest={'client_local_osds': [3]})],
    ],
)
def test_what_was_not_measured_is_not_known(trials: List[Trial]) -> None:
    assert need(*trials) is None


def test_hosts_that_wrote_between_deletes_do_not_say_what_is_left() -> None:
    one = trial(0.96, osds=(0.2,))
    one.evidence['client']['between'] = 9.0
    found = need(one)
    assert found is not None and found.limited and found.wanted is None


# what preflight says


def said(*needs: Need) -> List[str]:
    cluster = FakeCluster()
    plan = two_groups(cluster)
    facts = dataclasses.replace(facts_of(cluster, plan), needs=needs)
    found = enough(CheckContext(facts, plan))
    assert all(f.severity is Severity.WARN for f in found)
    return [f.message for f in found]


def known(used: float, busy: Optional[float] = None, hosts: int = 1) -> Need:
    return Need(NAME, 'x86', '0a1b', hosts, 12345.6, used, busy)


def test_enough_hosts_are_not_spoken_of() -> None:
    assert said() == [] and said(known(0.5), known(0.9)) == []


def test_the_greatest_need_is_told() -> None:
    (text,) = said(known(1.1, 0.9), known(1.2, 0.3), known(1.2))
    assert text == (
        'write-4K-c16 on x86: in run 0a1b 1 host made 12,346 op/s, which was '
        "the limit; the OSDs' hosts were 30% busy at most: about 3 more than "
        '1 are needed'
    )


def test_load_of_more_hosts_before() -> None:
    (text,) = said(known(0.45, hosts=4))
    assert text.endswith(
        '4 hosts made 12,346 op/s: about 1 more than 1 is needed'
    )


def test_how_many_is_not_invented() -> None:
    (text,) = said(known(1.2))
    assert 'how many is not known' in text


# where it comes from


def test_the_newest_run_of_this_cluster_counts() -> None:
    store = Store(FileDatabase())
    for number, (run, busy, fsid) in enumerate(
        [
            ('0000000a', 0.9, FSID),
            ('0000000b', 0.4, FSID),
            ('0000000c', 1, 'x'),
        ]
    ):
        made = make_run(run, created=1.7e9 + number, fsid=fsid)
        store.put_run(dataclasses.replace(made, state=RunState.COMPLETED))
        store.put_verdicts(run, 'r', WORKLOADS, ())
        one = trial(busy, run=run)
        store.put_trials(run, [TrialRecord(one)])
    plan = make_run().plan
    (found,) = read(store, plan, FSID)
    assert (found.run, found.group, found.workload) == (
        '0000000b',
        'x86',
        NAME,
    )
    assert read(store, plan, 'another') == ()
