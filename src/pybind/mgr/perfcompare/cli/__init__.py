"""The commands: their registry, and those that Module inherits.

Imports `app` and `report`. Begin with registry.py.
"""
