"""Find what perfcompare left in a cluster, by plain ceph commands.

For the day on which the module cannot do it: its Managers are gone, or it is
disabled. Prints what it finds; with --yes, undoes what the journal of runs
names, as the module would: OSDs come back, options get their former values,
what a run made is removed. An entry is forgotten when the cluster shows that
it is undone. Groups that were set, options of the module and stored results
stay.
"""

from typing import Optional, Sequence

import argparse
import json
import sys
import time

from . import folders, strays
from .ceph import Ceph, Failed, data, told
from .entries import ACTIVE, JOURNAL, read_all
from .names import plain
from .report import Report
from .undoing import Undoing
from .view import View

DISABLE = 'ceph mgr module disable perfcompare'


def refuse_active(ceph: Ceph, noted: Sequence[str]) -> None:
    """Refuse while the module works, or may begin to at any time."""
    words = ('mgr', 'module', 'ls', '--format', 'json')
    modules = data(ceph.run(words), told(words))
    if 'perfcompare' not in modules['enabled_modules']:
        return
    try:
        text = ceph.run(('perfcompare', 'status', '--format', 'json'))
        status = data(text, 'ceph perfcompare status')
    except Failed as error:
        raise Failed(
            'the module is enabled and does not answer (%s); so that no '
            'Manager takes up its work meanwhile: %s' % (error, DISABLE)
        ) from None
    if status.get('progress'):
        run = status['progress']['run']
        raise Failed(
            'run %s is active; cancel it: ceph perfcompare cancel %s'
            % (run, run)
        )
    if noted:
        raise Failed(
            'a Manager is about to take up or to undo a run; wait for it '
            '(ceph perfcompare status), or: ' + DISABLE
        )


def active_run(ceph: Ceph, noted: Sequence[str]) -> str:
    """Return the run that a Manager would take up, '' for none."""
    if ACTIVE + 'head' not in noted:
        return ''
    try:
        head = json.loads(ceph.run(('config-key', 'get', ACTIVE + 'head')))
        return str(head['run'])
    except (Failed, ValueError, KeyError, TypeError):
        return ''


def forget_active(
    ceph: Ceph, run: str, noted: Sequence[str], report: Report, act: bool
) -> None:
    """See that no Manager goes on with a run that is undone here."""
    if not noted:
        return
    name = 'record of the run under way ' + run
    if not act:
        report.would(name.strip(), told(('config-key', 'rm', noted[0])))
        return
    # without its head the rest is nothing to a Manager
    for key in sorted(noted, key=lambda k: k != ACTIVE + 'head'):
        ceph.run(('config-key', 'rm', key))
    report.undone(name.strip())


def arguments(words: Optional[Sequence[str]]) -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog='cleanup', description=' '.join((__doc__ or '').split())
    )
    parser.add_argument(
        '--yes', action='store_true', help='undo what is found'
    )
    parser.add_argument(
        '--ceph', default='ceph',
        help='command to use (default: ceph), e.g. "cephadm shell -- ceph"',
    )  # fmt: skip
    parser.add_argument(
        '--run-dir', action='append', default=[],
        help='folder on this host to look in for private folders of runs '
        'and in those of clusters of cephadm (default: /run/ceph and /tmp)',
    )  # fmt: skip
    return parser.parse_args(words)


def clean(ceph: Ceph, bases: Sequence[str], act: bool) -> int:
    """Find and, if asked to, undo; return the exit code. Raises Failed.

    It is 1 while anything is left, also where it was only looked for.
    """
    view, report = View(ceph), Report()
    noted = view.stored(ACTIVE)
    refuse_active(ceph, noted)
    entries, _ = read_all(view.journal())
    run = active_run(ceph, noted)
    runs = {key[len(JOURNAL) :].split('/')[0] for key in view.journal()}
    ours, others = folders.find(bases, runs | {run})
    forget_active(ceph, run, noted, report, act)
    Undoing(ceph, view, report, act, time.sleep).execute()
    folders.remove(ours, report, act)
    for path in others:
        report.doubtful(
            'folders',
            'folder %s: its run is not of this cluster' % path,
            'if you know it: rm -r ' + path,
        )
    view.refresh()
    # what is still noted is told above
    strays.tell(view, entries, report)
    doubtful = report.end_doubtful()
    if not act and (report.found or report.left):
        print('nothing was changed; add --yes to undo all of this')
        return 1
    if report.left:
        print('%d left; see above' % report.left)
        return 1
    print(
        'nothing that perfcompare noted is left'
        if doubtful
        else 'nothing of perfcompare is left'
    )
    return 0


def main(words: Optional[Sequence[str]] = None) -> int:
    """Find, print and, if asked to, undo."""
    args = arguments(words)
    bases = args.run_dir or ['/run/ceph', '/tmp']
    try:
        return clean(Ceph(args.ceph), bases, args.yes)
    except Failed as error:
        print('cleanup: %s' % plain(str(error)), file=sys.stderr)
        return 1
