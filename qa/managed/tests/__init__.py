"""Tests of what brings up a cluster that cephadm manages."""
