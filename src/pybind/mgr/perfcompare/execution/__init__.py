"""Carry out runs: one at a time, from preflight to verified cleanup.

Imports drivers, figures, pools, undo, store. Begin with runner.py, run.py
and trial.py; takeover.py is what a new mgr does first.
"""
