"""Put the latency probes of several hosts together: by added histograms.

Each host's are of its own measured window, which differs from the common
one by no more than hosts began apart.
"""

from typing import Any, Dict, List, Mapping

from ...wire import histogram
from .latency_probe import BUSY, FEW, LATE_SHARE, STATED, Evidence


def joined_probe(by_host: Mapping[str, Any], ops: float) -> Evidence:
    """Return what all probes saw, as one probe's evidence is.

    ``ops`` are the operations of the load meanwhile. The lateness of a
    percentile is that of the host where it was greatest. Percentiles are
    there only where each host's probe has a result.

    Raises LookupError, TypeError or ValueError for odd data.
    """
    rates = [float(probe['rate']) for probe in by_host.values()]
    joined: Evidence = {'rate': sum(rates), 'percentiles': {}}
    for host, probe in by_host.items():
        reason = str(probe.get('reason', ''))
        if reason:
            # what is so of all is said of none
            alike = all(p.get('reason') == reason for p in by_host.values())
            return {
                **joined,
                'reason': reason if alike else f'{host}: {reason}',
            }
    probes = list(by_host.values())
    took = histogram.merge(_counts(p['histogram']) for p in probes)
    stated = histogram.percentiles(took)
    late = {
        name: max(float(p['late'].get(name) or 0.0) for p in probes)
        for name in histogram.NAMES
    }
    missing = {name: FEW for name in STATED if name not in stated}
    for name in list(stated):
        if late[name] > LATE_SHARE * stated[name]:
            missing[name] = BUSY
            del stated[name]
    asked = sum(int(p['ops']) + int(p['failed']) for p in probes)
    number = histogram.count(took)
    return {
        **joined,
        'ops': number,
        'ops_per_s': sum(float(p['ops_per_s'] or 0.0) for p in probes),
        'share': asked / (asked + ops) if ops > 0 else None,
        'failed': sum(int(p['failed']) for p in probes),
        'unfinished': sum(int(p['unfinished']) for p in probes),
        'mean': histogram.mean(took),
        'max': max(float(p['max'] or 0.0) for p in probes) or None,
        'late': late,
        'percentiles': stated,
        'missing': missing,
        'histogram': [[index, took[index]] for index in sorted(took)],
        'errors': _errors(probes),
        'cpu': sum(float(p['cpu']) for p in probes),
        'reason': '',
    }


def _counts(pairs: Any) -> histogram.Sparse:
    found = {int(index): int(count) for index, count in pairs}
    if any(not 0 <= index < histogram.BUCKETS for index in found):
        raise ValueError('no bucket of a histogram')
    if any(count < 0 for count in found.values()):
        raise ValueError('a count below 0')
    return found


def _errors(probes: List[Any]) -> Dict[str, int]:
    total: Dict[str, int] = {}
    for probe in probes:
        for name, count in probe['errors'].items():
            total[str(name)] = total.get(str(name), 0) + int(count)
    return total
