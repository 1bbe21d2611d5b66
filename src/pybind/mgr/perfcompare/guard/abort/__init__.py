"""The abort rules of runs and recovery tests, and who watches by them.

Imports `collect` and what `checks` know of states. Begin with rules.py.
"""
