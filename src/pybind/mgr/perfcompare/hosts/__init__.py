"""Figures of hosts: where their exporters are, and what a trial keeps.

Imports `drivers` (who makes gateways), `workers` and what is below. Begin
with watch.py.
"""
