"""Watch a run and say when it must be aborted, by which rule and value."""

from typing import (
    Callable,
    Collection,
    Dict,
    List,
    Mapping,
    Optional,
    Set,
    Tuple,
)

import dataclasses
import logging

from ...common.errors import PerfcompareError, TryAgain
from ...common.settings import Settings
from ...model.run import RuleValue
from ..checks.cluster_state import inactive
from ..collect.sample import Needs, OwnPools, Sample, Sampler, none
from .readings import filled, vital
from .rules import RULES, rules
from .tenants import TenantLatency
from .view import Baseline, Load, Reading, Rule, View

__all__ = ['Abort', 'AbortWatch', 'RuleValue', 'rules']

log = logging.getLogger(__name__)


@dataclasses.dataclass(frozen=True)
class Abort:
    """Say which rule ended a run, with the value that it saw."""

    rule: str
    message: str
    value: str
    threshold: str

    def __str__(self) -> str:
        return f'{self.rule}: {self.message}'


class AbortWatch:
    """Check the abort rules every few seconds, with cheap reads only.

    Made before the run changes anything: what is so then is the baseline.
    ``own_pools`` names all pools that the run may create, by its plan,
    before they are created; ``loaded_pools`` those of others that take its
    load, of which only latencies are its own. Used by one thread.
    """

    def __init__(
        self,
        cluster: Needs,
        settings: Callable[[], Settings],
        own_pools: OwnPools,
        now: float,
        lease_problem: Callable[[], str] = lambda: '',
        patience: Optional[Mapping[str, float]] = None,
        loaded_pools: OwnPools = none,
    ) -> None:
        """Read the baseline; TryAgain when it cannot be read.

        ``patience`` gives rules (by id) seconds for which they must fire
        without a break: a recovery test degrades PGs on purpose.
        """
        self._patience = dict(patience or {})
        self._since: Dict[str, float] = {}  # rule -> fires since
        self._settings = settings
        self._lease_problem = lease_problem
        self._sampler = Sampler(cluster, own_pools, loaded_pools)
        self._tenants = TenantLatency()
        self._load: Optional[Load] = None
        self._loaded = False  # some load was there: the baseline is closed
        self._expected_down: Collection[int] = ()
        self._inactive_since: Optional[float] = None
        self._moved = (0, 0.0)  # OSD map at which PGs are inactive, since
        self._blind_since: Optional[float] = None
        self._worst: Dict[str, Tuple[float, str]] = {}
        self._fired: Optional[Abort] = None
        try:
            self._baseline = _baseline(self._sampler.take(now))
        except BaseException:
            self.close()  # nobody else can
            raise

    # what the runner tells

    def load_started(
        self, name: str, deadline: float, pools: Collection[str] = ()
    ) -> None:
        """Say that load begins, on which pools, and when it must be over.

        ``deadline`` is on the clock of check().
        """
        self._load = Load(name, deadline, tuple(pools))
        self._loaded = True

    def load_progress(
        self, ops: int, errors: int, failing_host: str = ''
    ) -> None:
        """Report how many operations finished and failed so far.

        ``failing_host`` is that of several which most errors are of.
        """
        if self._load is not None:
            self._load = dataclasses.replace(
                self._load,
                ops=ops,
                errors=errors,
                failing_host=failing_host,
            )

    def load_ended(self) -> None:
        """Say that the load is over."""
        self._load = None
        self._inactive_since = None

    def expect_down(self, osds: Collection[int]) -> None:
        """Name the OSDs that are ours to stop at present."""
        self._expected_down = frozenset(osds)

    # what the runner asks

    def check(self, now: float) -> Optional[Abort]:
        """Return why to abort, None to go on; never raises."""
        if self._fired is not None:
            return self._fired
        load = self._load
        sample = self._sampler.take(now, load.pools if load else ())
        view = self._view(now, sample)
        settings = view.settings
        for rule in RULES:
            if any(name in sample.errors for name in rule.needs):
                continue  # BLIND counts the time
            reading = self._read(rule, view)
            if reading is None:
                continue
            worst = self._worst.get(rule.id)
            if worst is None or reading.level > worst[0]:
                self._worst[rule.id] = (reading.level, reading.value)
            if self._lasting(rule, reading, now) and self._fired is None:
                self._fired = Abort(
                    rule.id,
                    reading.message,
                    reading.value,
                    rule.threshold(settings),
                )
        self._settle(sample)
        return self._fired

    def _lasting(self, rule: Rule, reading: Reading, now: float) -> bool:
        """Say whether a rule fires, and for long enough."""
        if not reading.message:
            self._since.pop(rule.id, None)
            return False
        since = self._since.setdefault(rule.id, now)
        return now - since >= self._patience.get(rule.id, 0.0)

    def values(self) -> List[RuleValue]:
        """Return every rule with its worst value, for the result."""
        fired = self._fired.rule if self._fired else ''
        settings = self._settings()
        return [
            RuleValue(
                ident,
                threshold,
                self._worst.get(ident, (0.0, 'not looked at'))[1],
                ident == fired,
            )
            for ident, threshold in rules(settings, self._patience)
        ]

    def close(self) -> None:
        """End what the watch costs the OSDs; safe to call twice."""
        try:
            self._sampler.close()
        except PerfcompareError as error:
            log.warning('OSD perf query not ended: %s', error)

    # inside

    def _read(self, rule: Rule, view: View) -> Optional[Reading]:
        try:
            return rule.read(view)
        except Exception:
            # the other rules must go on; unit tests cover each rule
            log.exception('abort rule %s failed', rule.id)
            return None

    def _view(self, now: float, sample: Sample) -> View:
        settings = self._settings()
        view = View(
            now,
            settings,
            self._baseline,
            sample,
            self._load,
            self._expected_down,
            emergency_stop=settings.emergency_stop,
            lease_problem=self._lease_problem(),
        )
        if vital(sample.errors):
            if self._blind_since is None:
                self._blind_since = now
            view.blind_for = now - self._blind_since
        else:
            self._blind_since = None
        if not {'foreign_pgs', 'own_pgs'}.intersection(sample.errors):
            if inactive(sample.foreign_pgs) or (
                self._load and inactive(sample.own_pgs)
            ):
                if self._inactive_since is None:
                    self._inactive_since = now
                    self._moved = (sample.epoch, now)
                elif sample.epoch != self._moved[0]:
                    self._moved = (sample.epoch, now)
                view.inactive_for = now - self._inactive_since
                view.unmoved_for = now - self._moved[1]
            else:
                self._inactive_since = None
        if sample.latency is not None and 'latency' not in sample.errors:
            if self._loaded:
                view.impacts = tuple(
                    self._tenants.observe(
                        now, sample.latency, settings.max_tenant_impact
                    )
                )
            else:
                self._tenants.learn(now, sample.latency)
        view.baselines_known = self._tenants.known
        return view

    def _settle(self, sample: Sample) -> None:
        """Forget what cleared: it is news when it comes back."""
        if 'health' not in sample.errors:
            self._baseline.codes &= _codes(sample)
            now = filled(sample)
            self._baseline.full = {
                code: min(number, now[code])
                for code, number in self._baseline.full.items()
                if code in now
            }
        if 'down' not in sample.errors:
            self._baseline.down &= set(sample.down)
        if 'upgrade' not in sample.errors and sample.upgrade is None:
            self._baseline.upgrade = None


def _baseline(sample: Sample) -> Baseline:
    lacking = vital(sample.errors)
    if lacking:
        raise TryAgain(
            f'the state before the run could not be read: {lacking[0]} '
            f'({sample.errors[lacking[0]]}); try again'
        )
    return Baseline(
        codes=_codes(sample),
        full=filled(sample),
        down=set(sample.down),
        election=sample.mon.election_epoch,
        upgrade=sample.upgrade,
        pools={pool.id: pool.pg_num_target for pool in sample.pools},
    )


def _codes(sample: Sample) -> Set[Tuple[str, str]]:
    return {
        (code, check.severity) for code, check in sample.health.checks.items()
    }
