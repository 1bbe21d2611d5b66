"""Compare groups of OSDs of one cluster under the same load."""

import importlib.util
import sys

# `ceph_module` is built into ceph-mgr and exists nowhere else: workers and
# unit tests of the pure core import this package without Ceph.
if (
    'ceph_module' in sys.modules
    or importlib.util.find_spec('ceph_module') is not None
):
    if sys.version_info >= (3, 9):
        from .module import Module  # noqa: F401
    else:  # this file is all that older ones read
        from mgr_module import MgrModule

        class Module(MgrModule):
            """Say why there is no module, before a run can break off."""

            @staticmethod
            def can_run():  # `ceph mgr module enable` shows the reason
                """Return False with the reason."""
                return False, (
                    'ceph-mgr runs Python %d.%d, and perfcompare needs 3.9 '
                    'or later; containers of Ceph have it from 18.2.4 on'
                    % tuple(sys.version_info[:2])
                )
