"""What S3 workloads add to a plan: pools, objects, options, labels.

Begin with plan.py.
"""
