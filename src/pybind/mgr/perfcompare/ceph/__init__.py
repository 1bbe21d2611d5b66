"""The one door to Ceph: everything that touches the MgrModule object.

Implements `ports`, one file for each topic; imports nothing above them.
Begin with cluster.py.
"""
