"""The checks before a run; each a pure function of facts and plan.

Imports `collect` for its data. Begin with preflight.py, the table of checks.
"""
