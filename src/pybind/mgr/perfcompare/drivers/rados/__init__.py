"""Trials through `rados bench`."""
