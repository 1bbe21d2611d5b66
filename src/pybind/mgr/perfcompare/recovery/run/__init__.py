"""Carry out recovery tests: faults, load beside them, watches.

Begin with execution.py; assembly.py puts the parts together.
"""
