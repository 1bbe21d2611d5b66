"""The load agent: a worker's leash that reaches to another host.

It asks the Manager for orders, leads the worker program as a child, and
listens on nothing. Imports `runtime` and `wire`. Begin with run.py.
"""
