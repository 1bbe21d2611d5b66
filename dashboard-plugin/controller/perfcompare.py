"""Load perfcompare's part of the dashboard; installed among its controllers.

The part itself is the folder `dashboard` of the perfcompare module. Whatever
goes wrong with it is logged, and the dashboard stays as it is.
"""

import importlib.util
import logging
import os
import sys

logger = logging.getLogger('controllers.perfcompare')

# Not `perfcompare.dashboard`: that would import the whole module first, in
# releases where each module has an interpreter of its own a second time.
NAME = 'perfcompare_dashboard'


def load():
    """Import the package and let it register its controllers."""
    found = importlib.util.find_spec('perfcompare')
    if found is None or not found.submodule_search_locations:
        logger.info('perfcompare: the module is not installed')
        return
    folder = os.path.join(found.submodule_search_locations[0], 'dashboard')
    spec = importlib.util.spec_from_file_location(
        NAME,
        os.path.join(folder, '__init__.py'),
        submodule_search_locations=[folder],
    )
    package = importlib.util.module_from_spec(spec)
    sys.modules[NAME] = package
    spec.loader.exec_module(package)
    controllers = [c for c in registry() if is_ours(c.__module__)]
    rehearse(controllers)
    package.install()


def registry():
    """Return the dashboard's list of controllers."""
    from . import BaseController

    return BaseController._registry  # pylint: disable=protected-access


def is_ours(name):
    """Tell whether a module name is the package or below it."""
    return name == NAME or name.startswith(NAME + '.')


def rehearse(controllers):
    """Do what the dashboard is about to do, where a failure is harmless.

    `endpoints()` replaces the handlers by wrapped ones; they are put back,
    else they would be wrapped twice.
    """
    for controller in controllers:
        kept = dict(vars(controller))
        try:
            controller()
            for endpoint in controller.endpoints():
                str(endpoint.url)
        finally:
            for name, value in kept.items():
                if vars(controller).get(name) is not value:
                    setattr(controller, name, value)


def unload():
    """Leave nothing of a package that was loaded by half."""
    controllers = registry()
    controllers[:] = [c for c in controllers if not is_ours(c.__module__)]
    for name in [n for n in sys.modules if is_ours(n)]:
        del sys.modules[name]


try:
    load()
except BaseException:  # even SystemExit must not end the dashboard
    logger.exception(
        'perfcompare: cannot load its part of the dashboard; the dashboard '
        'goes on without it'
    )
    try:
        unload()
    except Exception:
        logger.exception('perfcompare: cannot clean up')
