"""How often an OSD may be marked down before it ends.

An OSD that is marked down more than ``osd_max_markdown_count`` times within
``osd_max_markdown_period`` takes itself for faulty and shuts down for good.
"""

COUNT, PERIOD = 'osd_max_markdown_count', 'osd_max_markdown_period'
DEFAULTS = {COUNT: 5, PERIOD: 600}
SPARE = 1  # of a repetition that was cut, or of somebody else


def least_seconds(repetitions: int) -> float:
    """Return what as many times take at the least, by the defaults."""
    at_once = DEFAULTS[COUNT] - SPARE
    return float((repetitions - 1) // at_once * DEFAULTS[PERIOD])


def most_seconds(repetitions: int) -> float:
    """Return what as many times take after tests that had their share."""
    return least_seconds(repetitions) + DEFAULTS[PERIOD]
