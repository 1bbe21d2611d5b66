"""The table: a row for each state, a column for each kind of fault."""

from typing import Dict, List, Tuple

from .results import FAILED, MISSED, Result, summary

SIGNS = {FAILED: 'X', MISSED: '?'}


def grid(results: List[Result], states: List[str]) -> List[str]:
    """Return rows of signs; columns are numbered, and named below."""
    found: Dict[Tuple[str, str], Result] = {r.key: r for r in results}
    faults = sorted({r.fault for r in results})
    used = [s for s in states if any(r.state == s for r in results)]
    wide = max([len(s) for s in used], default=5)
    head = ' ' * wide + ' ' + ' '.join('%2d' % (i + 1) for i in _of(faults))
    lines = [head.rstrip()]
    for state in used:
        signs = []
        for name in faults:
            result = found.get((state, name))
            sign = '.' if result is None else SIGNS.get(result.verdict, '+')
            signs.append(' ' + sign)
        lines.append('%-*s %s' % (wide, state, ' '.join(signs)))
    lines.append('')
    for number, name in enumerate(faults, 1):
        own = [r for r in results if r.fault == name]
        one = summary(own)
        lines.append(
            '%2d %-16s tried %3d  survived %3d  leftovers %2d  foreign %2d'
            % (number, name, one['tried'], one['survived'],
               one['leftovers'], one['foreign_changes'])
        )  # fmt: skip
    return lines


def _of(names: List[str]) -> range:
    return range(len(names))


def render(results: List[Result], states: List[str]) -> str:
    """Return the whole table, the totals last."""
    total = summary(results)
    lines = grid(results, states)
    lines += ['', '+ survived, X failed, ? state missed, . not tried', '']
    for result in results:
        if result.verdict == FAILED:
            lines.append('%s in %s:' % (result.fault, result.state))
            for kind in ('problems', 'leftovers', 'foreign', 'crashes'):
                for line in getattr(result, kind):
                    lines.append('  %s: %s' % (kind, line))
    for result in results:
        for what, seconds in result.measured.items():
            lines.append(
                '%s in %s: %s after %.1f s'
                % (result.fault, result.state, what, seconds)
            )
    grown = total['mgr_growth_max_kib']
    lines.append(
        'faults tried %d, survived %d, leftovers %d, foreign changes %d, '
        'crashes %d, states missed %d; %.0f s; mgr at most %.0f MiB, grown '
        'by at most %s in one process'
        % (
            total['tried'],
            total['survived'],
            total['leftovers'],
            total['foreign_changes'],
            total['crashes'],
            total['missed'],
            total['seconds'],
            total['mgr_memory_max_kib'] / 1024,
            'not available' if grown is None else '%.1f MiB' % (grown / 1024),
        )
    )
    return '\n'.join(lines)
