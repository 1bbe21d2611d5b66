"""Wrong command lines: one clear line each, and nothing is changed."""

from typing import List

import shlex

import pytest

from .live import LiveCluster
from .provision import WIDE, Provider
from .state import ClusterState, differences
from .wrong_commands import ALL

CLUSTER = WIDE.name
SECONDS = 40
# what the `ceph` tool itself says of words that do not fit a command: it
# prints the usage beside it, and no module can change that
OF_THE_TOOL = ('Invalid command', 'no valid command', 'Missing required')


@pytest.fixture(scope='module')
def cluster(provider: Provider) -> LiveCluster:
    """Return a cluster with groups and profiles that make things wrong."""
    found = provider.get(WIDE)
    for words in (
        'perfcompare group set half --hosts n1,o1',
        'perfcompare group set lone --hosts n3',
        'osd erasure-code-profile set wide k=4 m=2 plugin=jerasure',
    ):
        found.ceph(*words.split(), fmt='')
    return found


def complaints(code: int, wanted: int, text: str, word: str) -> List[str]:
    """Return what is wrong with an answer to a wrong command."""
    lines = [line for line in text.strip().split('\n') if line]
    found = []
    if code != wanted:
        found.append('exit code %d, not %d' % (code, wanted))
    if word.lower() not in text.lower():
        found.append('does not mention %s' % word)
    if 'Traceback' in text or 'internal error' in text:
        found.append('an internal error')
    if len(lines) != 1 and not any(t in text for t in OF_THE_TOOL):
        found.append('%d lines' % len(lines))
    return found


def test_wrong_commands_say_what_is_wrong_and_change_nothing(
    cluster: LiveCluster,
) -> None:
    """Each of the table gets one line, the errno that fits, no change."""
    assert len(ALL) >= 40
    tracker = ClusterState(cluster)
    before = tracker.snapshot()
    stored = cluster.ceph('perfcompare', 'ls')
    wrong = []
    for words, wanted, word in ALL:
        done = cluster.exec(['ceph', 'perfcompare'] + shlex.split(words))
        bad = complaints(done.returncode, wanted, done.stderr, word)
        if done.stdout.strip():
            bad.append('output: %s' % done.stdout)
        if bad:
            wrong.append('%s: %s\n    %s' % (words, bad, done.stderr))
    assert not wrong, '\n'.join(wrong)
    assert differences(before, tracker.snapshot()) == []
    assert cluster.ceph('perfcompare', 'ls') == stored
    log = (cluster.dir / 'log' / 'mgr.x.log').read_text(encoding='utf-8')
    assert 'Traceback' not in log


@pytest.mark.parametrize(
    'text',
    ['', '{', '[]', '{"format": "perfcompare"}', 'x' * 5000, '\udcff\0'],
)
def test_wrong_files_are_refused(cluster: LiveCluster, text: str) -> None:
    """`import` of what is no export says so in one line."""
    path = cluster.dir / 'tmp' / 'wrong.json'
    path.write_text(text, encoding='utf-8', errors='surrogateescape')
    done = cluster.exec(['ceph', 'perfcompare', 'import', '-i', str(path)])
    path.unlink()
    assert done.returncode == 22, done.stderr
    assert len(done.stderr.strip().split('\n')) == 1
    assert 'internal' not in done.stderr and 'Traceback' not in done.stderr
