"""Load by `rados bench`: clients, populations, measured windows.

Begin with trial.py.
"""
