"""What values a side had, and how much of it had each.

A group, or the trials of a row, may have several values of a field. Two
sides with the same values are alike only where they have as much of each.
"""

from typing import Callable, Dict, List, Mapping, Optional, Sequence, Tuple

from ..model.manifest import Manifest

# by value; they add up to 1, or none of them is known
Shares = Mapping[str, Optional[float]]
APART = 0.05  # of a side, from which on shares are not the same
SHOWN = 4  # values that a text names
JOINT = ', '  # of values of older versions, which kept no numbers


def words(value: object) -> str:
    """Return a value as it is printed."""
    if isinstance(value, bool):
        return 'yes' if value else 'no'
    return str(value) or 'none'


def of_trial(
    manifest: Manifest, name: str, values: Sequence[object]
) -> Shares:
    """Return which share of a group had which of its ``values``.

    None of each where several were recorded without their numbers.
    """
    counts = (manifest.mixed or {}).get(name, {})
    total = sum(counts.get(str(value), 0) for value in values)
    if len(values) == 1:
        return {words(values[0]): 1.0}
    if not all(counts.get(str(value)) for value in values):
        return {words(value): None for value in values}
    return {words(v): counts[str(v)] / total for v in values}


def of_text(manifest: Manifest, name: str, value: str) -> Shares:
    """Return the shares of what is 'a', or 'a, b' where it varies."""
    counts = (manifest.mixed or {}).get(name)
    values = sorted(counts) if counts else value.split(JOINT)
    return of_trial(manifest, name, values)


def renamed(shares: Shares, name: Callable[[str], str]) -> Shares:
    """Return shares of what values are called: several may be one."""
    found: Dict[str, Optional[float]] = {}
    for value, share in shares.items():
        held = found.get(name(value), 0.0)
        both = held is not None and share is not None
        found[name(value)] = (held or 0.0) + (share or 0.0) if both else None
    return found if len(found) > 1 else {value: 1.0 for value in found}


class Mixture:
    """Hold the values of a side, each with its share if that is known."""

    def __init__(
        self, trials: Sequence[Shares], times: Sequence[int] = ()
    ) -> None:
        """Take the shares of each trial, or of as many as ``times`` says."""
        found: Dict[str, float] = {}
        total = sum(times) or len(trials)
        self.known = True
        for shares, n in zip(trials, times or [1] * len(trials)):
            for value, share in shares.items():
                self.known = self.known and share is not None
                part = (share or 0.0) * n / total
                found[value] = found.get(value, 0.0) + part
        self.shares = found

    def differs(self, other: 'Mixture', same_osds: bool = False) -> bool:
        """Say whether sides are not known to have as much of each value.

        Of the ``same_osds`` what nobody counted is as much on either side.
        """
        if set(self.shares) != set(other.shares):
            return True
        if not (self.known and other.known):
            return not same_osds
        return any(
            abs(share - other.shares[value]) > APART
            for value, share in self.shares.items()
        )

    def texts(self) -> Tuple[str, ...]:
        """Return the values, with their shares where there are several."""
        if len(self.shares) == 1:
            return tuple(self.shares)
        if not self.known:
            named = _few(sorted(self.shares))
            return (f'{" or ".join(named)} (shares unknown)',)
        order = sorted(self.shares, key=lambda v: (-self.shares[v], v))
        return tuple(_few([f'{v} ({_share(self.shares[v])})' for v in order]))


def _few(texts: List[str]) -> List[str]:
    if len(texts) <= SHOWN:
        return texts
    return [*texts[: SHOWN - 1], f'{len(texts) - SHOWN + 1} other values']


def _share(share: float) -> str:
    if share < 0.01:
        return '<1%'
    return '>99%' if share > 0.99 else f'{share:.0%}'
