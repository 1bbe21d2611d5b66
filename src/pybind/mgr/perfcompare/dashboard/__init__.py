"""Be perfcompare's part of the Ceph Dashboard: REST, pages, the hook.

Loaded inside the dashboard module by the one file among its controllers, as
`perfcompare_dashboard`. Nothing here imports the rest of perfcompare, but
for what options are declared (declared.py): all calls go through
`mgr.remote`.
"""


def install() -> None:
    """Hook the index page; the last step, when all else has loaded."""
    from . import hook

    hook.install()


def _register() -> None:
    """Import the controllers; their classes register themselves."""
    from . import (  # noqa: F401
        rest,
        rest_exporters,
        rest_gateways,
        rest_groups,
        rest_load_hosts,
        rest_profiles,
        rest_recovery,
        rest_runs,
        ui,
    )


_register()
