"""What the OSDs of a group did during a trial, by their own counters.

Watches that are never in the way of load. Imports `ports`, `guard`,
`workers`, `analysis` and data. Begin with osd_watch.py.
"""
