"""Pools of a run: made, placed evenly on their group, checked.

Imports `undo`: what is made is journaled before. Begin with bench_pool.py.
"""
