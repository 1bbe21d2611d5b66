"""What any job of a worker runs on: its context, children and leash.

Imports `wire`. Begin with context.py and processes.py.
"""
