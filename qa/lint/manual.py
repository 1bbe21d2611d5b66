"""Build the manual with Sphinx, as Ceph builds its own, and refuse mistakes.

    manual.py doc                check the pages
    manual.py --html FOLDER doc  and put them there, to be read in a browser
    manual.py --ceph TREE doc    with Ceph's own extension, of a checkout of
                                 Ceph, in place of ceph_docs.py

Any warning of Sphinx is a mistake, and so is a reference that leads nowhere,
which Ceph's build passes over in silence. One page more, with mistakes made on
purpose, shows in each build that they are found. The way to our pages is the
entry that packaging/doc-mgr-index.patch makes in Ceph's list of modules; what
it adds to Ceph's health checks is built as well.
"""

from typing import Any, Dict, List, Optional

import argparse
import io
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import reference
from sphinx.application import Sphinx

HERE = pathlib.Path(__file__).resolve().parent
MODULES = HERE.parents[1] / 'src' / 'pybind' / 'mgr'
PATCH = HERE.parents[1] / 'packaging' / 'doc-mgr-index.patch'
# where a message of Sphinx begins; what it cites follows in lines of its own
MESSAGE = re.compile(r'^(?=\S+(?::\d+)?: (?:WARNING|ERROR|CRITICAL))', re.M)
# the entries beside ours in Ceph's page; see its doc/mgr/index.rst
INDEX = """\
Ceph Manager Daemon
===================

.. toctree::
    :maxdepth: 1

    Prometheus module <prometheus>
    Influx module <influx>
"""
# what stands around our health checks; see its
# doc/rados/operations/health-checks.rst
CHECKS = """\
Health checks
=============

Manager
-------

MGR_MODULE_ERROR
________________

A manager module has experienced an unexpected error.

OSDs
----

OSD_DOWN
________

One or more OSDs are marked "down".
"""
ROOT = """\
Pages
=====

.. toctree::

   mgr/index
   rados/operations/health-checks
   dev/perfcompare
   mistakes
"""
MISTAKES = """\
Mistakes
========

:confval:`enable_pool_delete`
:confval:`mgr/perfcompare/max_durations`
:ref:`mgr-perfcompare-nowhere`
:doc:`mgr/perfcompare/nowhere`

.. mgr_module:: perfcompare
.. confval:: enable_pool_delet
"""
FOUND = (
    'target not found: enable_pool_delete ',
    'target not found: mgr/perfcompare/max_durations ',
    'undefined label',
    'unknown document',
    'Option "enable_pool_delet" not found!',
)


def conf(ceph: Optional[pathlib.Path]) -> str:
    """Return the text of conf.py; ``ceph`` is a checkout of Ceph."""
    options: Dict[str, Any] = {
        'project': 'Ceph',
        'extensions': ['sphinx_prompt', 'ceph_docs'],
        'nitpicky': True,
        'html_theme': 'basic',
        'smartquotes': False,
    }
    if ceph:
        # Ceph's imports the module once more, in a mocked ceph-mgr
        for name in [n for n in sys.modules if n.startswith('perfcompare')]:
            del sys.modules[name]
        sys.path.insert(0, str(ceph.resolve() / 'doc' / '_ext'))
        sources = ('src/pybind/mgr', 'src/pybind', 'src/python-common')
        options.update(
            extensions=['sphinx_prompt', 'ceph_confval'],
            ceph_confval_mgr_module_path=str(MODULES),
            ceph_confval_mgr_python_path=':'.join(
                str(ceph.resolve() / source) for source in sources
            ),
        )
    return ''.join(f'{k} = {v!r}\n' for k, v in options.items())


def patched(source: pathlib.Path) -> None:
    """Make the pages of Ceph's manual that have ours, by the patch."""
    for name in ('prometheus', 'influx'):
        page = source / 'mgr' / f'{name}.rst'
        page.write_text(f'{name}\n==========\n')
    checks = source / 'rados' / 'operations' / 'health-checks.rst'
    checks.parent.mkdir(parents=True)
    checks.write_text(CHECKS, encoding='utf-8')
    (source / 'mgr' / 'index.rst').write_text(INDEX, encoding='utf-8')
    subprocess.run(
        ['git', 'apply', str(PATCH)], cwd=source.parent, check=True
    )


def warnings(
    doc: pathlib.Path, html: pathlib.Path, ceph: Optional[pathlib.Path]
) -> List[str]:
    """Build the pages of ``doc`` into ``html``; return Sphinx's warnings."""
    heard = io.StringIO()
    with tempfile.TemporaryDirectory() as folder:
        source = pathlib.Path(folder, 'doc')
        shutil.copytree(doc, source)
        for name, text in (('index', ROOT), ('mistakes', MISTAKES)):
            (source / f'{name}.rst').write_text(text, encoding='utf-8')
        (source / 'conf.py').write_text(conf(ceph), encoding='utf-8')
        patched(source)
        Sphinx(
            srcdir=source,
            confdir=source,
            outdir=html,
            doctreedir=pathlib.Path(folder, 'trees'),
            buildername='html',
            status=None,
            warning=heard,
        ).build(force_all=True)
        text = re.sub(r'\x1b\[[\d;]*m', '', heard.getvalue())
        text = text.replace(str(source), str(doc))
    return [m.strip() for m in MESSAGE.split(text) if m.strip()]


def beside(heard: List[str]) -> List[str]:
    """Take out the mistakes that were made on purpose; miss none of them."""
    made = '\n'.join(m for m in heard if 'mistakes.rst:' in m)
    missed = [f'no longer found: {f}' for f in FOUND if f not in made]
    return missed + [m for m in heard if 'mistakes.rst:' not in m]


def main(words: List[str]) -> int:
    """Check the pages of a folder; return 1 on any mistake."""
    parser = argparse.ArgumentParser(
        description='Build the manual, and refuse mistakes.'
    )
    parser.add_argument('doc', type=pathlib.Path, help='folder of the pages')
    parser.add_argument('--html', type=pathlib.Path, help='keep them here')
    parser.add_argument('--ceph', type=pathlib.Path, help='checkout of Ceph')
    asked = parser.parse_args(words)
    stale = reference.stale()
    pages = len(list(asked.doc.rglob('*.rst')))
    with tempfile.TemporaryDirectory() as folder:
        html = (asked.html or pathlib.Path(folder, 'html')).resolve()
        heard = warnings(asked.doc, html, asked.ceph)
        for name in ('mistakes.html', '_sources/mistakes.rst.txt'):
            (html / name).unlink(missing_ok=True)
    wrong = beside(heard) + stale
    for line in wrong:
        print(line, file=sys.stderr)
    print(f'{pages} pages, {len(wrong)} mistakes')
    return 1 if wrong or not pages else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
