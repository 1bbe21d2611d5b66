"""The declared options of commands, read where the module is not loaded."""

from typing import Any

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
    if NAME not in sys.modules:
        spec = importlib.machinery.ModuleSpec(NAME, None, is_package=True)
        spec.submodule_search_locations = [
            os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        ]
        sys.modules[NAME] = importlib.util.module_from_spec(spec)
    return importlib.import_module(f'{NAME}.cli.options').requests()
