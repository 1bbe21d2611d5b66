"""Recoveries, recovery tests and their plans as text and tables.

Begin with text.py.
"""
