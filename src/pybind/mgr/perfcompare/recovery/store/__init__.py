"""Recoveries in the result database and as files.

Begin with recoveries.py.
"""
