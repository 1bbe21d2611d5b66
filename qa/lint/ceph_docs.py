"""Stand in for the Sphinx extension of Ceph's manual that knows options.

Ceph's own, ``doc/_ext/ceph_confval.py``, imports a Manager module together
with stand-ins for ceph-mgr, which only Ceph's tree has; ``manual.py --ceph
<tree>`` builds with that one. This one behaves as it does where our pages use
it, and reads ``common/settings.py``, which needs no Ceph:

* ``.. mgr_module:: perfcompare`` says whose options follow;
* ``.. confval:: <option>`` describes one, by its declaration, under the name
  ``mgr/perfcompare/<option>``, and fails for one that is not declared;
* ``:confval:`mgr/perfcompare/<option>``` leads there; no shorter name does.
"""

from typing import Any, Dict, List

from docutils import nodes
from docutils.statemachine import StringList
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.directives import ObjectDescription
from sphinx.util.docutils import SphinxDirective
from sphinx.util.nodes import make_id

from perfcompare.common.settings import OPTIONS

CONTEXT = 'ceph:module'


class CephModule(SphinxDirective):
    """Name the Manager module whose options are documented."""

    required_arguments = 1

    def run(self) -> List[nodes.Node]:
        """Remember the name for the page; ``None`` forgets it."""
        self.env.ref_context.pop(CONTEXT, None)
        if self.arguments[0] != 'None':
            self.env.ref_context[CONTEXT] = self.arguments[0]
        return []


class CephOption(ObjectDescription[str]):
    """Describe an option of a module by its declaration."""

    required_arguments = 1

    def handle_signature(self, sig: str, signode: Any) -> str:
        """Show the option by its own name, and return its whole one."""
        signode.clear()
        signode += addnodes.desc_name(sig, sig)
        module = self.env.ref_context.get(CONTEXT)
        return f'mgr/{module}/{sig}' if module else sig

    def transform_content(self, content_node: Any) -> None:
        """Add description, type, default and range."""
        name = self.arguments[0]
        found = {o['name']: o for o in OPTIONS}.get(name)
        if found is None or not self.env.ref_context.get(CONTEXT):
            raise self.error(f'Option "{name}" not found!')
        lines = StringList(_described(found), source='<confval>')
        self.state.nested_parse(lines, 0, content_node)

    def add_target_and_index(self, name: str, sig: str, signode: Any) -> None:
        """Register the option under its whole name."""
        place = make_id(self.env, self.state.document, self.objtype, name)
        signode['ids'].append(place)
        self.state.document.note_explicit_target(signode)
        self.env.domains.standard_domain.note_object(
            self.objtype, name, place, location=signode
        )


def _described(option: Dict[str, Any]) -> List[str]:
    default = str(option['default'])
    if option['type'] == 'bool':
        default = default.lower()
    lines = [
        option['desc'],
        '',
        f':type: ``{option["type"]}``',
        f':default: ``{default}``' if default else ':default: <empty string>',
    ]
    lines += [f':{k}: ``{option[k]}``' for k in ('min', 'max') if k in option]
    return [*lines, '']


def setup(app: Sphinx) -> Dict[str, Any]:
    """Register the directives and the role."""
    app.add_object_type('confval', 'confval', objname='configuration option')
    app.add_directive_to_domain('std', 'mgr_module', CephModule)
    app.add_directive_to_domain('std', 'confval', CephOption, override=True)
    return {'parallel_read_safe': True, 'parallel_write_safe': True}
