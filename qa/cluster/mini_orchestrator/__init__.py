"""An orchestrator for tests: it starts and stops OSDs by asking."""

from .module import Module  # noqa: F401
