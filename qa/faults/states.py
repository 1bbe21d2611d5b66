"""The states of runs and recovery tests in which faults are tried."""

from typing import Any, Dict, FrozenSet, List

import dataclasses

RUN, S3, RBD, TEST = 'run', 's3', 'rbd', 'recovery'
CURVE, RATES = 'curve', 'rates'
# load of two load hosts as one client
JOINT, JOINT_S3 = 'joint', 'joint-s3'

Fields = Dict[str, Any]
LOAD_HOSTS = ('load-1', 'load-2')


@dataclasses.dataclass(frozen=True)
class State:
    """One moment of a run, told by what `ceph perfcompare status` shows.

    `has` names what exists then and can be hit. In `early` states nothing
    is measured yet, so a fault may be refused by the preflight or become
    part of the baseline. After `late` states nothing can go wrong any more
    that would end the run otherwise.
    """

    name: str
    kind: str
    state: str
    word: str = ''
    has: FrozenSet[str] = frozenset()
    scenario: str = ''
    early: bool = False
    late: bool = False
    then: str = ''  # what is done there: 'cancel', 'fail'
    workload: str = ''  # where it is not that of its kind
    least: float = 0.0  # how much of the run is done

    @property
    def joint(self) -> bool:
        """Say whether load hosts are needed."""
        return self.kind in (JOINT, JOINT_S3)


def _has(words: str) -> FrozenSet[str]:
    return frozenset(words.split())


PLACED = 'rule root key'
POOLED = PLACED + ' pool'
LOADED = POOLED + ' worker load'

HALF = 0.4  # of the seconds of a run, which is in its trials then
LOADING = ('trial', 'cooling', 'finishing')

STATES: List[State] = [
    State('preflight', RUN, 'preflight', early=True),
    State('placement', RUN, 'preparing', 'placement', early=True),
    State('pools', RUN, 'preparing', 'pools', _has(PLACED)),
    State(
        'prefill', RUN, 'preparing', 'objects for', _has(LOADED),
        workload='rand',
    ),
    State('gentle-start', RUN, 'preparing', 'gentle start on', _has(LOADED)),
    State('trial', RUN, 'trial', '', _has(LOADED)),
    State('cooling', RUN, 'cooling', '', _has(POOLED)),
    State('finishing', RUN, 'finishing', '', _has(PLACED), late=True),
    State('undoing', RUN, 'trial', '', late=True, then='cancel'),
    State('resuming', RUN, 'trial', '', early=True, then='fail'),
    State('s3-pools', S3, 'preparing', 'pools', _has(PLACED)),
    State(
        's3-gentle-start', S3, 'preparing', 'gentle start on',
        _has('pool key worker gateway bucket'),
    ),
    State(
        's3-trial', S3, 'trial', '', _has('pool key worker gateway bucket')
    ),
    State('rbd-pools', RBD, 'preparing', 'pools', _has(PLACED)),
    State(
        'rbd-prefill', RBD, 'preparing', 'objects for', _has(LOADED),
        workload='rbd-randread',
    ),
    State(
        'rbd-gentle-start', RBD, 'preparing', 'gentle start on',
        _has(LOADED),
    ),
    State('rbd-trial', RBD, 'trial', '', _has(LOADED)),
    State('rbd-cooling', RBD, 'cooling', '', _has(POOLED)),
    State('rbd-finishing', RBD, 'finishing', '', _has(PLACED), late=True),
    State('rbd-undoing', RBD, 'trial', '', late=True, then='cancel'),
    State('rbd-resuming', RBD, 'trial', '', early=True, then='fail'),
    State('curve-trial', CURVE, 'trial', '', _has(LOADED), least=HALF),
    State(
        'rates-trial', RATES, 'trial', '',
        _has('pool key worker gateway bucket'), least=HALF,
    ),
    State('joint-pools', JOINT, 'preparing', 'pools', _has(PLACED)),
    State(
        'joint-prefill', JOINT, 'preparing', 'objects for',
        _has(POOLED + ' agent'), workload='rand',
    ),
    State('joint-trial', JOINT, 'trial', '', _has(POOLED + ' agent')),
    State('joint-undoing', JOINT, 'trial', '', late=True, then='cancel'),
    State('joint-resuming', JOINT, 'trial', '', early=True, then='fail'),
    State('joint-s3-trial', JOINT_S3, 'trial', '', _has('agent')),
]  # fmt: skip

