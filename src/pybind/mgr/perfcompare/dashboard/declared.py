"""The declared options of commands, read where the module is not loaded."""

from typing import Any, Dict

import importlib
import importlib.machinery
import importlib.util
import os
import sys

NAME = f'{__package__}.declared_in'


def requests() -> Any:
    """Return the options of each command, as cli/options.py has them.

    They are imported below a name of ours: importing `perfcompare` would
    load the whole module, in releases where each has an interpreter of its
    own a second time.
    """
    return _module('cli.options').requests()


def form() -> Dict[str, Any]:
    """Return what the page's forms ask for: options and operations.

    ``run`` and ``recovery`` are options, ``loads`` the kinds of load with
    their operations and those that can go on beside a recovery.
    """
    found = requests()
    load = _module('model.load')
    beside = load.beside_recovery()

    def kind_of(option: Any) -> str:
        for spec in load.specs():
            # some of `run` are of one kind; their help begins with its title
            if option in spec.options or option.help.startswith(
                f'{spec.title}: '
            ):
                return str(spec.name)
        return ''

    titles = {str(spec.name): spec.title for spec in load.specs()}
    return {
        'run': [
            _described(o, kind_of(o), titles.get(kind_of(o), ''))
            for o in found['run']
        ],
        'recovery': [_described(o, '', '') for o in found['recovery run']],
        'loads': [
            {
                'name': spec.name,
                'title': spec.title,
                'operations': [o.name for o in spec.operations],
                'beside_recovery': list(beside.get(spec.name, ())),
            }
            for spec in load.specs()
        ],
    }


def _described(option: Any, kind: str, title: str) -> Dict[str, Any]:
    """Return an option as data; ``kind`` of load takes it, '' is each.

    On the page it stands below the ``title`` of the kind, which its help
    begins with where it stands alone.
    """
    about = option.help
    if title and about.startswith(f'{title}: '):
        about = about[len(title) + 2 :]
        about = about[:1].upper() + about[1:]
    return {
        'name': option.name,
        'flag': option.flag,
        'type': option.type.__name__,
        'help': about,
        'many': option.many,
        'default': option.default,
        'least': option.least,
        'most': option.most,
        'choices': list(option.choices),
        'load': kind,
    }


def _module(name: str) -> Any:
    if NAME not in sys.modules:
        spec = importlib.machinery.ModuleSpec(NAME, None, is_package=True)
        spec.submodule_search_locations = [
            os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        ]
        sys.modules[NAME] = importlib.util.module_from_spec(spec)
    return importlib.import_module(f'{NAME}.{name}')
