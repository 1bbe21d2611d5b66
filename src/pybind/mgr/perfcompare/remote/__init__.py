"""The use cases as the dashboard calls them: by name, with plain data.

What `mgr.remote` reaches; `dashboard` is the other side. Begin with
calls.py.
"""
