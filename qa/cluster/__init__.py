"""A real Ceph cluster on one machine, with real arm64 OSDs."""
