"""Integration tests: the real CLI on a real mini cluster."""
