"""The child program that makes load; started as `python3 -m worker`.

It runs outside the manager, with the system's Python, and imports nothing
of the manager module. Only the standard library is needed; numpy, where it
is installed, reduces long series.
"""
