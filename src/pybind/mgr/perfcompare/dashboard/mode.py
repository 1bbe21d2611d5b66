"""How much of the dashboard part is on: the option `dashboard_ui`."""

from dashboard import mgr

FULL = 'full'  # the tab, the standalone page and the API
STANDALONE = 'standalone'  # no tab: the dashboard's own page is untouched
OFF = 'off'  # nothing is served
MODES = (FULL, STANDALONE, OFF)


def current() -> str:
    """Return the mode now; read anew for every request."""
    value = mgr.get_module_option_ex('perfcompare', 'dashboard_ui', FULL)
    # A value that is not known must not show more than was asked for.
    return value if value in MODES else OFF
