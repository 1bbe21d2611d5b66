"""How each kind of load becomes jobs of workers: a folder for each.

Imports `pools`, `workers`, `undo`, `planning` and what is below them. Begin
with driver.py, the protocol.
"""
