"""Tests of the tool that undoes runs without the module."""
