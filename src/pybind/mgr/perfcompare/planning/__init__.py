"""The whole plan of a run, before anything is touched.

Pools, PGs, objects, bytes and seconds; pure but for inputs.py. Imports
`groups`, `guard` and what is below them. Begin with plan.py.
"""
