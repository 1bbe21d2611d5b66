"""Say what limited a trial, with the figures that show it.

Begin with table.py, the rules as data, and evaluate.py.
"""
