"""Guard a run: the checks before it and the abort rules during it.

`checks` judge what `collect` reads, `abort` watches; imports `ports`,
`model` and `common`. Begin with checks/preflight.py and abort/rules.py.
"""
