"""Profiles: the YAML files of this folder, read strictly.

Begin with catalog.py.
"""
