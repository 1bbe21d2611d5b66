"""The S3 load generator: processes with one epoll loop each.

Standard library only; each process imports what this folder and `wire` have,
and nothing else. Begin with run.py, then process.py and loop.py.
"""
