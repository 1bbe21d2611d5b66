"""Profiles as a stored run had them: `<profile>@<run>`.

They are read from the plan of the run, with what its options replaced; a
profile that was changed or removed since can so be run again.
"""

import dataclasses
import enum

from ..common.errors import InvalidArgument, NotFound
from ..common.printable import shown
from ..model.load import spec_of
from ..model.run import Run
from ..model.workload import Profile
from ..planning.profiles import applied, catalog, made, written
from ..planning.profiles.repository import ProfileRepository
from ..store.thread import DbThread


class Since(str, enum.Enum):
    """Say what became of a profile since a run had it."""

    SAME = 'same'
    CHANGED = 'changed'
    GONE = 'gone'


@dataclasses.dataclass(frozen=True)
class FormerProfile(Profile):
    """Hold a profile as a run had it."""

    run: str = ''
    since: Since = Since.SAME


class FormerProfiles:
    """Find profiles by name, or as a run had them."""

    def __init__(
        self, profiles: ProfileRepository, database: DbThread
    ) -> None:
        self._profiles = profiles
        self._database = database

    def get(self, text: str) -> Profile:
        """Return the profile that ``<profile>`` or ``<profile>@<run>`` means.

        Raises NotFound for an unknown profile or run, InvalidArgument for a
        run that has another profile, or none that can be run.
        """
        if '@' in text:
            return _runnable(self._run(text))
        return self._profiles.get(text)

    def show(self, text: str) -> Profile:
        """Return the same; of a former one, what became of it, too."""
        if '@' not in text:
            return self._profiles.get(text)
        run = self._run(text)
        found = _runnable(run)
        return FormerProfile(
            **{
                f.name: getattr(found, f.name)
                for f in dataclasses.fields(Profile)
            },
            run=run.id,
            since=self._since(run),
        )

    def export(self, text: str) -> str:
        """Return the YAML of a profile; of a former one, made anew.

        Raises as get(), and InvalidArgument for what YAML cannot say.
        """
        if '@' not in text:
            return self._profiles.export(text)
        run = self._run(text)
        return written.text_of(
            _runnable(run),
            f'as run {run.id} had it, with what its options replaced',
        )

    def _run(self, text: str) -> Run:
        """Return the run that ``<profile>@<run>`` names."""
        name, _, ident = text.partition('@')
        if not catalog.is_name(name) or not ident:
            raise InvalidArgument(
                f'profile {shown(text)} is not <profile> or <profile>@<run>'
            )
        run = self._database.call(lambda store: store.get_run(ident))
        theirs = run.plan.profile.name
        if theirs != name:
            raise InvalidArgument(
                f'run {run.id} has profile {shown(theirs)}, not {name!r}'
            )
        return run

    def _since(self, run: Run) -> Since:
        """Compare with what the run would have today."""
        try:
            now = self._profiles.get(run.plan.profile.name)
            version = applied.apply(now, run.plan.options).version
        except NotFound:
            return Since.GONE
        except InvalidArgument:  # this version cannot use it
            return Since.CHANGED
        same = version == run.plan.profile.version
        return Since.SAME if same else Since.CHANGED


def _runnable(run: Run) -> Profile:
    """Return the profile of a run, checked as those of operators are."""
    kept = run.plan.profile
    if run.foreign or not all(spec_of(w.op).name for w in kept.workloads):
        raise InvalidArgument(
            f'run {run.id} was measured by another tool: it has no profile '
            'that can be run'
        )
    checked = made.profile(
        kept.name, kept.description, kept.rounds, kept.workloads
    )
    # the points are its workloads; that they are points, options say
    options = run.plan.options
    return dataclasses.replace(
        checked, curve=options.curve or '', slo=options.slo or ''
    )
