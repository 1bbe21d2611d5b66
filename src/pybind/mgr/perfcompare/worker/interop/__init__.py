"""Read results of other tools, whatever is in their files.

Imports `wire`. Begin with detect.py.
"""
