"""Find OSDs that are unlike the others, and work that is spread unevenly."""

from typing import Any, Dict, List, Mapping, Optional

from ..stats import median
from .facts import Seen, TrialFacts, number
from .figures import BUSY_OSD, FIGURES, work
from .table import OUTLIER_DIRECTION, OUTLIERS, OutlierRule

LEAST = 3  # OSDs of which one can be unlike the others
Z_LIMIT = 3.5  # of the modified z-score, as its authors recommend
_CONSISTENT = 1.4826  # MAD of a normal distribution to its deviation
FLOOR_SHARE = 0.25  # of the median: what healthy OSDs differ by
FLOOR = 0.0005  # seconds
FACTOR = 2.0  # times the median; less is no outlier worth a look
UNEVEN = 1.5  # max/mean of work that is worth a line


def z_scores(values: Mapping[str, float]) -> Dict[str, float]:
    """Return the robust z-score of each value.

    The distance from the median over the scaled median absolute deviation
    (Iglewicz and Hoaglin 1993). The deviation is floored, so that values
    that are nearly equal have no outliers.
    """
    if not values:
        return {}
    middle = median(list(values.values()))
    away = median([abs(v - middle) for v in values.values()])
    scale = max(_CONSISTENT * away, FLOOR_SHARE * abs(middle), FLOOR)
    return {k: (v - middle) / scale for k, v in values.items()}


def outliers(facts: TrialFacts) -> List[Dict[str, Any]]:
    """Return the OSDs that are slower than the others, and by what.

    An OSD has one entry, by the figure that stands out most.
    """
    worst: Dict[str, Dict[str, Any]] = {}
    for rule in OUTLIERS:
        for found in _by(rule, facts):
            known = worst.get(found['osd'])
            if known is None or found['z'] > known['z']:
                worst[found['osd']] = found
    return sorted(worst.values(), key=lambda found: -found['z'])


def _by(rule: OutlierRule, facts: TrialFacts) -> List[Dict[str, Any]]:
    values = {}
    for osd, figures in facts.osds.items():
        value = number(figures, rule.column)
        done = sum(number(figures, name) or 0.0 for name in rule.work)
        if value is not None and done >= BUSY_OSD:
            values[osd] = value
    if len(values) < LEAST:
        return []
    middle = median(list(values.values()))
    return [
        {
            'id': rule.id,
            'osd': osd,
            'text': f'osd.{osd} {rule.text}',
            'metric': rule.column,
            'value': values[osd],
            'median': middle,
            'z': round(z, 2),
            'direction': OUTLIER_DIRECTION,
            'series': f'osd.{osd} {rule.column}',
        }
        for osd, z in z_scores(values).items()
        if z > Z_LIMIT and values[osd] >= FACTOR * middle
    ]


def imbalance(facts: TrialFacts) -> Dict[str, Any]:
    """Return how unevenly work fell on OSDs and hosts: max over mean.

    Of OSDs that tell what they do for others, where any do: those of which
    only clients' operations are known would all seem to do less.
    """
    told = {
        osd: figures
        for osd, figures in facts.osds.items()
        if number(figures, 'subop_w') is not None
    }
    done = [
        Seen(f'osd.{osd}', work(figures))
        for osd, figures in (told or facts.osds).items()
    ]
    busy = FIGURES['host.cpu_busy'](facts)
    hosts = facts.manifest.hosts
    found = {
        'osds': _spread(done, BUSY_OSD, len(facts.osds)),
        'hosts': _spread(busy, 0.02, len(hosts) if hosts else len(busy)),
    }
    return {name: value for name, value in found.items() if value}


def _spread(
    seen: List[Seen], least: float, of: int
) -> Optional[Dict[str, Any]]:
    if len(seen) < 2:
        return None
    mean = sum(s.value for s in seen) / len(seen)
    if mean < least:
        return None
    most = max(seen, key=lambda s: s.value)
    ratio = most.value / mean
    return {
        'max_mean': round(ratio, 3),
        'busiest': most.place,
        'uneven': ratio > UNEVEN,
        'places': [len(seen), of],
    }
