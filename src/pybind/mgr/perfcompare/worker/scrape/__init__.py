"""Scraping of hosts: what node_exporter or a Prometheus server knows."""
