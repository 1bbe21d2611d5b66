"""Units, errors, codecs and options: what every room may use.

Imports nothing of the other rooms. Begin with errors.py and units.py.
"""
