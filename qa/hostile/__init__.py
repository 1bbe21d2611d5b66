"""Bad input for the real module in a real ceph-mgr."""
