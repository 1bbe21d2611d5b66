"""Lay out text for a terminal: columns and wrapped paragraphs."""

from typing import List, Sequence

import textwrap

from ..common.printable import line

_GAP = '  '


def columns(
    header: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[int] = (),
    width: int = 0,
    least: int = 12,
) -> List[str]:
    """Return the lines of a table; columns in ``right`` align right.

    A header may have several lines. With ``width`` the last column is
    wrapped to what the others leave, but never below ``least`` characters.
    A cell is one line, whatever is in it. No line ends in blanks.
    """
    titles = [cell.split('\n') for cell in header]
    depth = max(len(title) for title in titles)
    heads = [[''] * (depth - len(title)) + title for title in titles]
    cells = [list(line) for line in zip(*heads)]
    cells += [[line(cell) for cell in row] for row in rows]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    if width:
        used = sum(widths[:-1]) + len(_GAP) * (len(widths) - 1)
        widths[-1] = min(widths[-1], max(width - used, least))
    lines: List[str] = []
    for row in cells:
        *front, last = row
        wrapped = textwrap.wrap(last, max(widths[-1], 1)) or ['']
        for i, text in enumerate(wrapped):
            parts = [
                _fit('' if i else cell, widths[k], k in right)
                for k, cell in enumerate(front)
            ]
            parts.append(_fit(text, widths[-1], len(front) in right))
            lines.append(_GAP.join(parts).rstrip())
    return lines


def _fit(cell: str, width: int, right: bool) -> str:
    return cell.rjust(width) if right else cell.ljust(width)


def wrap(text: str, width: int, indent: str = '') -> List[str]:
    """Return ``text`` in lines; all but the first begin with ``indent``."""
    return textwrap.wrap(
        text,
        width,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
