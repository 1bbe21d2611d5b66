"""What manifests say of erasure codes, made alike over versions.

Former versions did not record how shec and clay differ from other codes.
"""

from typing import Dict, Iterable, Set

_OF_PLUGIN = {'plugin=shec': 'c=', 'plugin=clay': 'd='}


class EcTexts:
    """Reduce texts to what all of those that are compared have.

    But where those that have it differ: that is known.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        """Take the texts of all trials: 'k=2 m=1 …', '' of replicas."""
        found: Dict[str, Set[str]] = {plugin: set() for plugin in _OF_PLUGIN}
        for text in set(texts):
            parts = text.split()
            for plugin, start in _OF_PLUGIN.items():
                if plugin in parts:
                    found[plugin].add(_value(parts, start))
        self._left_out = {
            plugin
            for plugin, values in found.items()
            if '' in values and len(values) <= 2
        }

    def of(self, text: str) -> str:
        """Return a text without what some trials did not record."""
        parts = text.split()
        for plugin in self._left_out.intersection(parts):
            start = _OF_PLUGIN[plugin]
            parts = [part for part in parts if not part.startswith(start)]
        return ' '.join(parts)


def _value(parts: Iterable[str], start: str) -> str:
    return next((part for part in parts if part.startswith(start)), '')
