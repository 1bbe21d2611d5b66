"""Trials that warp makes, on what the S3 driver prepared."""
