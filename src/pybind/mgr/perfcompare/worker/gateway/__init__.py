"""A private gateway: a radosgw of the run, on pools of the run only.

Imports `wire` and `runtime`. Begin with run.py.
"""
