"""Time recoveries: those that happen, and those provoked on purpose.

Rooms from the top: run, observe, store, judge, plan; each imports those
after it. Begin with plan/scenarios.py, run/execution.py and
observe/watch.py.
"""
