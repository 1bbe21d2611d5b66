"""Fakes of what is outside: cluster, workers, servers, dashboard."""
