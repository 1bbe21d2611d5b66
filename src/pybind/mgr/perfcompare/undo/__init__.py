"""The journal of what a run makes, and how all of it is undone.

Needs neither plan nor database: undoing works when nothing else does. One
file for each kind of thing undone. Begin with entries.py and engine.py.
"""
