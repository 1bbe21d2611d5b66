"""Check the manual: it parses, its references lead somewhere, none is stale.

Ceph builds its manual with Sphinx and directives of its own; this knows just
enough of them to find mistakes in ours with docutils alone.
"""

from typing import Any, ClassVar, Dict, List, Set, Tuple

import pathlib
import re
import sys

import reference
from docutils import nodes
from docutils.core import publish_doctree
from docutils.parsers.rst import Directive, directives, roles

REFERENCE = re.compile(r':(ref|doc|confval):`(?:[^`<]*<)?([^`>]+)>?`')
LABEL = re.compile(r'^\.\. _([^:]+):\s*$', re.MULTILINE)
CONFVAL = re.compile(r'^\.\. confval:: (\S+)', re.MULTILINE)
TOCTREE = re.compile(r'^\.\. toctree::\n(?:   .*\n|\n)+', re.MULTILINE)
# labels of Ceph's own manual that ours may lead to
CEPHS = {'mgr-dashboard', 'cephadm-mgr-service', 'rados-pools'}


class Literal(Directive):
    """Take any content as it is (prompt)."""

    has_content = True
    optional_arguments = 2

    def run(self) -> List[nodes.Node]:
        """Return the content as a literal block."""
        text = '\n'.join(self.content)
        return [nodes.literal_block(text, text)]


class Described(Directive):
    """Parse the content (confval)."""

    has_content = True
    required_arguments = 1

    def run(self) -> List[nodes.Node]:
        """Return the parsed content."""
        box = nodes.container()
        self.state.nested_parse(self.content, self.content_offset, box)
        return [box]


class Nothing(Directive):
    """Leave no trace (mgr_module, toctree)."""

    has_content = True
    optional_arguments = 1
    option_spec: ClassVar[Dict[str, Any]] = {
        'maxdepth': directives.nonnegative_int,
        'hidden': directives.flag,
    }

    def run(self) -> List[nodes.Node]:
        """Return nothing."""
        return []


def _register() -> None:
    directives.register_directive('prompt', Literal)
    directives.register_directive('confval', Described)
    directives.register_directive('mgr_module', Nothing)
    directives.register_directive('toctree', Nothing)
    for name in ('ref', 'doc', 'confval'):
        roles.register_generic_role(name, nodes.literal)


def _targets(
    sources: Dict[pathlib.Path, str],
) -> Tuple[Set[str], Set[str]]:
    text = '\n'.join(sources.values())
    return set(LABEL.findall(text)) | CEPHS, set(CONFVAL.findall(text))


def broken_references(sources: Dict[pathlib.Path, str]) -> List[str]:
    """Return a line for each reference that leads nowhere."""
    labels, options = _targets(sources)
    lines = []
    for path, text in sources.items():
        documents = [
            (path.parent / entry.strip())
            for tree in TOCTREE.findall(text)
            for entry in tree.splitlines()[1:]
            if entry.strip() and not entry.strip().startswith(':')
        ]
        for kind, target in REFERENCE.findall(text):
            if kind == 'doc':
                documents.append(path.parent / target)
            elif target not in (labels if kind == 'ref' else options):
                lines.append(f'{path}: {kind} {target!r} leads nowhere')
        lines += [
            f'{path}: there is no {document}.rst'
            for document in documents
            if not document.with_suffix('.rst').is_file()
        ]
    return lines


def main(folders: List[str]) -> int:
    """Check all .rst files below ``folders``; return 1 on any mistake."""
    _register()
    files = sorted(p for f in folders for p in pathlib.Path(f).rglob('*.rst'))
    sources = {path: path.read_text(encoding='utf-8') for path in files}
    wrong = broken_references(sources) + reference.stale()
    for path, text in sources.items():
        settings = {
            'report_level': 2,
            'halt_level': 5,
            'syntax_highlight': 'none',
            'warning_stream': False,
        }
        tree = publish_doctree(
            text, source_path=str(path), settings_overrides=settings
        )
        wrong += [
            f'{path}: {m.astext()}'
            for m in tree.findall(nodes.system_message)
            if m['level'] >= 2
        ]
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{len(files)} pages, {len(wrong)} mistakes')
    return 1 if wrong or not files else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
