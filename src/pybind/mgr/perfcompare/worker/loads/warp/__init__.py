"""S3 loads made by MinIO's warp, where it is installed.

Begin with run.py.
"""
