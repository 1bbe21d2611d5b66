"""The S3 load generator: processes with one epoll loop each.

Only the standard library is used; nothing here knows the manager.
"""
