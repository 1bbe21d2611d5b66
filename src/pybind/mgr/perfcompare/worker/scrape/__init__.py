"""Scraping of hosts: what node_exporter or a Prometheus server knows.

Imports `wire` and `runtime`. Begin with run.py.
"""
