"""Judge trials: pure functions of data, standard library only.

Statistics, verdicts, validity, findings, efficiency. Imports `model` and
`common`. Begin with comparison.py, then rows.py and verdict.py.
"""
