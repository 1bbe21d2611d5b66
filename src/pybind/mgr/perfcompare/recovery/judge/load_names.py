"""The loads beside a recovery, as the keys of figures name them."""

from typing import Dict, List, Optional, Sequence

Figures = Dict[str, Optional[float]]
OPS = '_ops_per_s'
STALL = 1.0  # seconds; shorter ones are not seen


def loads(figures: Sequence[Figures]) -> List[str]:
    """Return the loads that any of the figures are of."""
    found = {k[: -len(OPS)] for f in figures for k in f if k.endswith(OPS)}
    return sorted(found)


def load_name(load: str) -> str:
    """Return a load in words: 's3-mixed get', 'read', …"""
    known = {'rand': 'read', 'write': 'write'}
    if load in known:
        return known[load]
    base, dash, op = load.rpartition('-')
    return f'{base} {op}' if base.count('-') and dash else load


def is_stall(figure: str) -> bool:
    """Say whether a compared figure is a load's longest stall."""
    return figure.endswith(' stall')
