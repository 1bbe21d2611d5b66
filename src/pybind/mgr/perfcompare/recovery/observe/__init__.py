"""Watch recoveries by OSD maps and what PGs say of themselves.

Begin with watch.py; observer.py records those that happen by themselves.
"""
