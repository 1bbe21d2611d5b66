"""The command line of the fault suite."""

from typing import List, Optional, Sequence, Tuple

import argparse
import json
import pathlib
import random
import shutil
import sys
import time

from cluster import settings
from cluster.api import CommandFailed
from cluster.messages import ClusterError

from . import kinds  # noqa: F401
from .cell import Cells
from .fault import REGISTRY, Fault
from .lab import Lab, Refused
from .observe import Observer
from .results import FAILED, Book, summary
from .states import BY_NAME, JOINT_S3, STATES, State
from .table import render

SOURCE = settings.CHECKOUT / 'src/pybind/mgr/perfcompare'
# one of each sort, where most can go wrong
SHORT: Tuple[Tuple[str, str], ...] = (
    ('trial', 'mgr-kill'),
    ('trial', 'osd-kill'),
    ('gentle-start', 'pool-rm'),
    ('undoing', 'mgr-fail'),
)

Cell = Tuple[State, Fault]


def cells(
    states: Sequence[str] = (), faults: Sequence[str] = ()
) -> List[Cell]:
    """Return all cells in which there is something to hit."""
    return [
        (state, fault)
        for state in STATES
        if not states or state.name in states
        for fault in REGISTRY.values()
        if not faults or fault.name in faults
        if fault.applies(state)
    ]


def named(text: str) -> Cell:
    """Return the cell that is named STATE/FAULT."""
    state, _, fault = text.partition('/')
    found = cells([state], [fault]) if state and fault else []
    if not found:
        raise argparse.ArgumentTypeError(
            "'%s' is no cell; --list names all" % text
        )
    return found[0]


def short() -> List[Cell]:
    """Return the cells of the short form."""
    return [(BY_NAME[s], REGISTRY[f]) for s, f in SHORT]


def copy_module(target: pathlib.Path) -> None:
    """Make the copy of the module that faults may change."""
    target.mkdir(parents=True, exist_ok=True)
    for old in target.iterdir():  # the folder itself may be mounted
        shutil.rmtree(str(old)) if old.is_dir() else old.unlink()
    shutil.copytree(
        str(SOURCE), str(target), dirs_exist_ok=True,
        ignore=shutil.ignore_patterns('__pycache__', 'tests'),
    )  # fmt: skip


def parser() -> argparse.ArgumentParser:
    """Return the parser of the options."""
    top = argparse.ArgumentParser(
        prog='qa/faults',
        description='Try faults in all states of runs and recovery tests.',
    )
    top.add_argument(
        '--short', action='store_true', help='a handful, as qa/check does'
    )
    top.add_argument(
        '--only', nargs='+', default=[], metavar='FAULT',
        choices=list(REGISTRY), help=', '.join(REGISTRY),
    )  # fmt: skip
    top.add_argument(
        '--state', nargs='+', default=[], metavar='STATE',
        choices=list(BY_NAME), help=', '.join(BY_NAME),
    )  # fmt: skip
    top.add_argument(
        '--cell',
        nargs='+',
        default=[],
        metavar='STATE/FAULT',
        type=named,
        help='these cells, in this order',
    )
    top.add_argument(
        '--seed', type=int, help='try cells in the order of this seed'
    )
    top.add_argument(
        '--minutes', type=float, help='start no cell after this time'
    )
    top.add_argument(
        '--again', action='store_true', help='also cells that survived'
    )
    top.add_argument(
        '--dir', default='/var/tmp/pc-faults', help='cluster and results'
    )
    top.add_argument(
        '--keep', action='store_true', help='leave the cluster up'
    )
    top.add_argument(
        '--list', action='store_true', help='name the cells and end'
    )
    top.add_argument(
        '--table', action='store_true', help='show the results and end'
    )
    return top


def chosen(args: argparse.Namespace, book: Book) -> List[Cell]:
    """Return the cells to be tried now."""
    if args.short:
        found = short()
    elif args.cell:
        found = list(args.cell)
    else:
        found = cells(args.state, args.only)
    if not args.again:
        found = [c for c in found if not book.done(c[0].name, c[1].name)]
    if args.seed is not None:
        random.Random(args.seed).shuffle(found)
    return found


def main(argv: Optional[Sequence[str]] = None) -> int:
    """Run the program; exit with 1 when a cell failed."""
    args = parser().parse_args(argv)
    folder = pathlib.Path(args.dir).resolve()
    book = Book(folder / 'results.jsonl')
    if args.list:
        found = cells(args.state, args.only)
        for state, fault in found:
            print('%-18s %s' % (state.name, fault.name))
        print('%d cells' % len(found))
        return 0
    if not args.table:
        try:
            settings.need_root()
            _try_all(args, folder, book)
        except (ClusterError, CommandFailed, Refused) as error:
            print('qa/faults: %s' % error, file=sys.stderr)
            return 1
    results = book.all()
    text = json.dumps(summary(results), indent=1)
    if results:
        (folder / 'summary.json').write_text(text + '\n', encoding='utf-8')
    print(render(results, [s.name for s in STATES]))
    return 1 if any(r.verdict == FAILED for r in results) else 0


def _try_all(
    args: argparse.Namespace, folder: pathlib.Path, book: Book
) -> None:
    """Try the cells, those that need load hosts on a cluster with some."""
    todo = chosen(args, book)
    deadline = None
    if args.minutes is not None:
        deadline = time.monotonic() + 60.0 * args.minutes
    copy_module(folder / 'module')
    for joint in (False, True):
        own = [cell for cell in todo if cell[0].joint is joint]
        if own:
            name = 'load-hosts' if joint else 'cluster'
            served = any(state.kind == JOINT_S3 for state, _ in own)
            lab = Lab(folder / name, folder / 'module', joint, served)
            _try(lab, own, deadline, args.keep, book)


def _try(
    lab: Lab,
    todo: Sequence[Cell],
    deadline: Optional[float],
    keep: bool,
    book: Book,
) -> None:
    """Try cells on one cluster, which is brought up for them."""
    lab.up()
    try:
        observer = Observer(lab)
        all_cells = Cells(lab, observer)
        all_cells.begin()
        for number, (state, fault) in enumerate(todo, 1):
            if deadline is not None and time.monotonic() > deadline:
                print('%d cells are left for another time' % (
                    len(todo) - number + 1
                ))  # fmt: skip
                break
            result = all_cells.run(state, fault)
            book.add(result)
            print(
                '%3d/%d %-16s %-16s %-8s %5.1f s (%s)  %s %s'
                % (
                    number, len(todo), state.name, fault.name,
                    result.verdict, result.seconds,
                    ', '.join('%s %.0f' % s for s in result.steps.items()),
                    result.ended,
                    '; '.join([result.reason, *result.problems,
                               *result.leftovers, *result.foreign,
                               *result.crashes]),
                ),
                flush=True,
            )  # fmt: skip
    finally:
        if keep:
            lab.close()
        else:
            lab.down()
