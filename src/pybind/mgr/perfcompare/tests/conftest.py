"""Set up what the unit tests share."""

from . import ceph_env

ceph_env.install_from_environment()
