"""Workers as the manager sees them: started, led, listened to, killed.

Imports `worker.wire`, `guard` (loads have their brakes on) and what is below.
Begin with worker.py and load_run.py.
"""
