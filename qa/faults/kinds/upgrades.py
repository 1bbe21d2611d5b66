"""The module changes in mid-run: its plans, entries, and schema."""

from typing import Any, Callable, Dict

import base64
import json
import pathlib
import shutil
import zlib

from integration.waiting import wait_for

from ..fault import Fault, Scene, fault
from ..lab import Lab, Refused
from ..states import State

ACTIVE = 'mgr/perfcompare/active/'
JOURNAL = 'mgr/perfcompare/journal/'
PLAN_CLASS = 'class RunPlan:\n'
STEPS_END = 'def version(conn: sqlite3.Connection) -> int:\n'
WAY_BACK = '''

_upgrade = upgrade


def upgrade(conn, steps=STEPS):
    conn.execute(MGR_SCHEMA[0])
    conn.execute('DROP TABLE IF EXISTS upgraded_by_test')
    conn.execute(
        "UPDATE PerfcompareMeta SET value = ? WHERE key = 'schema' "
        "AND value > ?",
        (len(STEPS), len(STEPS)),
    )
    _upgrade(conn, steps)
'''
NOT_RESUMED = {'completed': '', 'interrupted': 'not resumed|read'}


def stored(lab: Lab, prefix: str) -> Dict[str, str]:
    """Return the values that the module keeps in the mon store."""
    found: Dict[str, str] = lab.see('config-key dump', key=prefix)
    return found


def change_plan(lab: Lab, change: Callable[[Any], None]) -> None:
    """Rewrite the stored run, as another version would have written it."""
    keys = stored(lab, ACTIVE)
    chunks = sorted(k for k in keys if '/plan/' in k)
    text = zlib.decompress(base64.b64decode(''.join(keys[k] for k in chunks)))
    data = json.loads(text)
    change(data)
    packed = base64.b64encode(zlib.compress(json.dumps(data).encode(), 9))
    whole = packed.decode()
    size = -(-len(whole) // len(chunks))
    for number, key in enumerate(chunks):
        part = whole[number * size : (number + 1) * size]
        lab.tell('config-key set', key=key, val=part)


class _Upgrade(Fault):
    """Change what is stored, and have the standby take over."""

    outcomes = NOT_RESUMED

    def change(self, lab: Lab) -> None:
        """Change it."""

    def inject(self, scene: Scene) -> None:
        """Stop the mgr in its tracks meanwhile: it must not write."""
        lab = scene.lab
        active = lab.active()
        lab.kill('mgr.' + active)
        self.change(lab)
        lab.start('mgr.' + active)

    def applies(self, state: State) -> bool:
        """Apply where a run is stored for sure."""
        return not state.then


@fault
class PlanField(_Upgrade):
    """The plan has a field that this version does not know."""

    name = 'plan-field'

    def change(self, lab: Lab) -> None:
        """Add it."""
        change_plan(lab, lambda data: data['plan'].update(unheard_of=1))


@fault
class PlanFieldLost(_Upgrade):
    """The plan lacks a field that this version needs."""

    name = 'plan-field-lost'

    def change(self, lab: Lab) -> None:
        """Remove it."""
        change_plan(lab, lambda data: data['plan'].pop('profile'))


@fault
class EntryField(_Upgrade):
    """Journal entries have a field that this version does not know."""

    name = 'entry-field'

    def change(self, lab: Lab) -> None:
        """Add it to an entry that tells of nothing in the cluster."""
        for key, text in sorted(stored(lab, JOURNAL).items()):
            data = json.loads(text)
            data['unheard_of'] = 'x'
            lab.tell('config-key set', key=key, val=json.dumps(data))


@fault
class ModuleUpgraded(Fault):
    """A version with another plan and another schema is installed."""

    name = 'module-upgraded'
    outcomes = NOT_RESUMED

    def ready(self, scene: Scene) -> None:
        """Note the files that are changed."""
        for marker in (PLAN_CLASS, STEPS_END):
            path = file_with(scene.lab.module, marker)
            scene.noted[str(path)] = path.read_text(encoding='utf-8')

    def inject(self, scene: Scene) -> None:
        """Write them, and have both managers restart."""
        files = {n: newer(text) for n, text in scene.noted.items()}
        self._restart(scene, files)

    def _restart(self, scene: Scene, files: Dict[str, str]) -> None:
        """Install files, and start managers with them."""
        lab = scene.lab
        for name in ('mgr.x', 'mgr.y'):
            if lab.pid(name) is not None:
                lab.kill(name)
        for name, text in files.items():
            path = pathlib.Path(name)
            path.write_text(text, encoding='utf-8')
            cache = path.parent / '__pycache__'
            shutil.rmtree(str(cache), ignore_errors=True)
        for name in ('mgr.x', 'mgr.y'):
            lab.start(name)
        wait_for(lambda: self._answers(lab), 120, 'the module answers')

    def _answers(self, lab: Lab) -> bool:
        """Say whether the module has opened its database."""
        try:
            lab.ask('perfcompare ls')
        except Refused:
            return False
        return True

    def mend(self, scene: Scene) -> None:
        """Install the old version, which would refuse a newer database."""
        files = scene.noted
        if not files:
            return
        self._restart(
            scene,
            {n: t + WAY_BACK for n, t in files.items() if STEPS_END in t},
        )
        self._restart(scene, files)


def file_with(module: pathlib.Path, marker: str) -> pathlib.Path:
    """Return the one file of the module that has a text in it."""
    found = [
        path
        for path in sorted(module.rglob('*.py'))
        if 'tests' not in path.parts
        and marker in path.read_text(encoding='utf-8')
    ]
    if len(found) != 1:
        raise AssertionError('%r is in %d files' % (marker, len(found)))
    return found[0]


def newer(text: str) -> str:
    """Return a file as a newer version has it."""
    return with_step(text) if STEPS_END in text else with_field(text)


def with_field(text: str) -> str:
    """Return the file of plans with a field that must be there."""
    head, found, rest = text.partition(PLAN_CLASS)
    _, quotes, rest = rest.partition('"""')
    doc, end, rest = rest.partition('"""')
    assert found and quotes and end
    head += '%s    """%s"""\n' % (found, doc)
    return head + '\n    brand_new: str\n' + rest


def with_step(text: str) -> str:
    """Return the file of tables with one step more."""
    head, found, rest = text.partition(STEPS_END)
    assert found
    statement = 'CREATE TABLE upgraded_by_test (x INTEGER)'
    return "%sSTEPS += (('%s',),)\n%s%s" % (head, statement, found, rest)