_STEPS = {
    'osd-out': (('out', ' out'), ('in', 'back in')),
    'backfill': (('move', 'PGs moved'), ('move-back', 'PGs moved back')),
}


def _tests() -> List[State]:
    found: List[State] = []
    for scenario, steps in _STEPS.items():
        common: Dict[str, Any] = {'kind': TEST, 'scenario': scenario}
        first = scenario == 'osd-out'
        if first:
            found += [
                State('test-preflight', state='preflight', early=True,
                      **common),
                State('test-pools', state='preparing', word='pools',
                      has=_has(PLACED + ' setting'), **common),
                State('test-fill', state='preparing', word='objects',
                      has=_has(LOADED + ' setting'), **common),
                State('test-baseline', state='trial', word='no failure',
                      has=_has(LOADED + ' setting'), **common),
            ]  # fmt: skip
        for name, word in steps:
            found.append(
                State('test-' + name, state='trial', word=word,
                      has=_has(LOADED + ' setting'), **common)
            )  # fmt: skip
        if first:
            found += [
                State('test-recovered', state='trial', word='recovered',
                      has=_has(LOADED + ' setting'), **common),
                State('test-finishing', state='finishing', late=True,
                      has=_has(POOLED + ' setting'), **common),
                State('test-undoing', state='trial', word=' out',
                      late=True, then='cancel', **common),
                State('test-resuming', state='trial', word=' out',
                      early=True, then='fail', **common),
            ]  # fmt: skip
    return found


STATES += _tests()
BY_NAME = {state.name: state for state in STATES}


WORKLOADS = {
    RUN: 'write',
    S3: 's3-put',
    RBD: 'rbd-randrw',
    CURVE: 'rbd-randread',
    RATES: 's3-get',
    JOINT: 'write',
    JOINT_S3: 's3-put',
}
MORE: Dict[str, Fields] = {
    RBD: {'images': 2, 'replicas': 2},
    CURVE: {'replicas': 2, 'curve': '1,2,4,8', 'slo': 'p95=1s'},
    RATES: {'curve': '20/s,40/s,60/s,80/s', 'slo': 'p50=1s'},
    JOINT: {'load_hosts': list(LOAD_HOSTS)},
    JOINT_S3: {
        'load_hosts': list(LOAD_HOSTS),
        'gateway_source': 'existing',
    },
}


def command(state: State, seconds: float) -> Fields:
    """Return the command that starts what goes through `state`."""
    common: Fields = {
        'format': 'json',
        'group': ['xs'],
        'allow_local_client': True,
        'yes_i_really_mean_it': True,
    }
    if state.kind == TEST:
        return {
            **common,
            'prefix': 'perfcompare recovery run',
            'scenario': state.scenario,
            'workload': ['rand'],
            'repetitions': 1,
            'hold': 3.0,
            'pg_num': 4,
            'size': '4K',
            'concurrency': 1,
            'data': '256K',
            'limit': 120.0,
        }
    found: Fields = {
        **common,
        'prefix': 'perfcompare run',
        'profile': 'smoke',
        'workload': [state.workload or WORKLOADS[state.kind]],
        'size': ['4K'],
        'concurrency': ['4'],
        'duration': seconds,
        'rounds': 1,
        'stats_period': 2,
    }
    if state.kind == CURVE:
        del found['concurrency']  # its points are that
    return {**found, **MORE.get(state.kind, {})}


def cancel(state: State, run: str) -> Fields:
    """Return the command by which an operator cancels a run or a test."""
    if state.kind == TEST:
        return {'prefix': 'perfcompare recovery cancel', 'test': run}
    return {'prefix': 'perfcompare cancel', 'run': run}


def matches(state: State, progress: Fields) -> bool:
    """Say whether a status tells of this state."""
    return (
        progress['state'] == state.state
        and state.word in progress['message']
        and progress.get('fraction', 1.0) >= state.least
    )


def passed(state: State, progress: Fields) -> bool:
    """Say whether a status tells that a short state is over."""
    later = {'preflight': ('preparing', *LOADING), 'preparing': LOADING}
    return progress['state'] in later.get(state.state, ())
