"""Where S3 gateways come from: private, orchestrated, or existing.

Each source offers the same; begin with private.py, which has the protocol.
"""
