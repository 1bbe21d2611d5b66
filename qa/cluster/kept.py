"""Folders in the cache: each built once, by the first program that asks."""

from typing import Any, Callable, Dict, List, Sequence

import fcntl
import json
import os
import pathlib
import shutil
import time

from . import claims
from .archive import ArchiveError, machine_archives
from .messages import say
from .settings import need_space

Record = Dict[str, Any]
# fills a folder from an address and a suite; returns what it is made of
Build = Callable[[pathlib.Path, str, str], Record]


def info(folder: pathlib.Path) -> Record:
    """Return what was recorded when the folder was built."""
    text = (folder / 'info.json').read_text(encoding='utf-8')
    found: Record = json.loads(text)
    return found


def made_of(folder: pathlib.Path, wanted: List[str]) -> bool:
    """Say whether a folder is complete, and of what is wanted today."""
    try:
        return bool(info(folder).get('wanted') == wanted)
    except FileNotFoundError:
        return False


def keep(
    target: pathlib.Path,
    wanted: List[str],
    suites: Sequence[str],
    gigabytes: float,
    build: Build,
    again: bool = False,
) -> None:
    """Build a folder of the cache unless it is there.

    One of other packages, made before some were added, is made anew.
    """
    cache = target.parent
    if made_of(target, wanted) and not again:
        return
    cache.mkdir(parents=True, exist_ok=True)
    with open(cache / '.lock', 'w', encoding='utf-8') as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if made_of(target, wanted) and not again:
            return  # another program built it meanwhile
        need_space(cache, gigabytes, 'fetching %s' % target.name)
        _clear(cache)
        work = cache / ('.build-' + target.name)
        try:
            started = time.monotonic()
            record = _of_any_suite(work, suites, build)
            record.update(
                wanted=wanted,
                seconds=round(time.monotonic() - started, 1),
                when=time.strftime('%Y-%m-%dT%H:%M:%SZ', time.gmtime()),
            )
            out = work / 'out'
            (out / 'info.json').write_text(json.dumps(record, indent=1))
            if target.exists():
                # Running clusters keep what they have mounted.
                old = cache / ('.old-%s-%d' % (target.name, time.time()))
                os.rename(str(target), str(old))
            os.rename(str(out), str(target))
        finally:
            shutil.rmtree(str(work), ignore_errors=True)
            _clear(cache)


def _clear(cache: pathlib.Path) -> None:
    """Remove what crashes left, and what no cluster can still use."""
    leftovers = list(cache.glob('.build-*'))
    if not claims.users_of(cache):
        leftovers += cache.glob('.old-*')
    for leftover in leftovers:
        shutil.rmtree(str(leftover))


def _of_any_suite(
    work: pathlib.Path, suites: Sequence[str], build: Build
) -> Record:
    """Try every archive and suite until one can be installed."""
    failures: List[ArchiveError] = []
    for uri in machine_archives():
        for suite in suites:
            if failures:
                say('%s; trying %s %s' % (failures[-1], uri, suite))
            shutil.rmtree(str(work), ignore_errors=True)
            (work / 'out').mkdir(parents=True)
            try:
                record = build(work, uri, suite)
            except ArchiveError as error:
                failures.append(error)
            else:
                return {'archive': uri, 'suite': suite, **record}
    raise failures[0]
