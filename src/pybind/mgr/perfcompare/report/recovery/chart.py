"""Print one repetition of a recovery test as it went, second by second."""

from typing import Dict, List, Sequence, Tuple

from ...recovery.judge.chart import Curve, Track
from ..table import table
from .text import MEANING

ROWS = 24  # of a table; --format json has all
NONE = '-'


def render(found: Sequence[Track], test: str) -> str:
    """Show marks, events and curves of each group's steps, since t0."""
    if not found:
        return (
            f'recovery {test} has no such repetition or step; '
            f'ceph perfcompare recovery show {test} lists them'
        )
    return '\n\n'.join(_track(track) for track in found)


def _track(track: Track) -> str:
    lines = [
        f'{track.group}, repetition {track.repetition}: {track.title} '
        f'(seconds since {track.zero_is})'
    ]
    moments = [(at, _mark(name)) for name, at in track.marks.items()]
    moments += [(at, text) for at, text in track.events]
    lines += [f'  {at:+8.2f}  {text}' for at, text in sorted(moments)]
    for times, curves in _by_times(track.curves).items():
        lines += ['', _curves(times, curves)]
    return '\n'.join(lines)


def _mark(name: str) -> str:
    told = {mark.value: text for mark, text in MEANING.items()}
    return f'{name}: {told.get(name, name)}'


def _by_times(
    curves: Sequence[Curve],
) -> Dict[Tuple[float, ...], List[Curve]]:
    """Return curves by when they were sampled: together they are a table."""
    found: Dict[Tuple[float, ...], List[Curve]] = {}
    for curve in curves:
        found.setdefault(curve.t, []).append(curve)
    return {times: own for times, own in found.items() if times}


def _curves(times: Tuple[float, ...], curves: List[Curve]) -> str:
    every = -(-len(times) // ROWS)
    header = ['SECONDS', *(f'{c.name}\n{c.unit}' for c in curves)]
    rows = [
        [f'{times[i]:.1f}', *(_value(c, i) for c in curves)]
        for i in range(0, len(times), every)
    ]
    text = table(header, rows, range(len(header)))
    if every > 1:
        text += f'\none of {every} samples; --format json has all'
    return text


def _value(curve: Curve, index: int) -> str:
    value = curve.values[index]
    return NONE if value is None else f'{value:.6g}'
