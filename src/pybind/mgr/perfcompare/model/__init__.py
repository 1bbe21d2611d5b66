"""The vocabulary of perfcompare as data: dataclasses and enums.

Plans, runs, trials, groups, recoveries, the cluster's topology; codec.py of
common makes JSON of it. Imports `common` only. Begin with plan.py and run.py.
"""
