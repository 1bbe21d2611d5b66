"""Trials through S3, and the buckets in gateways of operators.

Begin with driver.py.
"""
