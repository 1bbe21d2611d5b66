"""The table of commands, routes and pages has all of them, and no others."""

import ast
import re
from pathlib import Path

import pytest

pytest.importorskip('mgr_module')

from perfcompare import module  # noqa: E402, F401
from perfcompare.cli import help as commandhelp  # noqa: E402

HERE = Path(__file__)
TOP = HERE.parents[5]
PAGE = TOP / 'doc' / 'mgr' / 'perfcompare' / 'interfaces.rst'
APP = TOP / 'dashboard-plugin' / 'app' / 'src' / 'app'
ROUTES = HERE.parents[1] / 'dashboard'
PLAIN = {
    'list': ('GET', False),
    'get': ('GET', True),
    'create': ('POST', False),
    'set': ('PUT', True),
    'delete': ('DELETE', True),
}

pytestmark = pytest.mark.skipif(
    not PAGE.is_file() or not APP.is_dir(),
    reason='manual or page are not beside the sources',
)


def rows():
    """Yield command, routes and page of each row."""
    text = PAGE.read_text(encoding='utf-8')
    for entry in text.split('\n   * - ')[2:]:
        command, routes, page = re.split(r'\n     - ', entry.rstrip())
        yield (
            command.strip('`'),
            re.findall(r'``([A-Z]+ /[^`]*)``', routes),
            page.strip(),
        )


def words_of(decorator):
    return [a.value for a in decorator.args if isinstance(a, ast.Constant)]


def path_of(decorator):
    for keyword in decorator.keywords:
        if keyword.arg == 'path':
            return keyword.value.value
    return ''


def routes_of(controller):
    """Yield the routes of a controller, as the dashboard makes them."""
    calls = [d for d in controller.decorator_list if isinstance(d, ast.Call)]
    (base,) = [
        words_of(d)[0] for d in calls if d.func.id == 'APIRouter'
    ]  # fmt: skip
    base = base[len('/perfcompare') :]
    ident = [
        s.value.value
        for s in controller.body
        if isinstance(s, ast.Assign) and s.targets[0].id == 'RESOURCE_ID'
    ]
    one = f'{base}/{{{ident[0]}}}' if ident else base
    for function in controller.body:
        if not isinstance(function, ast.FunctionDef):
            continue
        found = [
            d for d in function.decorator_list if isinstance(d, ast.Call)
        ]
        own = {
            getattr(d.func, 'attr', getattr(d.func, 'id', '')): d
            for d in found
        }
        for kind, where in (
            ('Resource', one),
            ('Collection', base),
            ('Endpoint', base),
        ):
            if kind in own:
                method = words_of(own[kind])[0]
                yield f'{method} {where}{path_of(own[kind])}'
                break
        else:
            method, single = PLAIN[function.name]
            yield f'{method} {one if single else base}'


def all_routes():
    found = set()
    for path in sorted(ROUTES.glob('rest*.py')):
        for node in ast.parse(path.read_text(encoding='utf-8')).body:
            if isinstance(node, ast.ClassDef):
                found |= set(routes_of(node))
    return found


def asked_by_the_page():
    """Return the routes that the page calls; {} stands for any id."""
    text = (APP / 'core' / 'api.ts').read_text(encoding='utf-8')
    found = set()
    for call in re.finditer(
        r"this\.(get(?:<\w+>)?|send)\(\s*(?:'([A-Z]+)',\s*)?[`'](/[^`']*)",
        text,
    ):
        path = re.sub(r'\$\{part\(\w+\)\}', '{}', call[3])
        for kind in ('run', 'recovery') if '${kind}' in path else ('',):
            found.add(f'{call[2] or "GET"} ' + path.replace('${kind}', kind))
    for form in ('run-form/run-form.ts', 'recovery-form/recovery-form.ts'):
        text = (APP / form).read_text(encoding='utf-8')
        for name in ('plan', 'start'):
            (path,) = re.findall(rf"\b{name}: '(/[^']*)'", text)
            found.add(f'POST {path}')
    return found


def test_every_command_has_a_row_and_every_row_a_command():
    known = {one.command for one in commandhelp.commands()}
    shown = {command.split(' --')[0] for command, _, _ in rows()}
    assert shown == known


def test_every_route_has_a_row_and_every_row_a_route():
    known = all_routes()
    assert len(known) > 40
    assert {route for _, routes, _ in rows() for route in routes} == known


def test_every_page_is_a_tab_that_asks_for_what_its_row_says():
    text = (APP / 'app.ts').read_text(encoding='utf-8')
    tabs = set(
        re.findall(r'path: \'[^\']*\'[^}]*text: \$localize`([^`]*)`', text)
    )
    asked = asked_by_the_page()
    shown = [row for row in rows() if row[1] and not row[2].startswith('(')]
    assert {page for _, _, page in shown} == tabs
    silent = [
        command
        for command, routes, _ in shown
        if not asked & {re.sub(r'\{\w+\}', '{}', route) for route in routes}
    ]
    assert silent == []


@pytest.mark.parametrize('command', ['group set', 'profile set'])
def test_the_first_route_redefines_as_the_command_does(command):
    (routes,) = [found for name, found, _ in rows() if name == command]
    assert [route.split()[0] for route in routes[:2]] == ['PUT', 'POST']
