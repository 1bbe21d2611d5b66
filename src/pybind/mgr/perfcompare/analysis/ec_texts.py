"""What manifests say of erasure codes, made alike over versions.

Former versions did not record how shec and clay differ from other codes.
"""

from typing import Iterable, Set

_OF_PLUGIN = {'plugin=shec': 'c=', 'plugin=clay': 'd='}


class EcTexts:
    """Reduce texts to what all of those that are compared have."""

    def __init__(self, texts: Iterable[str]) -> None:
        """Take the texts of all trials: 'k=2 m=1 …', '' of replicas."""
        self._left_out: Set[str] = set()
        for text in set(texts):
            parts = text.split()
            for plugin, start in _OF_PLUGIN.items():
                if plugin in parts and not _has(parts, start):
                    self._left_out.add(plugin)

    def of(self, text: str) -> str:
        """Return a text without what some trials did not record."""
        parts = text.split()
        for plugin in self._left_out.intersection(parts):
            start = _OF_PLUGIN[plugin]
            parts = [part for part in parts if not part.startswith(start)]
        return ' '.join(parts)


def _has(parts: Iterable[str], start: str) -> bool:
    return any(part.startswith(start) for part in parts)
