"""The child program that makes load; started as `python3 -m worker`.

Imports nothing of the manager's rooms, which know `wire` of it and no more:
a worker may be another interpreter, and on another host. Begin with
__main__.py and supervisor.py.
"""
