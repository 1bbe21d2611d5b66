"""What manifests say of erasure codes, made alike over versions.

Former versions did not record how shec and clay differ from other codes.
"""

from typing import Dict, Iterable, Set, Tuple

_OF_PLUGIN = {'plugin=shec': 'c=', 'plugin=clay': 'd='}


class EcTexts:
    """Reduce texts to what all of those that are compared have.

    But where those that have it differ: that is known.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        """Take the texts of all trials: 'k=2 m=1 …', '' of replicas."""
        found: Dict[str, Set[str]] = {}
        for text in set(texts):
            rest, value = _split(text)
            found.setdefault(rest, set()).add(value)
        self._left_out = {
            rest
            for rest, values in found.items()
            if '' in values and len(values) <= 2
        }

    def of(self, text: str) -> str:
        """Return a text without what some trials did not record."""
        rest, _ = _split(text)
        return rest if rest in self._left_out else text


def _split(text: str) -> Tuple[str, str]:
    """Return a text without what only its plugin has, and that or ''."""
    parts = text.split()
    starts = tuple(_OF_PLUGIN[one] for one in parts if one in _OF_PLUGIN)
    own = [part for part in parts if starts and part.startswith(starts)]
    return ' '.join(p for p in parts if p not in own), ' '.join(own)
