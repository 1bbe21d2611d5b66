"""Results: the SQLite database, its one thread, archives and exports.

Imports `model` and `common`. Begin with results.py and schema.py.
"""
