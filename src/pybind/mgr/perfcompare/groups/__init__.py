"""Groups of OSDs: defined, detected, and what they are on this cluster.

Imports `ports`, `model` and `common`. Begin with resolution.py.
"""
