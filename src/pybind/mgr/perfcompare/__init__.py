"""Compare groups of OSDs of one cluster under the same load."""

import importlib.util
import sys

# `ceph_module` is built into ceph-mgr and exists nowhere else: workers and
# unit tests of the pure core import this package without Ceph.
if (
    'ceph_module' in sys.modules
    or importlib.util.find_spec('ceph_module') is not None
):
    from .module import Module  # noqa: F401
