"""What rooms above ask for: protocols and the data that they speak of.

Small ones: who reads OSDs needs no more than that. Imports `model`, `common`
and `worker.wire`. Begin with cluster.py.
"""
