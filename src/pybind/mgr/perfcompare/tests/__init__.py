"""Unit tests; their folders are those of the module's rooms."""
