"""Aligned columns and short lists for the guard's plain reports."""

from typing import List, Sequence

import textwrap

WIDTH = 110  # columns of a report


def table(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    width: int = WIDTH,
) -> List[str]:
    """Return lines of aligned columns; the last column is wrapped."""
    fixed = len(header) - 1
    widths = [
        max([len(header[i])] + [len(row[i]) for row in rows])
        for i in range(fixed)
    ]
    indent = sum(widths) + 2 * fixed
    lines = []
    for row in [header, *rows]:
        left = ''.join(f'{row[i]:<{widths[i]}}  ' for i in range(fixed))
        wrapped: List[str] = []
        for paragraph in row[fixed].split('\n'):
            wrapped += textwrap.wrap(
                paragraph,
                max(20, width - indent),
                break_on_hyphens=False,
                break_long_words=False,
            ) or ['']
        lines.append((left + wrapped[0]).rstrip())
        lines += [' ' * indent + part for part in wrapped[1:]]
    return lines


def names(values: Sequence[object], limit: int = 5) -> str:
    """Return 'a, b and 3 more' of the values in their order."""
    shown = [str(value) for value in values[:limit]]
    more = len(values) - len(shown)
    if more:
        return ', '.join(shown) + f' and {more} more'
    if len(shown) > 1:
        return ', '.join(shown[:-1]) + ' and ' + shown[-1]
    return ''.join(shown)


def osds(ids: Sequence[int], limit: int = 5) -> str:
    """Return 'osd.1, osd.2 and 3 more'."""
    return names([f'osd.{osd}' for osd in sorted(ids)], limit)
