"""What a host tells of its part of a load on images, for them to be joined.

What is read is not believed: it is of another host.
"""

from typing import Any, Dict, List, Sequence, Tuple

import dataclasses

from ...interop.fio_figures import direction
from ...wire.rbd_jobs import DEPTH_MAX
from ...wire.reading import number, time, whole
from ...wire.strict import Malformed, decode, encode
from .figures import ImageLoad
from .output import ROWS_MAX, SIDES, Load, Row

TOLD = 'told'  # of the evidence of a part
COUNTS = ('total_ios', 'io_bytes', 'runtime', 'iops', 'bw_bytes')
WAITS = ('N', 'mean', 'max', 'bins')
REASON_MAX = 40  # characters
SECONDS_MAX = 1e7

Data = Dict[str, Any]


@dataclasses.dataclass(frozen=True)
class Told:
    """Hold what one process did on one image."""

    image: str
    depth: int
    started: float  # Unix time, by the clock of its host
    seconds: float
    asked: float
    errors: int
    reason: str
    sides: Dict[str, Dict[str, Any]]  # as fio has them
    # of each line of the log: when, how many ended, seconds they took
    rows: Dict[str, Tuple[Tuple[float, ...], ...]]


def told(names: Sequence[str], images: Sequence[ImageLoad]) -> List[Data]:
    """Return what is told of the loads of images with these names."""
    return [
        encode(
            Told(
                name,
                image.depth,
                image.load.started,
                image.load.seconds,
                image.load.asked,
                image.load.errors,
                image.load.reason,
                {s: _short(d) for s, d in image.load.sides.items()},
                {
                    side: tuple((r.at, r.ops, r.waited) for r in rows)
                    for side, rows in image.load.rows.items()
                },
            )
        )
        for name, image in zip(names, images)
    ]


def _short(side: Data) -> Data:
    """Return of a direction what figures are made of."""
    found = {name: side[name] for name in COUNTS if name in side}
    waits = side['lat_ns']
    found['lat_ns'] = {name: waits[name] for name in WAITS if name in waits}
    return found


def heard(
    host: str, ahead: float, names: Sequence[str], data: Any
) -> Dict[str, ImageLoad]:
    """Return what a host tells, by image, on the Manager's clock.

    ``ahead`` are the seconds that this is ahead of the host's; ``names``
    are the images that a load has. Raises ValueError or TypeError for what
    no load gives.
    """
    if not isinstance(data, list) or not 0 < len(data) <= len(names):
        raise Malformed('no image, or more than there are')
    found: Dict[str, ImageLoad] = {}
    for row in data:
        part: Told = decode(Told, row, 'image')
        if part.image not in names or part.image in found:
            raise Malformed('an image that is none of its own')
        what = f'fio on image {part.image} of load host {host}'
        found[part.image] = ImageLoad(what, part.depth, _load(part, ahead))
    return found


def _load(part: Told, ahead: float) -> Load:
    if not 1 <= part.depth <= DEPTH_MAX:
        raise Malformed(f'{part.depth} operations in flight')
    for seconds in (part.seconds, part.asked):
        if not 0 <= seconds <= SECONDS_MAX:
            raise Malformed(f'{seconds} s are not the time of a load')
    if not part.reason.isprintable() or len(part.reason) > REASON_MAX:
        raise Malformed('a reason that is none')
    for name, side in part.sides.items():
        _check_side(name, side)
    if set(part.rows) != set(SIDES):
        raise Malformed('a log without its directions')
    return Load(
        started=(time(part.started, 'its begin') or 0.0) + ahead,
        seconds=part.seconds,
        asked=part.asked,
        sides=part.sides,
        rows={name: _rows(rows, ahead) for name, rows in part.rows.items()},
        errors=whole(part.errors, 'its errors') or 0,
        reason=part.reason,
    )


def _check_side(name: str, side: Data) -> None:
    """Raise Malformed for what is no direction of fio with operations."""
    if name not in SIDES:
        raise Malformed('a direction that is none')
    direction(name, [side])  # all of it can be used
    waits = side['lat_ns']
    if not whole(waits.get('N'), name) or number(waits.get('mean'), name) is (
        None
    ):
        raise Malformed('lat_ns has no number, or no mean')


def _rows(rows: Sequence[Tuple[float, ...]], ahead: float) -> List[Row]:
    if len(rows) > ROWS_MAX:
        raise Malformed('a log of more lines than there are')
    found: List[Row] = []
    for at, ops, waited in rows:
        row = Row(at + ahead, whole(ops, 'its log') or 0, waited)
        if row.waited < 0 or (found and row.at < found[-1].at):
            raise Malformed('a log that goes back')
        found.append(row)
    return found
