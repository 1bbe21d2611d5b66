"""Draw what the benchmarks of known truth found, for the manual.

Each interval of `results/truth.jsonl` is a line, in order of its estimate and
in the color of its verdict. As with `truth.py --sum`, rows whose groups did
not do what they were held to are left out: their true ratio is not known.
How wide the intervals of `results/pairs.jsonl` are is drawn over the length
of trials. What is drawn is the same bytes each time.

    tox run -e draw
"""

from typing import Any, Dict, List, NamedTuple, Tuple

import collections
import json
import math
import pathlib

import matplotlib
import pairs
import truth
from matplotlib import pyplot

TOP = pathlib.Path(__file__).parents[2]
RESULTS = TOP / 'qa/bench/results'
IMAGES = TOP / 'doc/mgr/perfcompare/images'
GAP = 12  # places between the rows of two true ratios
EDGE = 0.12  # of the truth, shown on each side of it
# of ColorBrewer's Dark2 and greys; told apart by those who see no red
COLORS = {
    'slower': '#d95f02',
    'faster': '#7570b3',
    'no difference shown': '#1b9e77',
    'inconclusive': '#8c8c8c',
}
STYLE = {
    'font.size': 9,
    'svg.fonttype': 'none',
    'svg.hashsalt': 'perfcompare',
    'axes.spines.top': False,
    'axes.spines.right': False,
    'legend.frameon': False,
}


class Known(NamedTuple):
    """Keep one row whose true ratio is known, as parts of the truth."""

    ratio: float
    low: float
    high: float
    verdict: str  # a key of COLORS


def read(name: str) -> List[Dict[str, Any]]:
    """Return the reports of a results file."""
    text = (RESULTS / name).read_text()
    return [json.loads(line) for line in text.splitlines()]


def verdict(text: str) -> str:
    """Return which color a verdict has; "at least" does not change it."""
    return next(name for name in COLORS if text.startswith(name))


def known() -> Dict[float, List[Known]]:
    """Return the rows of RADOS loads by their true ratio, as measured."""
    found: Dict[float, List[Known]] = collections.defaultdict(list)
    for line in read('truth.jsonl'):
        report = truth.Report(**line)
        if report.driver != 'rados':
            continue
        for row in report.rows:
            if not row['low'] or not truth.held(row):
                continue
            low, high = truth.interval(report, row)
            true = report.true
            what = verdict(row['verdict'])
            ratio = row['ratio'] / true
            found[true].append(Known(ratio, low / true, high / true, what))
    return found


def draw_truth() -> pyplot.Figure:
    """Return the intervals of all rows, beside each other."""
    figure, axes = pyplot.subplots(figsize=(9, 3.6), layout='constrained')
    lines: Dict[str, List[Tuple[int, Known]]] = collections.defaultdict(list)
    place, ticks = 0, {}
    for true, rows in sorted(known().items(), reverse=True):
        begin = place
        for row in sorted(rows):
            lines[row.verdict].append((place, row))
            place += 1
        ticks[(begin + place - 1) / 2] = f'{true:g}\n{len(rows)} rows'
        place += GAP
    axes.axhline(1.0, color='black', linewidth=0.6)
    for name, color in COLORS.items():
        at = [place for place, _ in lines[name]]
        rows = [row for _, row in lines[name]]
        if rows:
            axes.vlines(
                at, [r.low for r in rows], [r.high for r in rows],
                color=color, linewidth=0.8, label=f'{name} ({len(rows)})',
            )  # fmt: skip
            axes.scatter(at, [r.ratio for r in rows], s=1.5, color=color)
    axes.set_ylim(1 - EDGE, 1 + EDGE)
    axes.set_xlim(-GAP, place)
    axes.set_xticks(list(ticks), list(ticks.values()))
    axes.set_xlabel('true ratio')
    axes.set_ylabel('interval / true ratio')
    axes.legend(loc='lower center', ncols=4, bbox_to_anchor=(0.5, 1.0))
    return figure


def draw_pairs() -> pyplot.Figure:
    """Return half-widths at equal minutes, over the length of trials."""
    reports = [pairs.Report(**line) for line in read('pairs.jsonl')]
    wall = sorted(report.wall for report in reports)[len(reports) // 2]
    lengths = collections.defaultdict(set)
    for report in reports:
        lengths[report.op].add(report.seconds)
    ops = sorted(op for op, found in lengths.items() if len(found) > 1)
    figure, all_axes = pyplot.subplots(
        1, len(ops), figsize=(9, 3.2), sharey=True, layout='constrained'
    )
    for op, axes in zip(ops, all_axes):
        for alone, marker in ((True, 'o'), (False, 'x')):
            drawn = [
                (run.seconds, 100 * math.expm1(pairs.width(run, wall)))
                for run in reports
                if run.op == op and run.low and run.alone == alone
            ]
            if drawn:
                axes.scatter(
                    *zip(*drawn), marker=marker, color='#1b9e77',
                    label='alone' if alone else 'beside other work',
                )  # fmt: skip
        axes.set_title(op)
        axes.set_xlabel('seconds of a trial')
        axes.set_xlim(0, max(pairs.LENGTHS) + 2)
    all_axes[-1].legend(loc='lower right')
    all_axes[0].set_ylim(bottom=0)
    all_axes[0].set_ylabel(f'half-width in {wall:.0f} s, %')
    return figure


def main() -> None:
    """Write both pictures."""
    matplotlib.use('svg')
    with pyplot.rc_context(STYLE):
        for name, figure in (
            ('truth', draw_truth()),
            ('pairs', draw_pairs()),
        ):
            figure.savefig(IMAGES / f'{name}.svg', metadata={'Date': None})
            pyplot.close(figure)


if __name__ == '__main__':
    main()
