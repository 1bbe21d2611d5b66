"""Load on images through librbd: by fio, or by `rbd bench` without it.

Begin with trial.py and fill.py; jobfile.py is what fio is told.
"""
