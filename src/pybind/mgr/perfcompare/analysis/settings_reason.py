"""The validity reason of sides that differ in what must be equal.

It is a rule of the table in validity.py.
"""

from typing import Callable, List, Optional, Sequence, Tuple

from ..model.manifest import Manifest
from . import mixtures, option_changes
from .evidence import Missing, Reason, RowFacts, SideFacts, mean
from .mixtures import Mixture, Shares

Read = Callable[[Manifest], Optional[Shares]]


def release(version: str) -> str:
    """Return the release of a version: '20.2' of '20.2.4'."""
    return '.'.join(version.split('.')[:2])


def _whole(value: object) -> Optional[Shares]:
    return None if value is None else {mixtures.words(value): 1.0}


def _compression(manifest: Manifest) -> Optional[Shares]:
    value = manifest.compression
    if value is None:
        return None
    return mixtures.of_text(manifest, 'compression', value)


def _client(manifest: Manifest) -> Optional[Shares]:
    """Return which hosts made the load: several together are one client."""
    hosts = manifest.client_host
    return None if hosts is None else _whole(hosts.replace(', ', ' + '))


def _release(manifest: Manifest) -> Optional[Shares]:
    versions = manifest.ceph_version
    if not versions:
        return None
    found = mixtures.of_trial(manifest, 'ceph_version', versions)
    return mixtures.renamed(found, release)


_EQUAL: Tuple[Tuple[str, str, Read], ...] = (
    ('size', 'pool size', lambda m: _whole(m.size)),
    ('ec_profile', 'EC profile', lambda m: _whole(m.ec_profile)),
    ('compression', 'compression', _compression),
    ('ceph_version', 'release', _release),
    ('client_host', 'load from', _client),
)

# what decides how many PGs an OSD has: copies and shards count, too
_OF_PGS = frozenset(('pgs_per_osd', 'pg_num', 'size', 'ec_profile'))


def settings(facts: RowFacts) -> Optional[Reason]:
    """Compare what must be equal; what differs outweighs what is missing."""
    texts, lacks = [], []
    for key, words, read in _EQUAL:
        if key in facts.intended:
            continue
        try:
            texts += _unequal(facts, key, words, read)
        except Missing as lack:
            lacks.append(str(lack))
    try:
        texts += _pgs(facts)
    except Missing as lack:
        lacks.append(str(lack))
    changed, alike = option_changes.changes(facts)
    if texts or changed:
        return Reason('settings', True, '; '.join(texts + changed))
    if lacks:
        raise Missing(', '.join(lacks))
    return Reason('settings', False, '; '.join(alike)) if alike else None


def _unequal(facts: RowFacts, key: str, words: str, read: Read) -> List[str]:
    """Compare a field in each block, or over all trials of stored runs."""
    every = [[read(m) for m in side.manifests] for side in facts.sides]
    recorded = [[s for s in found if s is not None] for found in every]
    for side, found in zip(facts.sides, recorded):
        if not found:
            raise Missing(f'{key} of {side.group}')
    whole = [Mixture(found) for found in recorded]
    apart = whole[0].differs(whole[1])
    if facts.x:
        apart = any(
            Mixture([a]).differs(Mixture([b]), facts.same_osds)
            for a, b in zip(*every)
            if a is not None and b is not None
        )
    if not apart:
        return []
    text = _told(facts.sides, whole)
    alike = facts.x and not whole[0].differs(whole[1])
    return [f'{words}: {text}' + (', but not in each block' if alike else '')]


def _told(sides: Sequence[SideFacts], whole: Sequence[Mixture]) -> str:
    return ', '.join(
        f'{" or ".join(mixture.texts())} for {side.group}'
        for mixture, side in zip(whole, sides)
    )


def _pgs(facts: RowFacts) -> List[str]:
    """Compare PGs per OSD, unless they follow from what is intended."""
    if not _OF_PGS.isdisjoint(facts.intended):
        return []
    pgs = [mean(side, 'pgs_per_osd') for side in facts.sides]
    if not facts.limits.pgs_differ(pgs):
        return []
    return [f'PGs per OSD: {pgs[0]:.0f} and {pgs[1]:.0f}']
