"""Read one file that is imported, in a process of its own.

Imports what checks and shows records, as each is tried once; nothing of it
is loaded into ceph-mgr. Begin with prepare.py.
"""
