"""Operators remove or change what a run made or changed."""

from typing import Iterator, List

import contextlib
import errno
import signal
import time

from integration.waiting import wait_for

from ..fault import Fault, Scene, fault, needs
from ..lab import Lab, Refused
from ..states import State
from .capacity import own_pools


@fault
class PoolRemoved(Fault):
    """An operator removes the pools of a run."""

    name = 'pool-rm'
    needs = needs('pool')
    seconds = 15.0
    outcomes = {'failed': '.', 'aborted': '.'}
    passes_in = frozenset({'cooling', 'test-recovered', 'test-move-back'})

    def inject(self, scene: Scene) -> None:
        """Remove all that are there."""
        pools = wait_for(lambda: own_pools(scene), 20, 'a pool', step=0.1)
        # while the mgr holds its breath: it may be setting the same option
        with held(scene.lab, 'mgr.' + scene.lab.active()):
            with deletable(scene.lab):
                for pool in pools:
                    try:
                        scene.lab.tell(
                            'osd pool rm', pool=pool, pool2=pool,
                            yes_i_really_really_mean_it=True,
                        )  # fmt: skip
                    except Refused as refused:
                        # it went meanwhile
                        assert refused.code == errno.ENOENT, refused


@fault
class RuleRemoved(Fault):
    """An operator removes the rules of a run, as far as Ceph lets them."""

    name = 'rule-rm'
    needs = needs('rule')
    outcomes = {'completed': '', 'failed': 'rule'}

    def inject(self, scene: Scene) -> None:
        """Remove all that no pool uses, while the mgr holds its breath.

        A mon (Tentacle 20.2.4) dies of a rule that goes in the same change
        of the map in which a pool with it comes, whoever orders it; and the
        next leader dies of the same orders, which clients send again.
        """
        with held(scene.lab, 'mgr.' + scene.lab.active()):
            for rule in scene.lab.see('osd crush rule ls'):
                if rule.startswith('perfcompare'):
                    try:
                        scene.lab.tell('osd crush rule rm', name=rule)
                    except Refused:
                        pass  # in use


@contextlib.contextmanager
def held(lab: Lab, daemon: str) -> Iterator[None]:
    """Stop a daemon; what it ordered before is done when this begins."""
    lab.signal(daemon, signal.SIGSTOP)
    try:
        time.sleep(2.0)  # mons gather changes for one second at most
        yield
    finally:
        lab.signal(daemon, signal.SIGCONT)


@contextlib.contextmanager
def deletable(lab: Lab) -> Iterator[None]:
    """Let pools be removed, unless a run has just seen to that."""
    option = {'who': 'mon', 'name': 'mon_allow_pool_delete'}
    if any(o['name'] == option['name'] for o in lab.see('config dump')):
        yield
        return
    lab.tell('config set', value='true', **option)
    try:
        time.sleep(1.0)  # until the mons follow
        yield
    finally:
        lab.tell('config rm', **option)


@fault
class HostUnlinked(Fault):
    """An operator removes a host from the run's own root."""

    name = 'host-unlinked'
    needs = needs('root')
    seconds = 15.0
    outcomes = {'completed': '', 'failed': '.', 'aborted': '.'}

    def inject(self, scene: Scene) -> None:
        """Unlink it from there."""
        names = [
            b['name'] for b in scene.lab.see('osd crush dump')['buckets']
        ]
        for root in names:
            if root.startswith('perfcompare-') and '~' not in root:
                scene.lab.tell('osd crush unlink', name='p2', ancestor=root)


@fault
class KeyRemoved(Fault):
    """An operator removes the key of a run."""

    name = 'key-rm'
    needs = needs('key')
    outcomes = {'completed': '', 'failed': '.', 'aborted': '.'}

    def inject(self, scene: Scene) -> None:
        """Remove it."""
        entity = 'client.perfcompare.' + scene.run
        scene.lab.tell('auth rm', entity=entity)


@fault
class BucketRemoved(Fault):
    """An operator removes the S3 pools' index, and with it the buckets.

    A radosgw (Tentacle 20.2.4) that is about to write there may abort.
    """

    name = 'bucket-rm'
    kills = r'^client\.perfcompare\.'
    needs = needs('bucket')
    seconds = 15.0
    outcomes = {'completed': '', 'failed': '.', 'aborted': '.'}

    def inject(self, scene: Scene) -> None:
        """Remove the objects of the pools that name buckets."""
        for pool in own_pools(scene):
            if 'index' in pool or 'meta' in pool:
                scene.lab.inside('rados', '-p', pool, 'purge', pool,
                                 '--yes-i-really-really-mean-it')  # fmt: skip


@fault
class SettingChanged(Fault):
    """An operator sets what the run has set: theirs stays."""

    name = 'setting-changed'
    VALUES = {
        'mgr_stats_period': '4',
        # not what a test sets, and nothing that changes the map by itself
        'mgr/balancer/mode': 'upmap',
    }

    def applies(self, state: State) -> bool:
        """Apply where a run may have changed a setting."""
        return bool(state.has)

    def inject(self, scene: Scene) -> None:
        """Set those that are set now and were not before."""
        for option in scene.lab.see('config dump'):
            name = option['name']
            if name in self.VALUES:
                scene.noted[name] = self.VALUES[name]
                scene.lab.tell(
                    'config set', who='mgr', name=name,
                    value=self.VALUES[name],
                )  # fmt: skip

    def verify(self, scene: Scene) -> List[str]:
        """The operator's values are still there."""
        now = {o['name']: o['value'] for o in scene.lab.see('config dump')}
        return [
            '%s: the operator set %s, is %s' % (name, value, now.get(name))
            for name, value in scene.noted.items()
            if now.get(name) != value
        ]

    def mend(self, scene: Scene) -> None:
        """Remove them."""
        for name in scene.noted:
            scene.lab.tell('config rm', who='mgr', name=name)
