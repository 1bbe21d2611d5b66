"""What was recorded of a recovery, judged: pure functions.

Moments, phases, timelines, what clients felt, comparisons. Begin with
timeline.py and comparison.py.
"""
