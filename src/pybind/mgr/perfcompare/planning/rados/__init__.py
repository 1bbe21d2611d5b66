"""What loads of RADOS objects add to a plan: populations, bounds, pools.

Begin with planner.py.
"""
