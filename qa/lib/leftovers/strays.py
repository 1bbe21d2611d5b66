"""Things named like those of runs that no journal entry knows.

They are told and never removed: a name is no proof. So are keys of load
hosts, which are of no run.
"""

from typing import Iterator, List, NamedTuple, Set, Tuple

from .ceph import Failed, told
from .entries import Entry
from .gateways import section
from .names import AGENT, run_of
from .report import Report
from .verdicts import Words
from .view import View


class Stray(NamedTuple):
    """Name one thing, and the command that removes it."""

    kind: str
    name: str
    words: Words


def _all(view: View) -> Iterator[Stray]:
    for name in sorted(view.pools()):
        words: Words = ('osd', 'pool', 'rm', name, name)
        yield Stray('pool', name, words + ('--yes-i-really-really-mean-it',))
    for name in sorted(view.rules()):
        yield Stray('rule', name, ('osd', 'crush', 'rule', 'rm', name))
    for name in sorted(view.profiles()):
        words = ('osd', 'erasure-code-profile', 'rm', name)
        yield Stray('ec_profile', name, words)
    for name in view.roots():
        yield Stray('root', name, ('osd', 'crush', 'rm', name))
    for name in view.entities():
        yield Stray('key', name, ('auth', 'rm', name))
    for who in sorted({who for who, _ in view.options()}):
        if who.startswith('client.rgw.'):
            yield Stray('options of', who, ('config', 'rm', who, '<option>'))


def _known(entries: List[Entry]) -> Tuple[Set[Tuple[str, str]], List[str]]:
    known = {(e.kind, e.name) for e in entries}
    known |= {
        ('rule', e.name)
        for e in entries
        if e.kind == 'pool' and e.detail.get('erasure')
    }
    known |= {
        ('options of', e.detail.get('who', ''))
        for e in entries
        if e.kind == 'config'
    }
    services = [section(e.name) for e in entries if e.kind == 'service']
    return known | {('options of', s) for s in services}, services


def tell(view: View, entries: List[Entry], report: Report) -> None:
    """Tell of strays; ``entries`` is the journal as it was at first."""
    known, services = _known(entries)
    begins = tuple(s + '.' for s in services)
    try:
        for stray in _all(view):
            if run_of(stray.name) is None or stray[:2] in known:
                continue
            if stray.kind == 'key' and stray.name.startswith(begins):
                continue
            report.doubtful(
                'things without a journal entry',
                '%s %s: no journal entry says that a run made it'
                % (stray.kind, stray.name),
                'if you know it: ' + told(stray.words),
            )
        _tell_agents(view, report)
    except Failed as error:
        report.doubtful('lists', str(error), 'try again')


def _tell_agents(view: View, report: Report) -> None:
    for name in view.entities():
        if name.startswith(AGENT):
            report.doubtful(
                'keys of load hosts',
                'key %s: of a load host, and of no run' % name,
                'if it is to be one no more: ' + told(('auth', 'rm', name)),
            )
