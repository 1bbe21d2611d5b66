"""Space ends: quotas and full ratios; and a flag that holds OSDs down."""

from typing import Dict, List

from integration.waiting import wait_for

from ..fault import Fault, Scene, fault, needs
from ..lab import Refused

RATIOS = ('nearfull', 'backfillfull', 'full')


def own_pools(scene: Scene) -> List[str]:
    """Return the names of the run's pools."""
    found = scene.lab.see('osd lspools')
    return [
        p['poolname']
        for p in found
        if p['poolname'].startswith('perfcompare.')
    ]


@fault
class PoolQuota(Fault):
    """A pool of the run reaches a quota that somebody sets."""

    name = 'pool-quota'
    needs = needs('pool')
    seconds = 15.0
    outcomes = {'aborted': 'POOL_FULL', 'failed': 'full|quota'}
    # reads of a recovery test need no space; pools go at the end of a round
    passes_in = frozenset({'cooling'})

    def inject(self, scene: Scene) -> None:
        """Set quotas that are passed already."""
        pools = wait_for(lambda: own_pools(scene), 20, 'a pool', step=0.1)
        for pool in pools:
            try:
                scene.lab.tell(
                    'osd pool set-quota',
                    pool=pool, field='max_objects', val='1',
                )  # fmt: skip
            except Refused:
                pass  # it went meanwhile


class _Ratio(Fault):
    """Pass a ratio that is set very low."""

    ratios: Dict[str, float] = {}
    seconds = 15.0

    def ready(self, scene: Scene) -> None:
        """Note the ratios."""
        found = scene.lab.see('osd dump')
        for name in RATIOS:
            scene.noted[name] = repr(found[name + '_ratio'])

    def inject(self, scene: Scene) -> None:
        """Set them low."""
        for name, ratio in self.ratios.items():
            scene.lab.tell('osd set-%s-ratio' % name, ratio=ratio)

    def mend(self, scene: Scene) -> None:
        """Set them as they were."""
        for name in reversed(list(scene.noted)):
            value = round(float(scene.noted[name]), 6)
            scene.lab.tell('osd set-%s-ratio' % name, ratio=value)


@fault
class Nearfull(_Ratio):
    """OSDs pass nearfull."""

    name = 'nearfull'
    ratios = {'nearfull': 0.001}
    outcomes = {'aborted': 'NEARFULL', 'failed': 'nearfull|NEARFULL'}


@fault
class Full(_Ratio):
    """OSDs are full: nothing can be written any more."""

    name = 'full'
    ratios = {'nearfull': 0.001, 'backfillfull': 0.001, 'full': 0.0015}
    outcomes = {
        'aborted': 'NEARFULL|POOL_FULL|HEALTH_ERR|full',
        'failed': 'full',
    }


@fault
class Noup(Fault):
    """Somebody sets the flag noup, which stays theirs."""

    name = 'noup'

    def inject(self, scene: Scene) -> None:
        """Set it."""
        scene.lab.tell('osd set', key='noup')

    def verify(self, scene: Scene) -> List[str]:
        """It is still there."""
        flags = scene.lab.see('osd dump')['flags_set']
        return [] if 'noup' in flags else ['the flag noup is gone']

    def mend(self, scene: Scene) -> None:
        """Remove it."""
        scene.lab.tell('osd unset', key='noup')
