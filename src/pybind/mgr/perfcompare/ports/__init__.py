"""What rooms above ask for: protocols and the data that they speak of.

One file a topic: who reads OSDs needs no more than that. Imports `model`,
`common` and `worker.wire`. Begin with cluster.py, which has them all.
"""
