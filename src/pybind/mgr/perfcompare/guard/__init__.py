"""Guard a run: the checks before it and the abort rules during it."""
