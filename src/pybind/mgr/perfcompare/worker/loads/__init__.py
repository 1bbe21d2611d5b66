"""The loads that a worker can make, one folder for each.

They import `wire`, `runtime` and what reads other tools' results.
"""
