"""What the next Manager makes of a run that the former one left."""

from typing import Any, List

import json

from . import processes
from .live import LiveCluster
from .provision import wait_answers
from .test_faults import (  # noqa: F401
    CLUSTER,
    Scene,
    cluster,
    no_resume,
    scene,
)
from .waiting import wait_for

STORE = 'mgr/perfcompare/'
CUT = 'PERFCOMPARE_RUN_CUT'
LEFTOVERS = 'PERFCOMPARE_LEFTOVERS'

__all__ = ['CLUSTER', 'cluster', 'no_resume', 'scene']


def _stored(live: LiveCluster, prefix: str) -> List[str]:
    return sorted(live.look('config-key dump', key=STORE + prefix))


def _damage(live: LiveCluster, key: str, text: str) -> None:
    live.ceph('config-key', 'set', key, text, fmt='')


def _resuming(live: LiveCluster, run: str) -> bool:
    """Say whether a run is being taken over, in all that tells its state."""
    status, shown = live.looks(
        [('perfcompare status', {}), ('perfcompare show', {'run': run})],
        to='mgr',
    )
    told = (status or {}).get('progress') or {}
    return (
        told.get('state') == 'resuming'
        and told['run'] == run
        and bool(shown)
        and shown['run']['state'] == 'resuming'
    )


def _checks(live: LiveCluster) -> Any:
    return live.look('health', detail='detail')['checks']


def _details(live: LiveCluster, check: str) -> str:
    found = _checks(live).get(check, {}).get('detail', [])
    return '\n'.join(line['message'] for line in found)


def _kill(scene: Scene) -> None:  # noqa: F811
    name = scene.cluster.mgr_kill()
    wait_for(
        lambda: not processes.of_runs(scene.cluster),
        20,
        'load ends by itself',
    )
    scene.cluster.mgr_start(name)


def test_disabled_module_is_told_by_the_monitors_and_undoes_when_enabled(
    cluster: LiveCluster, no_resume: None, scene: Scene  # noqa: F811
) -> None:
    """Without the module health names the pools; with it, the run."""
    scene.in_trial(duration=30)
    lines = cluster.ceph('log', 'last', '50', 'info', 'cluster')
    (told,) = [m['message'] for m in lines if scene.run in m['message']]
    assert 'ceph perfcompare cancel ' + scene.run in told
    cluster.ceph('mgr', 'module', 'disable', 'perfcompare', fmt='')
    wait_for(
        lambda: not processes.of_runs(cluster), 20, 'load ends by itself'
    )
    assert 'perfcompare.%s.x86.write' % scene.run in wait_for(
        lambda: _details(cluster, 'POOL_SCRUB_FLAGS'), 20, 'health'
    )
    cluster.ceph('mgr', 'module', 'enable', 'perfcompare', '--force', fmt='')
    # it is undone within seconds: both are looked at often
    told = set()

    def seen() -> bool:
        if _resuming(cluster, scene.run):
            told.add('state')
        if scene.run in _details(cluster, CUT):
            told.add('health')
        return told == {'state', 'health'}

    wait_for(seen, 60, 'state resuming and health', step=0.05)
    wait_answers(cluster, 90)
    assert scene.end()[0] == 'interrupted'
    scene.assert_undone()
    wait_for(lambda: CUT not in _checks(cluster), 20, 'health is over it')


def test_damaged_records_stop_the_undo_of_nothing_else(
    cluster: LiveCluster, scene: Scene  # noqa: F811
) -> None:
    """kill -9, a plan and an entry of another version: the rest goes."""
    scene.in_trial(duration=30)
    rules = [
        key
        for key in _stored(cluster, 'journal/')
        if '"rule"' in cluster.ceph('config-key', 'get', key, fmt='')
    ]
    (key,) = rules
    entry = cluster.ceph('config-key', 'get', key, fmt='')
    name = scene.cluster.mgr_kill()
    _damage(cluster, key, json.dumps(dict(json.loads(entry), kind='new')))
    _damage(cluster, STORE + 'active/plan/0000', 'bm90IGEgcGxhbg==')
    cluster.mgr_start(name)
    wait_answers(cluster, 90)
    state, reason = scene.end()
    assert state == 'interrupted' and 'cannot be read' in reason
    told = wait_for(lambda: _details(cluster, LEFTOVERS), 20, 'health')
    # what cannot be told from a rule of the run that is left is named, too
    assert 'ceph config-key rm ' + key in told
    assert 'rule perfcompare-' + scene.run in told
    names = cluster.ceph('osd', 'pool', 'ls')
    assert [n for n in names if n.startswith('perfcompare')] == []
    assert _stored(cluster, 'active/') == []
    entity = 'client.perfcompare.' + scene.run
    keys = [e['entity'] for e in cluster.look('auth ls')['auth_dump']]
    assert entity not in keys
    # the entry is mended: all is undone, and the warning goes
    _damage(cluster, key, entry)
    wait_for(
        lambda: not cluster.ceph('perfcompare', 'cleanup')['leftovers'],
        60,
        'cleanup',
    )
    scene.assert_undone()
    wait_for(lambda: LEFTOVERS not in _checks(cluster), 20, 'no warning')


def test_a_run_that_was_taken_up_twice_is_undone(
    cluster: LiveCluster, scene: Scene  # noqa: F811
) -> None:
    """A run that may be what kills Managers does not go on for ever."""
    scene.in_trial(duration=30)
    _damage(cluster, STORE + 'active/resumes', '2')
    _kill(scene)
    wait_answers(cluster, 90)
    state, reason = scene.end()
    assert state == 'interrupted'
    assert reason.startswith('not resumed: it was taken up 2 times already')
    scene.assert_undone()
