"""Profiles: the YAML files of this folder and of operators, read strictly.

Begin with catalog.py; repository.py keeps those of operators.
"""
