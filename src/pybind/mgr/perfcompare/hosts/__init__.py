"""Figures of hosts: where their exporters are, and what a trial keeps."""
