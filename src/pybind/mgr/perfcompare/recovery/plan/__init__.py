"""Decide what a recovery test does, and what it must not do.

Begin with scenarios.py and safety.py.
"""
