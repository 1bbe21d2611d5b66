"""Read results of other tools, in a process of its own.

A file is somebody else's and may be large: what it takes to read it must
not be the manager's.
"""
