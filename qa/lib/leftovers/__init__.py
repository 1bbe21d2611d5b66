"""Undo what runs of perfcompare left, without the module.

What the command qa/cleanup is made of: plain `ceph` commands, the standard
library, and nothing of the module, which may be what is broken.
"""
