"""Commands that the manual prints to be pasted, by page and section."""

from typing import List

import pathlib
import re

PAGES = pathlib.Path(__file__).resolve().parents[2] / 'doc/mgr/perfcompare'
PROMPT = '.. prompt:: bash #'


def section(page: str, title: str) -> str:
    """Return the text of a section of a page."""
    text = (PAGES / (page + '.rst')).read_text(encoding='utf-8')
    parts = re.split(r'^(.+)\n[=]{4,}\n', text, flags=re.M)
    found = dict(zip(parts[1::2], parts[2::2]))
    return found[title]


def commands(page: str, title: str) -> List[List[str]]:
    """Return the commands of each prompt of a section, as printed."""
    blocks = []
    for part in section(page, title).split(PROMPT + '\n')[1:]:
        lines = re.match(r'(?:\n|   .*\n)+', part)
        assert lines, part
        text = lines.group(0).replace('\\\n', ' ')
        found = [line.strip() for line in text.split('\n') if line.strip()]
        blocks.append([re.sub(r' {2,}', ' ', line) for line in found])
    return blocks


def inline(page: str, word: str) -> List[str]:
    """Return the commands within sentences that have a word, as printed."""
    text = (PAGES / (page + '.rst')).read_text(encoding='utf-8')
    return [c for c in re.findall(r'``(ceph [^`]+)``', text) if word in c]
