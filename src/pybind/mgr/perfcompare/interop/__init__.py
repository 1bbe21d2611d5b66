"""Results of other tools as runs that can be compared.

Files are read by processes of their own, as they may hold anything. Begin
with reader.py.
"""
